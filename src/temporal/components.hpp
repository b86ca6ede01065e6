// SPDX-License-Identifier: Apache-2.0
// The strongly connected components of an automaton, and which of them accept.
//
// Tarjan, Depth-first search and linear graph algorithms (1972), without recursion.
#pragma once

#include <cstdint>
#include <vector>

#include "temporal/buchi.hpp"

namespace panoptes {

struct BuchiComponents {
  // By state. Edges lead to components of the same or of a smaller number; a state that is not
  // reached from the initial one has none.
  static constexpr std::uint32_t unreached = UINT32_MAX;
  std::vector<std::uint32_t> of;
  // By component.
  std::vector<bool> has_cycle;
  std::vector<bool> accepts;  // a run may stay in it for ever and be accepted

  bool is_inside(BuchiStateId source, const BuchiEdge& edge) const {
    return of[source] == of[edge.target];
  }
};

BuchiComponents components_of(const BuchiAutomaton& automaton);

}  // namespace panoptes
