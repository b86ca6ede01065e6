// SPDX-License-Identifier: Apache-2.0
// Which states of an automaton can do whatever others do, edge by edge.
//
// Direct simulation, as a table of pairs: at first every state simulates every other, and pairs go
// until no more have to. Cost: pairs times edges of both, times the rounds.
#pragma once

#include <vector>

#include "temporal/buchi.hpp"

namespace panoptes {

class Simulation {
 public:
  explicit Simulation(const BuchiAutomaton& automaton);

  bool is_simulated(BuchiStateId state, BuchiStateId by) const { return by_[state][by]; }
  // A number for each state, from 0 on in order of first members: equal ones simulate each other.
  std::vector<BuchiStateId> classes() const;

  // What follows REQUIRES that no two states simulate each other, and holds for all edges of a
  // state. Leaves out those that another one does all for.
  void drop_lesser(std::vector<BuchiEdge>& edges) const;
  // Takes from an edge what another one does, where one atom tells the two apart.
  void narrow_lesser(std::vector<BuchiEdge>& edges) const;

 private:
  bool has_better(BuchiStateId state, const BuchiEdge& edge) const;
  bool leads_to_less(const BuchiEdge& edge, const BuchiEdge& than) const {
    return (edge.marks & ~than.marks) == 0 && by_[edge.target][than.target];
  }

  const BuchiAutomaton& automaton_;
  std::vector<std::vector<bool>> by_;
};

}  // namespace panoptes
