// SPDX-License-Identifier: Apache-2.0
// Behaviour assertions: from an automaton to a table of subsets.
#pragma once

#include "base/diagnostic.hpp"
#include "protocol/protocol.hpp"

namespace panoptes {

// Fills in next, accepts_end and initial from the assertion's automaton and scope. With
// `minimised`, subsets that no sequence of actions can tell apart become one. Takes as many of the
// subsets that are `left` as it makes; where there are too few, that is an error.
void determinise(Assertion& assertion, bool minimised, std::size_t& left, Diagnostics& diagnostics);

}  // namespace panoptes
