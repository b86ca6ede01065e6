// SPDX-License-Identifier: Apache-2.0
// The product of a graph and an automaton: runs of the one that the other reads.
//
// A node is a state and a state of the automaton that has read all moments up to it, that one
// included. Nodes have numbers, whether or not they can be reached; edges are made when somebody
// asks.
//
// Cost: nothing is kept.
#pragma once

#include <vector>

#include "search/run_graph.hpp"
#include "temporal/buchi.hpp"

namespace panoptes {

class Product {
 public:
  using Node = std::uint64_t;
  // Where among the edges of a node one has come to.
  struct Cursor {
    std::uint64_t step = 0;
    std::uint32_t edge = 0;
  };
  struct Edge {
    Node target;
    std::uint32_t marks;
    std::uint64_t step;  // of the source's state
  };

  // Both outlive it.
  Product(const RunGraph& graph, const BuchiAutomaton& automaton)
      : graph_(graph), automaton_(automaton) {}

  std::uint64_t nodes() const { return graph_.states() * automaton_.states(); }
  std::uint64_t state_of(Node node) const { return node / automaton_.states(); }
  std::vector<Node> initial() const;
  // The edge at `cursor`, or the next one that there is, and goes past it; nothing behind the last.
  std::optional<Edge> next(Node node, Cursor& cursor) const;

  const RunGraph& graph() const { return graph_; }
  std::uint32_t all_marks() const { return automaton_.all_marks(); }

 private:
  Node node(std::uint64_t state, BuchiStateId at) const { return state * automaton_.states() + at; }

  const RunGraph& graph_;
  const BuchiAutomaton& automaton_;
};

// Calls `use` for every edge of a node, in order.
template <typename Use>
void for_each_edge(const Product& product, Product::Node node, Use use) {
  Product::Cursor cursor;
  while (const auto edge = product.next(node, cursor)) use(*edge);
}

}  // namespace panoptes
