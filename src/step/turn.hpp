// SPDX-License-Identifier: Apache-2.0
// Whose turn it is, rule by rule: what indivisible sequences mean where a walk takes single steps.
//
// A process that has ended a step inside an indivisible sequence moves alone: only its own rules of
// the first class count, until it is outside again. Where none of them is enabled it waits, and
// everybody may move. A step that leads back to a state the sequence has been in, since the process
// moves alone, fails: the sequence would never end.
//
// This is the reference, on which trails are replayed and sessions walk; searches take whole
// sequences (indivisible.hpp). In a program without such sequences it is the interpreter.
//
// Thread safety: one thread.
#pragma once

#include <set>
#include <utility>
#include <vector>

#include "step/interpreter.hpp"

namespace panoptes {

class Turn {
 public:
  // At a state in which nobody moves alone. `program` outlives it.
  explicit Turn(const Program& program) : interpreter_(program) {}

  // The steps that can be taken in `state`, and those that fail.
  void expand(const StateBatch& state, SuccessorBatch& out, std::vector<Finding>& findings);
  // Takes the step from one state to the other. REQUIRES: it is one of those that can be taken.
  void take(RuleId rule, StateView state, StateView next);
  void restart();

  // Behind expand(): nobody moved alone there, so that the state is one that a search sees.
  bool is_outside() const { return alone_ == none; }
  const Interpreter& interpreter() const { return interpreter_; }

 private:
  void fail_steps_back(SuccessorBatch& out, std::vector<Finding>& findings);

  Interpreter interpreter_;
  ProcessId alone_ = none;
  bool has_looked_ = false;  // whether it waits
  // Where the sequence has been inside, and who moved alone then.
  std::set<std::pair<ProcessId, StateWords>> been_;
};

}  // namespace panoptes
