// SPDX-License-Identifier: Apache-2.0
// The partial-search disciplines: successors ordered by preference, and the first few kept.
//
// Idea: with R reachable states and room for A of them, a search that keeps the successors likely
// to lead to an error finds more than its share A / R. What is preferred is in ranking.hpp.
// Of each state, or of each process in it, the first `keep` are kept; with none dropped the search
// is as exhaustive as before, in another order. One of each process, receives preferred, restricts
// the branching to the number of processes; one of all gives a single run.
// Cost: sorting the successors of each state.
// How it can be wrong: what lies behind a dropped successor alone is not seen; the verdict says so.
#pragma once

#include <memory>

#include "search/ranking.hpp"
#include "search/selector.hpp"

namespace panoptes {

// Null where the choice changes nothing. `cost` is for Preference::cost; the program outlives the
// selector.
std::unique_ptr<Selector> make_selector(const Program& program, const Choice& choice,
                                        const CostExpression* cost);

}  // namespace panoptes
