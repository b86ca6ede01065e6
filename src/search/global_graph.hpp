// SPDX-License-Identifier: Apache-2.0
// Searches for the graph of a protocol's states, to be looked at.
//
// Idea: a breadth-first search with a store that numbers states. Of the states nearest to the start
// everything is kept; the rest is only counted, so that whoever sees the graph knows what he does
// not see. Cost: memory for every state until the search ends, by itself or by a limit.
#pragma once

#include "search/check.hpp"
#include "verdict/global_graph.hpp"

namespace panoptes {

// Keeps that many states, fewer where each is very large or there is little memory to write them
// down in. REQUIRES: most_states > 0. Throws as check() does.
GlobalGraph find_graph(const Program& program, const CheckOptions& options,
                       std::uint64_t most_states);

}  // namespace panoptes
