// SPDX-License-Identifier: Apache-2.0
// Removal of transit states.
#pragma once

#include "base/diagnostic.hpp"
#include "protocol/raw_automaton.hpp"

namespace panoptes {

// The automaton of `raw` without transit states and without unreachable ones (the end is kept).
// Statements that can never be reached are warned about; `reached` collects those that can, since a
// procedure or a family's body is reached if any of its copies is.
Automaton remove_transit_states(RawAutomaton raw, Protocol& protocol, const SourceSet& sources);

// Places of statements that control can never get to, first of each run of them only.
struct Reachability {
  std::vector<Place> reached;
  std::vector<Place> unreached;
};
void collect_reachability(const RawAutomaton& raw, Reachability& into);

}  // namespace panoptes
