// SPDX-License-Identifier: Apache-2.0
// Internal actions are not interleaved with what others do: one order stands for all of them.
//
// Idea: a control state is *private* if all its transitions are internal, cannot fail, and touch
// only variables that no other process reads or writes, and no step of another process leads out of
// it. What its process does there and what the others do then commute: neither can enable, disable
// or change the other. So where a process is at a private control state and can move, only its own
// successors are kept.
//
// Why nothing is lost, for a process p at a private state s with a step t enabled, and any run w
// from there:
//   - A state in which nothing is enabled, hence every deadlock and every end: t stays enabled
//   until
//     p moves, so w moves p; its first step of p is enabled at s already and can be made first.
//     With timeouts only to resolve locks this holds too: while t is enabled no timeout is.
//   - A step of another process that fails (assertions, overflow, division by zero, an index), or
//   an
//     unspecified reception of it: what it looks at does not change when t is made before w. If w
//     moves p, its first step of p is made first; if not, t is.
//   - p itself: its steps at s cannot fail and belong to no assertion, and s receives nothing. Only
//     `--receptions any` looks at a process that does not receive: then a process that reads
//     channels has no private states.
// This could put off the others for ever, if the steps of private states went round in a circle
// (the cycle proviso). They do not: of every circle of private states in an automaton, one state is
// taken not to be private. A circle of the reduced graph would move some process round such a
// circle. The rule is static: any number of workers, any order and any store reduce alike.
//
// The states in between are not kept either: a step that leads to a private state is followed until
// its process is at another one, as an indivisible sequence is (step/indivisible.hpp). What is
// wrong in between is so before or behind it, too, by the same argument.
//
// Cost: a look at every successor. How it can be wrong: kinds and groups of errors stay the same;
// how often each is seen, the lengths of trails and the number of states do not. A livelock can be
// hidden.
// G. J. Holzmann, Automated Protocol Validation in Argos (1987), section V; P. Godefroid,
// Partial-Order Methods for the Verification of Concurrent Systems (1996), for persistent sets.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "rules/finding.hpp"
#include "rules/program.hpp"
#include "rules/symmetry.hpp"
#include "search/selector.hpp"

namespace panoptes {

// By process and control state: whether it is private, all circles broken.
std::vector<std::vector<bool>> private_states(const Program& program, ReceptionPolicy receptions);

// The program in which no step ends at a private state; nothing where none does anyway.
std::optional<Program> with_internal_steps_joined(const Program& program,
                                                  ReceptionPolicy receptions,
                                                  const Symmetry* symmetry = nullptr);

// Null where no process rests at a private control state. `symmetry`, which may be null: members
// that are alike are private at the same control states, so that going on with any of them leads
// away from private states, whatever the arrangement.
std::unique_ptr<Selector> make_internal_reduction(const Program& program,
                                                  ReceptionPolicy receptions,
                                                  const Symmetry* symmetry = nullptr);

}  // namespace panoptes
