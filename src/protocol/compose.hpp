// SPDX-License-Identifier: Apache-2.0
// Putting assignments before or after a transition, as one step.
//
// Entering and leaving a procedure sets its parameters without being a step of its own, so those
// assignments become part of the step beside them. Since every expression of a transition reads the
// state before it, this is substitution.
//
// An element that is chosen by an expression in the one may be assigned to in the other: the result
// then asks whether it is the same.
//
// REQUIRES: a message is asked for by its place in no channel that the step changes: which one it
// is then, no expression can say.
#pragma once

#include "protocol/protocol.hpp"

namespace panoptes {

// `transition` as it is when `before` has just been assigned; the result assigns both.
Transition compose_before(const std::vector<Assignment>& before, Transition transition,
                          Protocol& protocol);

// `transition` followed by the assignments `after`.
Transition compose_after(Transition transition, const std::vector<Assignment>& after,
                         Protocol& protocol);

// `first` followed by `then`, both assignments alone.
std::vector<Assignment> compose(const std::vector<Assignment>& first,
                                const std::vector<Assignment>& then, Protocol& protocol);

// Where the index of a family has no value, no member is meant: the transition of the bad index
// says so, once, and behind its other conditions. REQUIRES: one condition chooses, or none.
void choose_once(Transition& transition, Expressions& pool);

// Sorts assignments of one step. Those that may be to one element keep their order: the last
// counts.
void put_in_order(std::vector<Assignment>& assignments, Expressions& pool);

}  // namespace panoptes
