// SPDX-License-Identifier: Apache-2.0
// A trail without the steps that its error does not need.
//
// Idea: first what leads back to a state the trail has been in before, then what is concurrent with
// the error (causality.hpp), then whatever else can go: blocks of steps, half of the trail at first
// and single ones in the end, are left out where the rest still replays to the very same error.
//
// How it may be wrong: the result is no longer than before and replays, but need not be the
// shortest there is: steps that can only go together stay, unless they happen to be one block. A
// long trail is given up on after some hundred thousand steps of replay, and the trails behind it
// once the effort that all of them share is spent; they stay as they are. So does the way to a
// livelock, which is the shortest there is to its cycle anyway.
//
// Thread safety: one thread.
#pragma once

#include <functional>

#include "verdict/verdict.hpp"

namespace panoptes {

// What may be spent on all trails of a run together.
struct TrailEffort {
  std::size_t steps = 10'000'000;     // of replay that are left
  std::function<bool()> interrupted;  // may be empty
};

// Returns how many steps were left out of the trail of `error`, which is described anew by where it
// ends now: an error is the same in states in which channels and variables differ. REQUIRES: the
// trail is there.
std::size_t minimise_trail(const Program& program, ErrorReport& error, ReceptionPolicy receptions,
                           const SourceSet& sources, TrailEffort& effort);

}  // namespace panoptes
