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
// Several can look for it together: each has the same sample, divides some of the parts, and the
// best of what they found is that of all.
//
// Each level of the sample is made from the one before, and so what is wrong with one is more wrong
// with the next. Therefore of a level four thousand states are expanded, and no more than a
// thousand of these are what a division is judged by.
//
// Cost: some hundred thousand states are expanded, a tenth to a third of a second (bench/cluster
// prints it). With a quarter of them the busier of two ranks had 10 % more than its share of the
// levels of two_links, in the mean, in place of 2 %; with a thirtieth a sample dies out in the
// middle of some protocols.
//
// How it can be wrong: a state with many ways to it is in the sample more often than others, and a
// sample says little of states that are deeper; then more is sent, or ranks wait for each other,
// and that is all. To take states the more rarely the more ways to them the squares of two steps
// show was tried: wide_election was divided better, three_phase_commit worse.
#pragma once

#include <vector>

#include "base/deadline.hpp"
#include "cluster/ownership.hpp"
#include "rules/program.hpp"

namespace panoptes {

struct DivisionTask {
  std::vector<double> shares;  // of the ranks, of which there are several
  static constexpr std::uint64_t most_sample_bytes = std::uint64_t{128} << 20;
  std::uint64_t sample_bytes = most_sample_bytes;  // for the sample, about
  unsigned looker = 0, lookers = 1;                // which of those who look together
  Deadline deadline = {};                          // what is found by then is taken
};

struct ChosenDivision {
  Division division;
  double cost;  // as cost_of() has it
};

// The same for the same program and task, if there is time.
ChosenDivision choose_division(const Program& program, const DivisionTask& task);

}  // namespace panoptes
