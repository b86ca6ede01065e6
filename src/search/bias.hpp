// SPDX-License-Identifier: Apache-2.0
// What makes a random walk a biased one: chance decides, but with loaded dice.
//
// Idea: the successors of a state are sorted by a preference (ranking.hpp). Those that stand alike
// are a class, and one of a class is taken twice as often as one of the next. So whatever a cost is
// measured in, the best come up often and the others too: twelve classes down a successor is still
// taken once where the best is taken 4,096 times, and none is ever rarer than that. Tags say
// nothing about who moves: a process comes up as often as by fair dice, and they decide between its
// options.
// Cost: sorting the successors of each state.
// How it can be wrong: not more than a walk without it.
//
// Source: West's biased random walk and the guided search of Pageot and Jard, as G. J. Holzmann
// has them in Algorithms for Automated Protocol Validation (1990), sections 5.1 and 5.3.
#pragma once

#include <memory>

#include "search/ranking.hpp"

namespace panoptes {

// Thread safety: none.
class Bias {
 public:
  explicit Bias(Ranking ranking) : ranking_(std::move(ranking)) {}

  // Before choose() is asked about any of them: these are successors of states `depth` steps from
  // the start.
  void look_at(const SuccessorBatch& successors, std::uint64_t depth) {
    ranking_.look_at(successors, depth, scratch_);
  }

  // One of the successors of `state`, which are those from `begin` to `end`. `random` is the state
  // of a generator. REQUIRES: there is one.
  std::uint32_t choose(StateView state, const SuccessorBatch& successors, std::uint32_t begin,
                       std::uint32_t end, std::uint64_t& random);

 private:
  Ranking ranking_;
  SelectorScratch scratch_;
  Buffer<std::uint32_t> weights_;
};

// Null where the choice prefers nothing. `cost` is for Preference::cost; the program outlives the
// bias. `choice.keep` is not for walks.
std::unique_ptr<Bias> make_bias(const Program& program, const Choice& choice,
                                const CostExpression* cost);

}  // namespace panoptes
