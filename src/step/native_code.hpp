// SPDX-License-Identifier: Apache-2.0
// The routine a program is compiled to, and what it shares with its caller.
#pragma once

#include <cstdint>
#include <memory>

#include "rules/lowered.hpp"

namespace panoptes {

// What the routine reads and writes; the caller sees to it that everything fits.
struct NativeFrame {
  const Word* state;        // the states to expand, from here ...
  const Word* states_end;   // ... to here
  Word* successors;         // written one after the other
  std::uint32_t* rules;     // the rule of each
  std::uint32_t* first;     // per state: number of successors so far, after it
  std::uint32_t* failed;    // per state: rules that fired into an error
  std::uint64_t* failures;  // pairs: state number, rule
  std::uint32_t* suspects;  // numbers of states that may be wrong themselves
  const std::uint32_t* rules_begin;
  std::uint64_t state_number;
  std::uint64_t failed_here;  // of the current state
  std::uint64_t suspicious;   // the current state must be examined
};

class NativeCode {
 public:
  virtual ~NativeCode() = default;
  virtual void run(NativeFrame& frame) const = 0;
  // No state has more successors and failures than this.
  virtual std::size_t most_successors() const = 0;
  // Any state may be wrong itself, whether or not it is among the suspects.
  virtual bool is_alarmed() const = 0;
};

// Nothing where this machine cannot run it.
std::shared_ptr<const NativeCode> compile_native(Lowered lowered);

}  // namespace panoptes
