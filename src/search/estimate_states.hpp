// SPDX-License-Identifier: Apache-2.0
// How many states are there, where a breadth-first search was cut short?
//
// Idea: most state spaces have levels that grow, then shrink: the logarithm of their sizes is about
// a parabola. One is fitted to the last levels that were seen, three times, to more and fewer of
// them; where the three do not contradict each other, what lies under the rest of them is what was
// not seen. Source: R. Pelanek and P. Simecek, Estimating State Space Parameters (2008), who found
// that levels have that shape.
//
// How it can be wrong: by any factor; a model may have one more variable to count when everything
// else is done. The range is one that held for the models it was tried on, cut at every level
// (estimate_states_test.cpp), and no bound. Where the fits contradict each other there is no
// estimate. Thread safety: plain functions on plain data.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "verdict/sample_log.hpp"

namespace panoptes {

struct StateEstimate {
  double states = 0, low = 0, high = 0;
  double levels = 0;
};

// `known`: by depth, how many states were known when that level was begun.
std::optional<StateEstimate> estimate_states(const std::vector<std::uint64_t>& known);

// The same numbers from what a breadth-first search has noted as it went.
std::vector<std::uint64_t> known_by_level(const std::vector<SearchSample>& samples);

}  // namespace panoptes
