// SPDX-License-Identifier: Apache-2.0
// What ended a search and what it has left out, as whoever ran it saw it; and what follows from
// that: the reason to be told, and what may be claimed.
#pragma once

#include "verdict/verdict.hpp"

namespace panoptes {

// One that ended because there was nothing left is what it is from the beginning.
struct Ending {
  Stop told = Stop::finished;                   // why it was told to end, if it was
  bool had_enough = false;                      // one error was wanted and is there
  bool has_waiting = false;                     // states that are known and were not expanded
  bool has_lost_states = false;                 // taken, but their successors not recorded
  bool is_cut_off = false;                      // by a depth limit
  std::uint64_t dropped = 0;                    // states, for want of memory
  std::uint64_t deselected = 0;                 // successors left out, at the price of the promise
  std::uint64_t unexpanded = 0;                 // states with an error and with successors ...
  std::uint64_t unexpanded_depth = UINT64_MAX;  // ... and where the first of them was
  std::uint64_t left_out = 0;  // steps that a selector has left out, at whatever price
  bool is_sample = false;   // walks, which end when all were made or at their depth bound; neither
                            // tells anything about the rest
  bool is_folded = false;   // states that differ were taken for one
  bool is_reduced = false;  // steps were left out that need not be seen
};

Stop stop_of(const Ending& ending);

struct Conclusion {
  Stop stop = Stop::finished;
  Promise promise = Promise::partial;
};
// What may be said of a search that ended so, on a store that may be wrong so.
Conclusion conclusion_of(const Ending& ending, const StorePromise& store);
// The same where all that is left of it is the reason.
Conclusion conclusion_of(Stop stop, const StorePromise& store);

// Whether the shortest trail to this depth that it has found is the shortest there is, if it was
// breadth first: of what was left out a part may have been shorter, and nothing is known of ways
// through states that were not expanded.
bool has_all_to(std::uint64_t depth, const Ending& ending, const StorePromise& store);

// Whether nothing but its own store has kept a search from seeing everything.
bool ended_by_itself(Stop stop);

}  // namespace panoptes
