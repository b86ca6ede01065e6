// SPDX-License-Identifier: Apache-2.0
#include "search/choose.hpp"

#include <algorithm>
#include <tuple>

#include "base/hash.hpp"
#include "search/compact.hpp"

namespace panoptes {
namespace {

using Candidate = SelectorScratch::Candidate;

class Chooser final : public Selector {
 public:
  Chooser(const Program& program, const Choice& choice, std::unique_ptr<StateCost> cost)
      : choice_(choice), seed_(hash_word(choice.seed + 1)), cost_(std::move(cost)) {
    const bool by_process = choice.per_process || choice.preference == Preference::tags;
    for (const Rule& rule : program.rules)
      facts_.push_back({by_process ? rule.process : 0, rank_of(rule)});
  }

  std::uint64_t select(const StateBatch& batch, SuccessorBatch& successors, std::uint64_t depth,
                       SelectorScratch& scratch) const override {
    if (cost_) cost_->of(successors.states, depth + 1, scratch.costs);
    return compact(successors, scratch, [&](std::size_t i, std::uint32_t begin, std::uint32_t end) {
      gather(batch[i], successors, begin, end, scratch);
      sort(scratch.candidates);
      if (choice_.keep > 0) drop(scratch.candidates);
    });
  }

 private:
  // What a rule says before anything is known of the state: which group its successors compete in,
  // and how they stand there.
  struct Facts {
    std::uint32_t group;
    std::int32_t rank;
  };

  std::int32_t rank_of(const Rule& rule) const {
    if (choice_.preference == Preference::tags) return -rule.likelihood;
    if (choice_.preference != Preference::scatter) return 0;
    if (rule.kind == ActionKind::receive) return 0;
    return rule.kind == ActionKind::send ? 2 : 1;
  }

  void gather(StateView state, const SuccessorBatch& successors, std::uint32_t begin,
              std::uint32_t end, SelectorScratch& scratch) const {
    const bool random = choice_.preference == Preference::random;
    const std::uint64_t start = random ? hash_state(state) ^ seed_ : 0;
    for (std::uint32_t s = begin; s < end; ++s) {
      const Facts& facts = facts_[successors.rules[s]];
      scratch.candidates.push_back({facts.group, facts.rank, cost_ ? scratch.costs[s] : 0,
                                    random ? hash_word(start + s - begin) : 0, s});
    }
  }

  static void sort(Buffer<Candidate>& candidates) {
    std::sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
      return std::tie(a.group, a.rank, a.cost, a.tie, a.index) <
             std::tie(b.group, b.rank, b.cost, b.tie, b.index);
    });
  }

  // Keeps the first of each group.
  void drop(Buffer<Candidate>& candidates) const {
    std::uint64_t place = 0;
    std::uint32_t group = 0;
    std::erase_if(candidates, [&](const Candidate& c) {
      place = c.group == group ? place + 1 : 1;
      group = c.group;
      return place > choice_.keep;
    });
  }

  Choice choice_;
  std::uint64_t seed_;
  std::unique_ptr<StateCost> cost_;
  std::vector<Facts> facts_;  // by rule
};

}  // namespace

std::unique_ptr<StateCost> make_cost(const Program& program, Preference preference,
                                     const CostExpression* cost) {
  switch (preference) {
    case Preference::transit: return transit_cost(program);
    case Preference::scatter: return scatter_cost(program);
    case Preference::cost: return cost ? expression_cost(program, *cost) : nullptr;
    default: return nullptr;
  }
}

std::unique_ptr<Selector> make_selector(const Program& program, const Choice& choice,
                                        const CostExpression* cost) {
  if (choice.preference == Preference::as_written && choice.keep == 0) return nullptr;
  return std::make_unique<Chooser>(program, choice, make_cost(program, choice.preference, cost));
}

}  // namespace panoptes
