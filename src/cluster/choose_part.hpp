// SPDX-License-Identifier: Apache-2.0
// Who should own which state, for a search to be quick.
//
// Idea: where all of a state says who owns it, nearly every step leads to a state of another rank,
// and to send a state costs more than to find it. Where a part of it does, steps that leave the
// part as it is stay at home; and where values that steps lead between have the same owner, so do
// those. But all ranks wait for the one that has most of a level, so each should have its share of
// every level. Both is seen in a sample: some states of each of the first levels, with their steps.
// From it, pieces of the state (control states, variables or the upper bits of them, messages in
// channels) are put together, one after the other, those first that add many values for few steps.
// Each such part is divided among the ranks (divide_places.hpp), and the best of them is it.
// Cost: some thousand states are expanded. How it can be wrong: a sample says little of states that
// are deeper; then more is sent, or ranks wait for each other, and that is all.
#pragma once

#include <vector>

#include "cluster/ownership.hpp"
#include "rules/program.hpp"

namespace panoptes {

// The same for the same program and weights. REQUIRES: there are several ranks.
Division choose_division(const Program& program, const std::vector<double>& weights);

}  // namespace panoptes
