// SPDX-License-Identifier: Apache-2.0
#include "search/state_graph.hpp"

#include <algorithm>
#include <cassert>

namespace panoptes {

void StateGraph::transition(std::uint64_t source, RuleId rule, std::uint64_t target, bool) {
  assert(rule < max_rules && target >> (64 - rule_bits) == 0);
  if (runs_.empty() || runs_.back().source != source) {
    is_in_order_ = is_in_order_ && (runs_.empty() || runs_.back().source < source);
    runs_.push_back({source, links_.size()});
  }
  links_.push_back((target << rule_bits) | rule);
  last_state_ = std::max({last_state_, source, target});
}

std::uint64_t StateGraph::bytes() const {
  // A deque keeps blocks of 512 bytes, each with a pointer and what the allocator adds.
  const std::uint64_t listed = links_.size() * sizeof(std::uint64_t) + runs_.size() * sizeof(Run);
  return listed + listed / 16 + first_.capacity() * sizeof(std::uint64_t);
}

std::uint64_t StateGraph::growth_bytes() const {
  // The first links; marks, stacks and the way back of those who look for cycles.
  constexpr std::uint64_t bytes_per_state = 56;
  const std::uint64_t sorted = is_in_order_ ? 0 : links_.size() * sizeof(std::uint64_t);
  return (last_state_ + 1) * bytes_per_state + sorted + sorted / 16;
}

void StateGraph::finish(std::uint64_t states) {
  count_links(states);
  if (!is_in_order_) sort_links();
  runs_ = {};
}

// Afterwards first_ is as it should be.
void StateGraph::count_links(std::uint64_t states) {
  first_.assign(states + 1, 0);
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    const std::uint64_t end = i + 1 < runs_.size() ? runs_[i + 1].first_link : links_.size();
    first_[runs_[i].source + 1] += end - runs_[i].first_link;
  }
  for (std::uint64_t state = 0; state < states; ++state) first_[state + 1] += first_[state];
}

// The runs of a state come in rule order, so the links of a state stay in rule order too.
void StateGraph::sort_links() {
  std::deque<std::uint64_t> sorted(links_.size());
  std::vector<std::uint64_t> next(first_.begin(), first_.end() - 1);
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    const std::uint64_t end = i + 1 < runs_.size() ? runs_[i + 1].first_link : links_.size();
    for (std::uint64_t at = runs_[i].first_link; at < end; ++at)
      sorted[next[runs_[i].source]++] = links_[at];
  }
  links_ = std::move(sorted);
}

}  // namespace panoptes
