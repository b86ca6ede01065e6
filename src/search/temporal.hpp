// SPDX-License-Identifier: Apache-2.0
// Temporal properties: what a kept graph says about runs without end.
//
// Idea: the negation of a property becomes an automaton that accepts the runs which violate it
// (temporal/translate.hpp). In the product of the graph and the automaton (product.hpp) such a run
// ends up in a component in which the automaton accepts (accepting_runs.hpp); where there is none,
// the property holds of all runs. What is found is replayed and evaluated once more
// (verdict/violations.hpp).
//
// How it can be wrong: on a graph that lacks transitions or states; then nobody should ask.
#pragma once

#include <optional>
#include <string>

#include "search/run_search.hpp"
#include "search/state_graph.hpp"
#include "store/numbered_store.hpp"
#include "verdict/violations.hpp"

namespace panoptes {

struct KeptGraph {
  const StateGraph& graph;                // complete and finished; orders may be left out
  const NumberedStore& store;             // has its states
  bool has_failures = false;              // some step of the search failed
  bool is_reduced = false;                // the way to a run may be longer than it need be
  std::uint64_t most_bytes = UINT64_MAX;  // that may be taken beside it
  unsigned threads = 1;                   // at most
};

// Of all properties that the program has. Nothing where a run does not replay or violates nothing,
// with the reason in `problem`; what takes too long or too much is unknown.
std::optional<Violations> find_violations(const Program& program, const KeptGraph& kept,
                                          const SourceSet& sources, std::string& problem,
                                          const Deadline& deadline = {});

// The same without a graph, on the fly (run_search.hpp): each property until one run violates it.
// `stepper` takes sequences as one step.
std::optional<Violations> follow_runs(const Program& program, Stepper& stepper,
                                      const RunSearch::Limits& limits, const SourceSet& sources,
                                      std::string& problem, const Deadline& deadline = {});

}  // namespace panoptes
