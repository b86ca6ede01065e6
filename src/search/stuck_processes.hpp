// SPDX-License-Identifier: Apache-2.0
// Stuck processes: what a kept graph says about those that can never move again while others can.
//
// A process is stuck in a state if it is not where it may stop, and from that state on, whatever
// the others do, no step moves it. It is told of the first such state, for each process and each
// place where it is left.
//
// Not where something else explains it. Behind a state in which nobody can move the process is part
// of that deadlock; where a message that nobody takes keeps it, that reception is an error for
// itself; where the others can come to do nothing but internal steps for ever, that livelock is the
// error; and where a step can fail, nobody knows what would be behind it. Any of these that can be
// reached from a state explains it there. What is left is a process that others have forgotten:
// they go on for ever, send and receive, and look as if all were well.
//
// Idea: of every state the set of processes that move, or are excused, behind it; strong components
// come out with those behind first, and all states of one have the same set, so one pass is enough.
// Cost: a bit for each process and state, and a look at every state.
//
// How it can be wrong: on a graph that lacks transitions or states; then nobody should ask. Of what
// happens inside of indivisible sequences only the first step is in the graph; where another
// process may move in the rest, by a rendezvous, the state is expanded once more.
#pragma once

#include <optional>
#include <vector>

#include "base/deadline.hpp"
#include "search/finding_watcher.hpp"
#include "search/state_graph.hpp"
#include "store/numbered_store.hpp"
#include "verdict/error_log.hpp"
#include "verdict/livelocks.hpp"

namespace panoptes {

struct StuckProcess {
  ProcessId process = 0;
  StateId at = 0;                // where it is left
  std::uint64_t states = 0;      // in which it is so
  std::uint64_t nearest = 0;     // of them, one that the fewest steps lead to
  std::vector<RuleId> way = {};  // those steps; of an indivisible sequence, the first of it
};

// In the order of processes and control states. `findings`: all receptions and steps that fail;
// `is_explained`, by state: everybody is excused there, as in a livelock. Nothing where it takes
// too long. REQUIRES: `graph` is complete and finished; `store` has its states.
std::optional<std::vector<StuckProcess>> find_stuck_processes(
    const Program& program, const StateGraph& graph, const NumberedStore& store,
    const std::vector<NumberedFinding>& findings, const std::vector<bool>& is_explained,
    const Deadline& deadline = {});

// The same as errors, added to those of `found`, whose livelocks explain them. `errors` has what
// the search has found. False where a trail does not replay, with the reason in `problem`; where it
// takes too long, the graph is not said to be complete.
bool add_stuck_processes(const Program& program, const StateGraph& graph,
                         const NumberedStore& store, const ErrorLog& errors,
                         ReceptionPolicy receptions, Livelocks& found, std::string& problem,
                         const Deadline& deadline = {});

}  // namespace panoptes
