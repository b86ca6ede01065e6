// SPDX-License-Identifier: Apache-2.0
// Büchi automata: which infinite words, as data.
//
// An automaton reads one position of a word with each edge that it takes, position 0 by an edge out
// of `initial`. Acceptance is generalised and lies on the edges: a run is accepted if of every mark
// it takes edges that have it infinitely often. A word is accepted if one of its runs is. An
// automaton is not deterministic: several edges of a state may allow the same position, or none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "protocol/formula.hpp"

namespace panoptes {

using BuchiStateId = std::uint32_t;

struct BuchiEdge {
  BuchiStateId target = 0;
  Valuation must_hold = 0;      // atoms, by bit
  Valuation must_not_hold = 0;  // others than those
  std::uint32_t marks = 0;      // by bit

  bool allows(Valuation position) const {
    return (position & must_hold) == must_hold && (position & must_not_hold) == 0;
  }
  friend bool operator==(const BuchiEdge&, const BuchiEdge&) = default;
  friend auto operator<=>(const BuchiEdge&, const BuchiEdge&) = default;
};

struct BuchiAutomaton {
  static constexpr std::uint32_t max_marks = 32;

  BuchiStateId initial = 0;
  std::uint32_t mark_count = 0;               // 0: every infinite run is accepted
  std::vector<std::vector<BuchiEdge>> edges;  // by state; there is at least one

  std::size_t states() const { return edges.size(); }
  std::uint32_t all_marks() const {
    return mark_count == 0 ? 0 : UINT32_MAX >> (max_marks - mark_count);
  }
  friend bool operator==(const BuchiAutomaton&, const BuchiAutomaton&) = default;
};

}  // namespace panoptes
