// SPDX-License-Identifier: Apache-2.0
// A model as text, taken as far as a table of rules. Throws as protocol.hpp does.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>

#include "load/load.hpp"
#include "support/protocol.hpp"

namespace panoptes::test {

struct Setup {
  std::uint32_t capacity = 2;
  bool minimise = true;
  TimeoutPolicy timeouts = TimeoutPolicy::empty;
  OverflowPolicy overflow = OverflowPolicy::wait;
  std::uint32_t most_slots = UINT32_MAX;
};

// One that varies with the seed, so that every combination is met.
inline Setup setup_for(std::uint64_t seed) {
  Setup setup;
  if (seed % 2 == 1) setup.timeouts = TimeoutPolicy::lock;
  if (seed % 5 == 4) setup.overflow = OverflowPolicy::error;
  setup.minimise = seed % 7 != 0;
  return setup;
}

struct Compiled {
  SourceSet sources;
  Diagnostics diagnostics;
  Program program;
};

inline Compiled compile(std::string text, const Setup& setup = {}) {
  ModelRequest request;
  request.build = {setup.capacity, setup.minimise, setup.most_slots};
  request.rules = {setup.timeouts, setup.overflow};
  Loaded loaded =
      load("m", request, [&](const std::string&) { return std::optional(std::move(text)); });
  if (!loaded.program) throw std::runtime_error(loaded.diagnostics.render(loaded.sources));
  return {std::move(loaded.sources), std::move(loaded.diagnostics), std::move(*loaded.program)};
}

}  // namespace panoptes::test
