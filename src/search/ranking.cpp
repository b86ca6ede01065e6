// SPDX-License-Identifier: Apache-2.0
#include "search/ranking.hpp"

#include <algorithm>
#include <tuple>

#include "base/hash.hpp"

namespace panoptes {
namespace {

std::int32_t rank_of(const Rule& rule, Preference preference) {
  if (preference == Preference::tags) return -rule.likelihood;
  if (preference != Preference::scatter) return 0;
  if (rule.kind == ActionKind::receive) return 0;
  return rule.kind == ActionKind::send ? 2 : 1;
}

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

Ranking::Ranking(const Program& program, const Choice& choice, const CostExpression* cost)
    : seed_(hash_word(choice.seed + 1)),
      is_random_(choice.preference == Preference::random),
      cost_(make_cost(program, choice.preference, cost)) {
  const bool by_process = choice.per_process || choice.preference == Preference::tags;
  for (const Rule& rule : program.rules)
    facts_.push_back({by_process ? rule.owner().process : 0, rank_of(rule, choice.preference)});
}

void Ranking::look_at(const SuccessorBatch& successors, std::uint64_t depth,
                      SelectorScratch& scratch) const {
  if (cost_) cost_->of(successors.states, depth + 1, scratch.costs);
}

void Ranking::sort(StateView state, const SuccessorBatch& successors, std::uint32_t begin,
                   std::uint32_t end, SelectorScratch& scratch) const {
  using Candidate = SelectorScratch::Candidate;
  Buffer<Candidate>& candidates = scratch.candidates;
  candidates.clear();
  const std::uint64_t start = is_random_ ? hash_state(state) ^ seed_ : 0;
  for (std::uint32_t s = begin; s < end; ++s) {
    const Facts& facts = facts_[successors.rules[s]];
    candidates.push_back({facts.group, facts.rank, cost_ ? scratch.costs[s] : 0,
                          is_random_ ? hash_word(start + s - begin) : 0, s});
  }
  std::sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
    return std::tie(a.group, a.rank, a.cost, a.tie, a.index) <
           std::tie(b.group, b.rank, b.cost, b.tie, b.index);
  });
}

}  // namespace panoptes
