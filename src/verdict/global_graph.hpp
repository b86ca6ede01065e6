// SPDX-License-Identifier: Apache-2.0
// The graph of the states of a whole protocol, as far as somebody can look at it: those nearest to
// the start, every step between them, and how much more there is.
//
// How it can be wrong: what is in it is so. What was counted beside it is all there is only where
// stop() says that the search has finished; else there may be more.
#pragma once

#include <vector>

#include "rules/finding.hpp"
#include "verdict/ending.hpp"

namespace panoptes {

struct GlobalGraph {
  struct Step {
    std::uint64_t source;
    RuleId rule;
    std::uint64_t target;
  };
  struct State {
    StateWords words;
    std::vector<Finding> findings;  // of the state, and of steps that fail in it
    std::uint64_t left_out = 0;     // steps to states that are not shown
  };

  static constexpr std::uint64_t most_states = 10'000;  // that anybody looks through

  std::vector<State> states;   // in the order of the search; the first is the initial one
  std::vector<Step> steps;     // between them, in the order of their sources
  std::uint64_t expanded = 0;  // so many of `states` have all their steps
  std::uint64_t state_count = 0, transition_count = 0;  // seen, shown or not; failing steps as well
  std::uint64_t findings_left_out = 0;                  // of states that are not shown
  Ending ending;

  Stop stop() const { return stop_of(ending); }
  bool is_counted() const { return stop() == Stop::finished; }
};

}  // namespace panoptes
