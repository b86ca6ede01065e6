// SPDX-License-Identifier: Apache-2.0
// Bounds on what a model may ask for, so that a short text cannot take all memory. Front ends hold
// to them where they make something, the passes over a protocol where they do.
#pragma once

#include <cstddef>
#include <cstdint>

namespace panoptes {

struct BuildLimits {
  static constexpr std::size_t processes = 1000;
  static constexpr std::size_t channels = 4000;
  static constexpr std::size_t variables = 20'000;
  static constexpr std::uint32_t capacity = 4096;
  static constexpr std::size_t enumeration = 1000;        // names
  static constexpr std::size_t control_states = 200'000;  // of all automata, after inlining
  static constexpr std::size_t transitions = 1'000'000;
  static constexpr std::size_t rendezvous = 1'000'000;           // pairs of a send and a receive
  static constexpr std::size_t call_depth = 100;                 // procedures inside each other
  static constexpr std::size_t assertion_subsets = 65'536;       // of one assertion
  static constexpr std::size_t all_assertion_subsets = 262'144;  // of all of them
  static constexpr std::uint32_t expression_size = 2'000;
  static constexpr std::size_t quantified = 10'000;  // values of indices, in one expression
};

}  // namespace panoptes
