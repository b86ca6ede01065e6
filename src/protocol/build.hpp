// SPDX-License-Identifier: Apache-2.0
// Syntax tree to checked protocol: resolves names, writes out families, inlines procedures,
// translates, removes transit states, infers sorts and ranges, minimises.
#pragma once

#include <cstdint>
#include <optional>

#include "base/diagnostic.hpp"
#include "lang/argos/syntax.hpp"
#include "protocol/minimise.hpp"

namespace panoptes {

struct BuildOptions {
  std::uint32_t default_capacity = 2;  // of channels declared without one
  bool minimise = true;
  std::uint32_t most_slots = UINT32_MAX;  // channels with more are narrowed to that
  AskedNames asked = {};                  // states with one of these names are not merged
};

// Bounds on what a model may ask for, so that a short text cannot take all memory.
struct BuildLimits {
  static constexpr std::size_t processes = 1000;
  static constexpr std::size_t channels = 4000;
  static constexpr std::size_t variables = 20'000;
  static constexpr std::uint32_t capacity = 4096;
  static constexpr std::size_t control_states = 200'000;  // of all automata, after inlining
  static constexpr std::size_t transitions = 1'000'000;
  static constexpr std::size_t call_depth = 100;                 // procedures inside each other
  static constexpr std::size_t assertion_subsets = 65'536;       // of one assertion
  static constexpr std::size_t all_assertion_subsets = 262'144;  // of all of them
  static constexpr std::uint32_t expression_size = 2'000;
};

// The protocol of `model`, or nothing where it has errors, which are reported.
std::optional<Protocol> build_protocol(const argos::Model& model, const BuildOptions& options,
                                       const SourceSet& sources, Diagnostics& diagnostics);

}  // namespace panoptes
