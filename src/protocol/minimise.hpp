// SPDX-License-Identifier: Apache-2.0
// Minimisation under strong equivalence.
#pragma once

#include <set>
#include <string>

#include "protocol/protocol.hpp"

namespace panoptes {

// The names of control states that somebody wants to see by themselves: an expression, a
// breakpoint or the user names them. Labels that begin with `end`, `progress` or `accept` say
// something about a protocol and are asked for by whoever wrote them.
struct AskedNames {
  bool all_labels = false;
  std::set<std::string> names;  // labels, or line:column of states without one

  bool contains_label(const std::string& label) const;
};

// Merges states that no context can tell apart; what they were called is not lost (`labels`,
// `name`, `merged`). Kept apart: the end, states where a process may stop, states with names that
// are asked for, and assert(e) statements (each is an error of its own). REQUIRES: not minimised
// yet.
void minimise(Automaton& automaton, const AskedNames& asked = {});

}  // namespace panoptes
