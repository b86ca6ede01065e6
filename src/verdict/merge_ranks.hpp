// SPDX-License-Identifier: Apache-2.0
// What several ranks have seen of one search, as the evidence of one: their states are disjoint, so
// what was counted adds up, and whatever one of them has left out was left out by all together.
//
// How it can be wrong: how many states were known when the first error was found is what the rank
// that found it knew of its own; nobody asks the others at that moment.
#pragma once

#include "verdict/judge.hpp"

namespace panoptes {

void merge_ranks(Evidence& all, const Evidence& more);

}  // namespace panoptes
