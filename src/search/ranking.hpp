// SPDX-License-Identifier: Apache-2.0
// How the successors of a state stand to each other, by what is preferred:
//   random   any, by a hash of the state: the same seed prefers the same
//   transit  successors with many messages in transit
//   scatter  receives before other steps before sends, then towards empty channels
//   cost     the least cost first
//   tags     options tagged [high] before untagged ones before [low] ones, within a process only:
//            between processes, nothing is more likely than anything else
// A selector keeps the first of them (choose.hpp), a random walk takes them more often (bias.hpp).
//
// Thread safety: everything may be called concurrently, each time with another scratch.
//
// G. J. Holzmann, Automated Protocol Validation in Argos (1987), section V; Algorithms for
// Automated Protocol Validation (1990), section 5.
#pragma once

#include <memory>
#include <vector>

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

class Ranking {
 public:
  // `cost` is for Preference::cost; the program outlives the ranking.
  Ranking(const Program& program, const Choice& choice, const CostExpression* cost);

  // Before sort() is asked of any of them: these are successors of states `depth` steps from the
  // start.
  void look_at(const SuccessorBatch& successors, std::uint64_t depth,
               SelectorScratch& scratch) const;

  // Puts the successors of `state`, which are those from `begin` to `end`, into
  // `scratch.candidates`: group by group, the best of each first.
  void sort(StateView state, const SuccessorBatch& successors, std::uint32_t begin,
            std::uint32_t end, SelectorScratch& scratch) const;

 private:
  // What a rule says before anything is known of the state: which group its successors compete in,
  // and how they stand there.
  struct Facts {
    std::uint32_t group;
    std::int32_t rank;
  };

  std::uint64_t seed_;
  bool is_random_;
  std::unique_ptr<StateCost> cost_;
  std::vector<Facts> facts_;  // by rule
};

}  // namespace panoptes
