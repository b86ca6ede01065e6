// SPDX-License-Identifier: Apache-2.0
#include "search/product.hpp"

#include <algorithm>

namespace panoptes {

Product::Product(const RunGraph& graph, const BuchiAutomaton& automaton)
    : graph_(graph), automaton_(automaton), edges_(automaton.states()) {
  const BuchiComponents components = components_of(automaton);
  for (BuchiStateId at = 0; at < automaton.states(); ++at) {
    const std::uint32_t component = components.of[at];
    const bool is_relevant =
        component != BuchiComponents::unreached && components.accepts[component];
    is_relevant_.push_back(is_relevant);
    can_stay_.push_back(std::ranges::any_of(automaton.edges[at], [&](const BuchiEdge& edge) {
      return edge.target == at && edge.must_hold == 0 && edge.must_not_hold == 0;
    }));
    for (const BuchiEdge& edge : automaton.edges[at])
      edges_[at].push_back({edge, is_relevant && components.is_inside(at, edge)});
  }
}

std::vector<Product::Node> Product::initial() const {
  std::vector<Node> result;
  for (const BuchiEdge& edge : automaton_.edges[automaton_.initial])
    if (edge.allows(graph_.atoms(0))) result.push_back(node(0, edge.target));
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

}  // namespace panoptes
