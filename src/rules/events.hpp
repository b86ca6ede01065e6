// SPDX-License-Identifier: Apache-2.0
// Which rules are the events that temporal properties speak of.
#pragma once

#include "rules/program.hpp"

namespace panoptes {

// Whether this is what an atom waits for: a message is sent, be it lost on the way, or received,
// be it that a copy stays. A rendezvous is both.
bool is_event_of(const Program& program, const Rule& rule, const TemporalAtom& atom);

}  // namespace panoptes
