// SPDX-License-Identifier: Apache-2.0
// Which rules are visible: firing one may make something wrong with a state come or go that says
// nothing about who can move.
//
// Looked at are the rows of the table of errors that may hold while somebody moves:
//   - what must hold in every state, and what is asked for: a rule that changes what the predicate
//     mentions, of a process's control state only where its truth may change with it;
//   - atoms of temporal properties: the same, and rules that are one of their events;
//   - a process that is stuck on a message for ever. It stays so, whatever others do, unless they
//     change what says which channel it reads, or take that message: those rules are visible. What
//     the process does itself cannot matter, since it cannot do anything.
// Receptions under `reading` and `any` are not looked at.
#pragma once

#include <vector>

#include "rules/program.hpp"

namespace panoptes {

// By rule; that of a step through an indivisible sequence is as visible as all of it.
std::vector<bool> visible_rules(const Program& program);

}  // namespace panoptes
