// SPDX-License-Identifier: Apache-2.0
// The partial-search disciplines: successors ordered by preference, and the first few kept.
//
// Idea: with R reachable states and room for A of them, a search that keeps the successors likely
// to lead to an error finds more than its share A / R. What is preferred:
//   random   any, by a hash of the state: the same seed chooses the same
//   transit  successors with many messages in transit
//   scatter  receives before other steps before sends, then towards empty channels
//   cost     the least cost first
//   tags     options tagged [high] before untagged ones before [low] ones, within a process only:
//            between processes, nothing is more likely than anything else
// Of each state, or of each process in it, the first `keep` are kept; with none dropped the search
// is as exhaustive as before, in another order. One of each process, receives preferred, restricts
// the branching to the number of processes; one of all gives a single run.
// Cost: sorting the successors of each state.
// How it can be wrong: what lies behind a dropped successor alone is not seen; the verdict says so.
//
// G. J. Holzmann, Automated Protocol Validation in Argos (1987), section V; Algorithms for
// Automated Protocol Validation (1990), section 5.
#pragma once

#include <memory>

#include "search/selector.hpp"
#include "search/state_cost.hpp"

namespace panoptes {

enum class Preference : std::uint8_t { as_written, random, transit, scatter, cost, tags };

struct Choice {
  Preference preference = Preference::as_written;
  std::uint64_t keep = 0;    // 0: all
  bool per_process = false;  // `keep` successors of each process, not of the state
  std::uint64_t seed = 0;
};

// Null where a preference is no cost. `cost` is for Preference::cost.
std::unique_ptr<StateCost> make_cost(const Program& program, Preference preference,
                                     const CostExpression* cost);

// Null where the choice changes nothing. `cost` is for Preference::cost; the program outlives the
// selector.
std::unique_ptr<Selector> make_selector(const Program& program, const Choice& choice,
                                        const CostExpression* cost);

}  // namespace panoptes
