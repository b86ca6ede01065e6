// SPDX-License-Identifier: Apache-2.0
// Searches for what arrives where.
//
// Idea: the search loop with a watcher that notes, of every state, what is first in each channel
// and whether its reader takes it. How it may be wrong is said by what it returns
// (verdict/arrivals.hpp): what was seen is reachable; what was not is not only where the search was
// exhaustive and no step failed.
//
// Thread safety: one call at a time; it starts as many workers as the options say, each of which
// notes for itself.
#pragma once

#include "search/check.hpp"
#include "verdict/arrivals.hpp"

namespace panoptes {

// Looks at every state that a breadth-first search with these options comes to. Which receptions
// are reported makes no difference: all are. Throws as check() does.
Arrivals find_arrivals(const Program& program, const CheckOptions& options);

}  // namespace panoptes
