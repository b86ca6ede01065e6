// SPDX-License-Identifier: Apache-2.0
// The product of a graph and an automaton: runs of the one that the other reads.
//
// A node is a state and a state of the automaton that has read all moments up to it, that one
// included. Nodes have numbers, whether or not they can be reached; edges are made when somebody
// asks.
//
// An accepted run stays in one component of the automaton in the end, so that only nodes of those
// that accept can be on its cycle. They are called relevant; an edge from one to another is inside
// if it stays in that component.
//
// Cost: nothing is kept.
#pragma once

#include <vector>

#include "search/run_graph.hpp"
#include "temporal/components.hpp"

namespace panoptes {

class Product {
 public:
  using Node = std::uint64_t;
  struct Edge {
    Node target;
    std::uint32_t marks;
    std::uint64_t step;  // of the source's state
    RunGraph::EffectId effect;
    bool is_inside;
  };

  // Both outlive it.
  Product(const RunGraph& graph, const BuchiAutomaton& automaton);

  std::uint64_t nodes() const { return graph_.states() * automaton_.states(); }
  std::uint64_t state_of(Node node) const { return node / automaton_.states(); }
  Node node(std::uint64_t state, BuchiStateId at) const { return state * automaton_.states() + at; }
  BuchiStateId automaton_state_of(Node node) const {
    return static_cast<BuchiStateId>(node % automaton_.states());
  }
  bool is_relevant(Node node) const { return is_relevant_[automaton_state_of(node)]; }
  // Whether the automaton can stay where it is, whatever it reads.
  bool can_stay(BuchiStateId at) const { return can_stay_[at]; }
  std::vector<Node> initial() const;

  // Calls use(edge) for every edge of a node, in order.
  template <typename Use>
  void for_each_edge(Node from, const Use& use) const {
    const std::uint64_t state = state_of(from);
    const BuchiStateId at = automaton_state_of(from);
    const auto& edges = edges_[at];
    graph_.for_each_step(state, [&](std::uint64_t number, const RunGraph::Step& step) {
      const Valuation moment = graph_.atoms(step.target) | graph_.events(step.effect);
      const Node first = node(step.target, 0);
      for (const ProductEdge& edge : edges)
        if (edge.allows(moment))
          use(Edge{first + edge.target, edge.marks, number, step.effect, edge.is_inside});
    });
  }

  const RunGraph& graph() const { return graph_; }
  std::uint32_t all_marks() const { return automaton_.all_marks(); }

 private:
  struct ProductEdge : BuchiEdge {
    bool is_inside;
  };

  const RunGraph& graph_;
  const BuchiAutomaton& automaton_;
  std::vector<std::vector<ProductEdge>> edges_;  // by state of the automaton, as all of these
  std::vector<bool> is_relevant_, can_stay_;
};

}  // namespace panoptes
