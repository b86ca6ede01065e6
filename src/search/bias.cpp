// SPDX-License-Identifier: Apache-2.0
#include "search/bias.hpp"

#include <algorithm>

#include "base/hash.hpp"
#include "base/random.hpp"

namespace panoptes {
namespace {

using Candidate = SelectorScratch::Candidate;

// Fills in how often each is taken, best first, and gives the sum.
std::uint64_t weigh(std::span<const Candidate> candidates, Buffer<std::uint32_t>& weights) {
  constexpr std::uint32_t most = 1u << 12;
  std::uint64_t sum = 0;
  std::uint32_t weight = most;
  weights.clear();
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const bool is_alike = i == 0 || (candidates[i].rank == candidates[i - 1].rank &&
                                     candidates[i].cost == candidates[i - 1].cost);
    if (!is_alike) weight = std::max(1u, weight / 2);
    weights.push_back(weight);
    sum += weight;
  }
  return sum;
}

}  // namespace

std::uint32_t Bias::choose(StateView state, const SuccessorBatch& successors, std::uint32_t begin,
                           std::uint32_t end, std::uint64_t& random) {
  ranking_.sort(state, successors, begin, end, scratch_);
  const Buffer<Candidate>& all = scratch_.candidates;
  const std::uint32_t group = all[place_of(next_random(random), all.size())].group;
  const auto [first, last] =
      std::equal_range(all.begin(), all.end(), Candidate{group, 0, 0, 0, 0},
                       [](const Candidate& a, const Candidate& b) { return a.group < b.group; });
  const std::span<const Candidate> those(first, last);
  std::uint64_t left = place_of(next_random(random), weigh(those, weights_));
  std::size_t i = 0;
  for (; left >= weights_[i]; ++i) left -= weights_[i];
  return those[i].index;
}

std::unique_ptr<Bias> make_bias(const Program& program, const Choice& choice,
                                const CostExpression* cost) {
  if (choice.preference == Preference::as_written || choice.preference == Preference::random)
    return nullptr;
  return std::make_unique<Bias>(Ranking(program, choice, cost));
}

}  // namespace panoptes
