// SPDX-License-Identifier: Apache-2.0
// How much of everything have searches seen whose stores may be wrong?
//
// What one run alone can say of itself, that so many states were probably taken for others, is not
// it: nobody knows what lies behind those. Several runs with other hashes can say more, since what
// one has missed others may know. StateSample has what they know of one sample of all states.
//
// Idea: states that nobody has come to are estimated from those that one run or two have. Chao's
// estimator, once^2 / (2 twice), says how many there are at least, whatever the chances of the
// single states are; but where states hang behind each other like beads, chances are so different
// that there are several times as many. So there is a second estimate: between all runs but one and
// all of them, so many states that were known, and expanded by none, have been expanded, and so
// many more became known by that; if each of those that are left leads to as many, there are
// `linear` ones that nobody knows. That is often right and sometimes too much. What is taken is
// between the two, a third of the way from `linear` back to Chao's on a scale of logarithms, and
// never more than four times Chao's. By how much that differs if a run is left out (the jackknife)
// and with the luck of the sample tells how sure it is; the lower end of that is the answer.
//
// How it can be wrong: it is a bound that may fail one time in twenty. coverage_test.cpp holds it
// to that on six protocols, with three to sixteen runs in arenas in which one run sees from a few
// percent to nearly all states, and to at most ten points above the truth where more than half was
// seen. What lies behind a bottleneck that no run has passed leaves no trace in any of them; so
// random walks, which no store holds up, are made when the runs have ended. There are at least as
// many states as all of them have come to; and if many that walks come to are known to no run, what
// they have both missed can be told from what one of them has.
//
// Source: A. Chao, *Estimating the population size for capture-recapture data with unequal
// catchability* (1987).
#pragma once

#include <cstdint>
#include <optional>

#include "search/state_sample.hpp"
#include "verdict/verdict.hpp"

namespace panoptes {

// So many runs say something, and so many states in the sample.
constexpr unsigned least_runs_for_coverage = 3;
constexpr std::uint64_t least_states_for_coverage = 500;

// Of what the runs came to alone, the states that none of them came to. A point, not a bound.
double unknown_states(const Incidence& incidence, unsigned runs);

struct SampledRun {
  unsigned number = 0;
  std::uint64_t states = 0;  // that it has seen in all
};

// What `run` has seen of everything; nothing where there are too few runs or states to tell.
// REQUIRES: all runs ended by themselves.
std::optional<Coverage> estimate_coverage(const StateSample& sample, const SampledRun& run);

}  // namespace panoptes
