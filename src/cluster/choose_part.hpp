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
// Several can look for it together: they have the same sample (level_sample.hpp), each divides some
// of the parts, and the best of what they found is that of all.
//
// How it can be wrong: as a sample is; then more is sent, or ranks wait for each other, and that is
// all.
#pragma once

#include "cluster/division_task.hpp"
#include "cluster/ownership.hpp"
#include "rules/program.hpp"

namespace panoptes {

struct ChosenDivision {
  Division division;
  double cost;  // as cost_of() has it
};

// The same for the same program and task, if there is time.
ChosenDivision choose_division(const Program& program, const DivisionTask& task);

}  // namespace panoptes
