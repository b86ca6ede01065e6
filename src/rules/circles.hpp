// SPDX-License-Identifier: Apache-2.0
// Rules such that every circle of the graph of states has a step of one of them.
//
// Idea: a run that comes back to a state brings every process back to its control state, every
// channel to its contents and every variable to its value. So it walks some automata round, all
// together in balance: a message that is sent is taken, one that is taken is sent, a variable that
// one rule only counts up another one must bring down. Rules that cannot be part of that are struck
// out, until only such are left as may go round together; of these, those of one process that close
// the circles of its automaton are chosen, which strikes out more, and so on. In a ring of
// processes that hand on messages, one process is enough; where all wait for one server, that one
// is.
//
// Which process comes next: the one without which the fewest rules are left. Which rules of it:
// those that the most others depend on, since leaving out orders of these is seldom possible
// anyway.
//
// How it can be wrong: more rules than needed may be chosen. The choice depends on the table of
// rules alone.
#pragma once

#include <cstdint>
#include <vector>

#include "rules/program.hpp"

namespace panoptes {

// By rule: whether it was chosen. Every circle also counts as broken by a rule of `broken`;
// `weights`: the greater, the sooner it is chosen.
std::vector<bool> circle_breakers(const Program& program, const std::vector<bool>& broken,
                                  const std::vector<std::uint32_t>& weights);

}  // namespace panoptes
