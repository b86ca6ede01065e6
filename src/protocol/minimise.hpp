// SPDX-License-Identifier: Apache-2.0
// Minimisation under strong equivalence.
#pragma once

#include "protocol/protocol.hpp"

namespace panoptes {

// Merges states that no context can tell apart. Kept apart: the end, states where a process may
// stop, states with different labels, and assert(e) statements (each is an error of its own).
void minimise(Automaton& automaton);

}  // namespace panoptes
