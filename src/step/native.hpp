// SPDX-License-Identifier: Apache-2.0
// The native stepper: the rule table compiled to x86-64 code when a search begins.
//
// Idea: one routine expands a whole batch. It loops over the states, jumps for each process through
// a table indexed by its control state, and there evaluates the rules one after the other on the
// packed words: a predicate is a mask and a comparison, the change of control state and the sending
// of a constant message are one addition of a constant. Only successors are written, straight into
// the batch. What is rare is left to the interpreter: a rule that fires into an error, and the
// states in which an error of the state itself is possible, are noted and looked at again.
// Cost: a few hundred bytes of code per rule, about a microsecond each to assemble.
// How it can be wrong: it must give the interpreter's successors in the interpreter's order, which
// the tests check rule for rule. A value that may lie outside its slot is compared first, and goes
// to the interpreter, which throws InternalFault.
//
// Thread safety: each thread uses its own.
#pragma once

#include <memory>
#include <vector>

#include "step/interpreter.hpp"

namespace panoptes {

class NativeCode;

class NativeStepper final : public Stepper {
 public:
  // Nothing where this machine cannot run it. `program` outlives the stepper.
  static std::unique_ptr<NativeStepper> make(const Program& program);
  ~NativeStepper() override;

  // One more for another thread, on the same code.
  std::unique_ptr<NativeStepper> another() const;

  const Program& program() const override { return program_; }
  void expand(const StateBatch& batch, SuccessorBatch& out,
              std::vector<Finding>& findings) override;
  void expand_alone(ProcessId process, const StateBatch& batch, SuccessorBatch& out,
                    std::vector<Finding>& findings) override;

 private:
  // By process, for those that may move alone; null for the others.
  using CodeAlone = std::vector<std::shared_ptr<const NativeCode>>;

  NativeStepper(const Program& program, std::shared_ptr<const NativeCode> code,
                std::shared_ptr<const CodeAlone> alone);
  static std::shared_ptr<const CodeAlone> compile_alone(const Program& program);
  void run(const NativeCode& code, const StateBatch& batch, SuccessorBatch& out,
           std::vector<Finding>& findings);

  const Program& program_;
  std::shared_ptr<const NativeCode> code_;
  std::shared_ptr<const CodeAlone> alone_;
  Interpreter interpreter_;
  Buffer<std::uint64_t> failures_;  // (state, rule) pairs of rules that fired into an error
  Buffer<std::uint32_t> suspects_;  // room for their numbers, before they are handed on
  StateWords scratch_;
};

}  // namespace panoptes
