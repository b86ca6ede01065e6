// SPDX-License-Identifier: Apache-2.0
// Behaviour assertions: from an automaton to a table of subsets.
#pragma once

#include "base/diagnostic.hpp"
#include "protocol/protocol.hpp"

namespace panoptes {

// Fills in next, accepts_end and initial from the assertion's automaton and scope. With
// `minimised`, subsets that no sequence of actions can tell apart become one.
void determinise(Assertion& assertion, bool minimised, Diagnostics& diagnostics);

}  // namespace panoptes
