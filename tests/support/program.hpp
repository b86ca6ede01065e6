// SPDX-License-Identifier: Apache-2.0
// A model as text, taken as far as a table of rules. Throws as protocol.hpp does.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>

#include "rules/program.hpp"
#include "support/protocol.hpp"

namespace panoptes::test {

struct Setup {
  std::uint32_t capacity = 2;
  bool minimise = true;
  TimeoutPolicy timeouts = TimeoutPolicy::empty;
  OverflowPolicy overflow = OverflowPolicy::wait;
  std::uint32_t most_slots = UINT32_MAX;
};

struct Compiled {
  SourceSet sources;
  Diagnostics diagnostics;
  Program program;
};

inline Compiled compile(std::string text, const Setup& setup = {}) {
  Built built = build(std::move(text), {setup.capacity, setup.minimise, setup.most_slots});
  if (!built.protocol) throw std::runtime_error(built.shown());
  std::string problem;
  auto program =
      compile_rules(std::move(*built.protocol), {setup.timeouts, setup.overflow}, problem);
  if (!program) throw std::runtime_error(problem);
  return {std::move(built.sources), std::move(built.diagnostics), std::move(*program)};
}

}  // namespace panoptes::test
