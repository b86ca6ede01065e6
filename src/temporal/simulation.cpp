// SPDX-License-Identifier: Apache-2.0
#include "temporal/simulation.hpp"

#include <algorithm>
#include <bit>

namespace panoptes {
namespace {

bool allows_no_more(const BuchiEdge& edge, const BuchiEdge& than) {
  return (than.must_hold & ~edge.must_hold) == 0 && (than.must_not_hold & ~edge.must_not_hold) == 0;
}

}  // namespace

Simulation::Simulation(const BuchiAutomaton& automaton)
    : automaton_(automaton), by_(automaton.states(), std::vector<bool>(automaton.states(), true)) {
  for (bool changes = true; changes;) {
    changes = false;
    for (BuchiStateId state = 0; state < automaton.states(); ++state) {
      for (BuchiStateId by = 0; by < automaton.states(); ++by) {
        if (!by_[state][by] || state == by) continue;
        const std::vector<BuchiEdge>& edges = automaton.edges[state];
        by_[state][by] = std::all_of(edges.begin(), edges.end(),
                                     [&](const BuchiEdge& edge) { return has_better(by, edge); });
        changes |= !by_[state][by];
      }
    }
  }
}

bool Simulation::has_better(BuchiStateId state, const BuchiEdge& edge) const {
  const std::vector<BuchiEdge>& edges = automaton_.edges[state];
  return std::any_of(edges.begin(), edges.end(), [&](const BuchiEdge& other) {
    return allows_no_more(edge, other) && leads_to_less(edge, other);
  });
}

std::vector<BuchiStateId> Simulation::classes() const {
  std::vector<BuchiStateId> classes;
  BuchiStateId count = 0;
  for (BuchiStateId state = 0; state < by_.size(); ++state) {
    BuchiStateId first = 0;
    while (first < state && !(by_[state][first] && by_[first][state])) ++first;
    classes.push_back(first < state ? classes[first] : count++);
  }
  return classes;
}

void Simulation::drop_lesser(std::vector<BuchiEdge>& edges) const {
  std::vector<BuchiEdge> best;
  for (const BuchiEdge& edge : edges) {
    const bool is_lesser = std::any_of(edges.begin(), edges.end(), [&](const BuchiEdge& other) {
      return other != edge && allows_no_more(edge, other) && leads_to_less(edge, other);
    });
    if (!is_lesser) best.push_back(edge);
  }
  edges = std::move(best);
}

void Simulation::narrow_lesser(std::vector<BuchiEdge>& edges) const {
  for (BuchiEdge& edge : edges) {
    for (const BuchiEdge& other : edges) {
      if (&other == &edge || !leads_to_less(edge, other)) continue;
      if ((edge.must_hold & other.must_not_hold) != 0) continue;
      if ((edge.must_not_hold & other.must_hold) != 0) continue;
      const Valuation more = other.must_hold & ~edge.must_hold;
      const Valuation less = other.must_not_hold & ~edge.must_not_hold;
      if (std::popcount(more) + std::popcount(less) != 1) continue;
      edge.must_not_hold |= more;
      edge.must_hold |= less;
    }
  }
}

}  // namespace panoptes
