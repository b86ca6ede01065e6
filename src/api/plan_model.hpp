// SPDX-License-Identifier: Apache-2.0
// How many nodes would a model want? A sample of its search, an estimate of the rest, and what that
// would take on so many nodes.
//
// It estimates and promises nothing; what it assumes is part of the answer. Thread safety:
// functions of their arguments.
#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "hypercube/plan.hpp"
#include "load/load.hpp"
#include "options/values.hpp"
#include "search/estimate_states.hpp"

namespace panoptes {

struct Plan {
  std::string model;
  // The sample, on one core.
  std::uint64_t sample_states = 0, sample_transitions = 0, sample_levels = 0;
  double sample_seconds = 0;
  bool is_complete = false;  // it has seen everything
  // So few states tell neither how fast a core is nor what keeping one takes: both are assumed.
  bool says_little() const { return sample_states < 100'000; }
  // All states, and who says so.
  enum class Source : std::uint8_t { sample, given, levels, unknown } source = Source::sample;
  StateEstimate states;  // where that is unknown, what the sample has seen
  PlannedSearch search;
  PlannedNode node;
  struct Join {
    double rules = 0, transitions = 0, tuple_bytes = 0;
  };
  std::optional<Join> join;  // where the five steps are for this model
  std::vector<PlannedRun> runs;
  // Of those: the fewest nodes that have room for it, the fastest, and the most of which at least
  // half of each is of use; nothing where none has room.
  std::optional<unsigned> fewest, fastest, useful;
};

// What is wrong with --nodes; "" where nothing is.
std::string wrong_nodes(const OptionValues& values);

// What the options of `plan` ask for. A failure is a fault of Panoptes, and says which. REQUIRES:
// `loaded` has a program.
Result<Plan, std::string> plan_model(const std::string& path, const OptionValues& values,
                                     const Loaded& loaded, const std::atomic<bool>& interrupted);

std::string plan_text(const Plan& plan);
std::string plan_json(const Plan& plan);

}  // namespace panoptes
