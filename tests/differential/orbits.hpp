// SPDX-License-Identifier: Apache-2.0
// Symmetry against brute force: all reachable states, and all arrangements of each.
#pragma once

#include <cstdint>
#include <string>

#include "rules/symmetry.hpp"

namespace panoptes::differential {

struct Orbits {
  std::uint64_t states = 0;    // reachable
  std::uint64_t orbits = 0;    // sets of states that are arrangements of each other
  std::uint64_t arranged = 0;  // states that stand for them
  std::string complaint = {};  // what is wrong with the symmetry; "" where nothing is
  bool is_too_large = false;
};

// Looks at every reachable state, if there are at most `most_states`: every arrangement of it must
// be reachable, with arranged successors and as many errors; and the state that stands for it must
// be one of them.
Orbits count_orbits(const Program& program, const Symmetry& symmetry, std::uint64_t most_states);

// The number of orbits alone, for more states and members: states that neighbours exchanged turn
// into each other are counted once. Rings are not looked at.
std::uint64_t count_by_neighbours(const Program& program, const Symmetry& symmetry);

}  // namespace panoptes::differential
