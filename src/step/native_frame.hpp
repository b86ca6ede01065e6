// SPDX-License-Identifier: Apache-2.0
// What the routine that a program is compiled to shares with its caller.
#pragma once

#include <cstdint>

#include "base/batch.hpp"

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
  std::uint64_t awaited;      // of the rules that others wait for, how many have fired in it
};

}  // namespace panoptes
