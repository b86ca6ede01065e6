// SPDX-License-Identifier: Apache-2.0
// The engine's opinion of a protocol, in the terms of the plain checker, so that the two can be
// compared; optionally with a fault planted in the engine.
#pragma once

#include <cstdlib>
#include <functional>
#include <string>

#include "differential/plain_checker.hpp"
#include "rules/program.hpp"
#include "search/check.hpp"
#include "support/sample.hpp"

namespace panoptes::differential {

// Random protocols of more states are left out.
inline std::uint64_t compared_states() { return test::has_all_samples() ? 50'000 : 5'000; }

// Others than those of every day: PANOPTES_FIRST_SEED=100000.
inline std::uint64_t first_seed() {
  const char* const given = std::getenv("PANOPTES_FIRST_SEED");
  return given == nullptr ? 0 : std::strtoull(given, nullptr, 10);
}

// A fault changes the tables the engine runs on; either hook may be empty. Each says whether it
// found anything to change.
struct PlantedFault {
  std::string name;
  std::function<bool(Protocol&)> in_protocol;
  std::function<bool(Program&)> in_program;
};

struct EngineOptions {
  PlainOptions plain = {};
  bool minimise = false;
  bool interpreted = true;
  const PlantedFault* fault = nullptr;
  unsigned threads = 1;
  SearchPlan search = {};  // with the whole graph where livelocks are looked for
  std::uint64_t seed = 1;
  bool count_distinct = false;
  Limits limits = {};
  std::uint64_t state_limit = UINT64_MAX;  // the result of what has more is not complete
};

struct EngineOpinion {
  PlainResult result;
  std::string problem;         // the engine refused or contradicted itself; "" where it did not
  bool fault_planted = false;  // the fault found something to change
};

EngineOpinion engine_check(const argos::Model& model, const SourceSet& sources,
                           const EngineOptions& options);

}  // namespace panoptes::differential
