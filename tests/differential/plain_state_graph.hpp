// SPDX-License-Identifier: Apache-2.0
// The whole graph of a protocol as the plain checker finds it, with what formulas speak of.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "differential/plain_checker.hpp"
#include "differential/plain_temporal.hpp"

namespace panoptes::differential {

// What the atoms of a formula mean, by number: one is about states or about events.
struct PlainAtom {
  std::function<bool(const PlainProtocol&, const PlainState&)> holds = nullptr;
  std::function<bool(const PlainProtocol&, const PlainEvent&)> is_event = nullptr;
};

// That the invariant of this number, in the order of the text, is as it should be.
PlainAtom invariant_atom(std::size_t number);
// A send or receive, by its text: "c!m", "node[1]?m".
PlainAtom event_atom(const std::string& text);

struct PlainWholeGraph {
  PlainStateGraph graph;
  std::vector<std::string> processes;  // names, by number
  bool has_sequences = false;          // atomics of several steps, whose events are not told
};

// Nothing where there are more states than the limit.
std::optional<PlainWholeGraph> plain_state_graph(const argos::Model& model,
                                                 const SourceSet& sources,
                                                 const PlainOptions& options,
                                                 const std::vector<PlainAtom>& atoms);

}  // namespace panoptes::differential
