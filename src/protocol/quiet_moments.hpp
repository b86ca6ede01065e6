// SPDX-License-Identifier: Apache-2.0
// Formulas to which it makes no difference how many quiet moments a run has: such at which nothing
// happens, and at which everything is as it was a moment ago. Whoever leaves out orders of steps
// makes such moments come and go (search/reduce_order.hpp).
//
// Idea: what is so at a quiet moment that was put in is known of some formulas: the same as before,
// of what states say; no, of events; yes, of what is not one; the same as afterwards, of what waits
// for events. From what is known of its parts follows what is known of a formula, and whether it is
// at all other moments what it was. `[] (sent -> <> p)` is one of these. `[] (p -> <> sent)` is
// none: where p comes with the event itself, it asks for another one a quiet moment later.
//
// How it can be wrong: it says no of formulas of which it does not find out.
#pragma once

#include <string>

#include "protocol/protocol.hpp"

namespace panoptes {

// `events`: the atoms that hold at no quiet moment.
bool ignores_quiet_moments(const Formula& formula, Valuation events);

// Why a search that leaves out orders cannot tell whether all properties hold; "" where it can.
std::string why_orders_matter(const Protocol& protocol);

}  // namespace panoptes
