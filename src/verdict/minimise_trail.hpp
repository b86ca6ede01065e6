// SPDX-License-Identifier: Apache-2.0
// A trail without the steps that its error does not need.
//
// Idea: first what leads back to a state the trail has been in before, then what is concurrent with
// the error (causality.hpp), then whatever else can go: blocks of steps, half of the trail at first
// and single ones in the end, are left out where the rest still replays to the very same error.
//
// How it may be wrong: the result is no longer than before and replays, but need not be the
// shortest there is: where the next block cannot be left out alone, none is. A long trail is
// given up on after some hundred thousand steps of replay.
#pragma once

#include "verdict/verdict.hpp"

namespace panoptes {

// Returns how many steps were left out of the trail of `error`. REQUIRES: the trail is there.
std::size_t minimise_trail(const Program& program, ErrorReport& error, ReceptionPolicy receptions);

}  // namespace panoptes
