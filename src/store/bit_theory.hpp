// SPDX-License-Identifier: Apache-2.0
// What a bit store should cover, before it runs.
//
// Idea: all lines are alike, so one is enough. The number of bits set in it is a Markov chain: each
// state draws k bits, each of which is new with the share of those not yet set. How many states
// fall into one line has a Poisson distribution. Nothing is measured and nothing is approximated
// but for that, so this is what to hold a store and its estimate to. Cost: k * 511 additions for
// every state that falls into one line, which is about one for each 512 bits an arena would need to
// give every state a bit.
#pragma once

#include <cstdint>

namespace panoptes {

// Which part of `states` different ones a BitStore of `bytes` takes for new when each is offered.
double predicted_coverage(std::uint64_t states, std::uint64_t bytes, unsigned bits_per_state);

}  // namespace panoptes
