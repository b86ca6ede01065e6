// SPDX-License-Identifier: Apache-2.0
#include "search/product.hpp"

#include <algorithm>

namespace panoptes {

std::vector<Product::Node> Product::initial() const {
  std::vector<Node> result;
  for (const BuchiEdge& edge : automaton_.edges[automaton_.initial])
    if (edge.allows(graph_.atoms(0))) result.push_back(node(0, edge.target));
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

std::optional<Product::Edge> Product::next(Node from, Cursor& cursor) const {
  const std::uint64_t state = state_of(from);
  const auto& edges = automaton_.edges[from % automaton_.states()];
  for (; cursor.step < graph_.steps(state); ++cursor.step, cursor.edge = 0) {
    const RunGraph::Step step = graph_.step(state, cursor.step);
    const Valuation moment = graph_.atoms(step.target) | graph_.effect(step.effect).events;
    while (cursor.edge < edges.size()) {
      const BuchiEdge& edge = edges[cursor.edge++];
      if (edge.allows(moment)) return Edge{node(step.target, edge.target), edge.marks, cursor.step};
    }
  }
  return {};
}

}  // namespace panoptes
