// SPDX-License-Identifier: Apache-2.0
// Livelocks: what a kept graph says about runs that go on for ever and lead nowhere.
//
// A state is livelocked if everything that can ever happen from it on is internal and goes on for
// ever: no send, no receive, no assignment to a shared variable, no state in which all processes
// may stop can be reached from it, and no state that is stuck or where a step fails, for that is
// reported for itself. Such runs end up in components of the graph that nothing leads out of. Those
// in which the same processes move and everybody is at the same places are one error, with the
// shortest way to one of its states and the shortest cycle from there.
//
// How it can be wrong: on a graph that lacks transitions or states; then nobody should ask.
#pragma once

#include <optional>
#include <string>

#include "search/state_graph.hpp"
#include "store/numbered_store.hpp"
#include "verdict/livelocks.hpp"

namespace panoptes {

// Cycles and livelocks of a graph that is complete and finished; `store` has its states. Some step
// of the search failed where `has_failures` is true. Nothing where a trail does not replay, with
// the reason in `problem`; where it takes too long, the graph is not said to be complete.
std::optional<Livelocks> find_livelocks(const Program& program, const StateGraph& graph,
                                        const NumberedStore& store, bool has_failures,
                                        const SourceSet& sources, std::string& problem,
                                        const Deadline& deadline = {});

}  // namespace panoptes
