// SPDX-License-Identifier: Apache-2.0
#include "search/state_graph.hpp"

#include <algorithm>
#include <cassert>

namespace panoptes {

StateGraph::StateGraph(unsigned workers) {
  for (unsigned i = 0; i < std::max(1u, workers); ++i) lanes_.push_back(std::make_unique<Lane>());
}

void StateGraph::Lane::begin_run(std::uint64_t source) {
  if (!runs.empty() && runs.back().source == source) return;
  is_in_order = is_in_order && (runs.empty() || runs.back().source < source);
  runs.push_back({source, links.size()});
  last_state = std::max(last_state, source);
}

void StateGraph::Lane::add(RuleId rule, std::uint64_t target) {
  assert(rule < max_rules && target >> (64 - rule_bits) == 0);
  links.push_back((target << rule_bits) | rule);
  last_state = std::max(last_state, target);
}

void StateGraph::Lane::tell() {
  told_links.store(links.size(), std::memory_order_relaxed);
  told_runs.store(runs.size(), std::memory_order_relaxed);
  told_last.store(last_state, std::memory_order_relaxed);
}

void StateGraph::transition(std::uint64_t source, RuleId rule, std::uint64_t target, bool) {
  Lane& lane = *lanes_[0];
  lane.begin_run(source);
  lane.add(rule, target);
  lane.tell();
}

void StateGraph::transitions(unsigned worker, std::uint64_t source,
                             const SuccessorBatch& successors, std::size_t begin, std::size_t end) {
  if (begin == end) return;
  Lane& lane = *lanes_[worker];
  lane.begin_run(source);
  for (std::size_t s = begin; s < end; ++s) lane.add(successors.rules[s], successors.numbers[s]);
  lane.tell();
}

std::uint64_t StateGraph::links() const {
  std::uint64_t result = links_.size();
  for (const auto& lane : lanes_) result += lane->told_links.load(std::memory_order_relaxed);
  return result;
}

std::uint64_t StateGraph::bytes() const {
  // A deque keeps blocks of 512 bytes, each with a pointer and what the allocator adds.
  std::uint64_t listed = links() * sizeof(std::uint64_t);
  for (const auto& lane : lanes_)
    listed += lane->told_runs.load(std::memory_order_relaxed) * sizeof(Run);
  return listed + listed / 16 + first_.capacity() * sizeof(std::uint64_t);
}

std::uint64_t StateGraph::growth_bytes() const {
  // The first links; marks, stacks and the way back of those who look for cycles.
  constexpr std::uint64_t bytes_per_state = 56;
  std::uint64_t last_state = 0;
  for (const auto& lane : lanes_)
    last_state = std::max(last_state, lane->told_last.load(std::memory_order_relaxed));
  const std::uint64_t sorted = is_in_order() ? 0 : links() * sizeof(std::uint64_t);
  return (last_state + 1) * bytes_per_state + sorted + sorted / 16;
}

void StateGraph::finish(std::uint64_t states) {
  count_links(states);
  if (is_in_order())
    links_ = std::move(lanes_[0]->links);
  else
    sort_links();
  lanes_.clear();
}

// Afterwards first_ is as it should be.
void StateGraph::count_links(std::uint64_t states) {
  first_.assign(states + 1, 0);
  for (const auto& lane : lanes_)
    for (std::size_t i = 0; i < lane->runs.size(); ++i)
      first_[lane->runs[i].source + 1] += lane->end_of(i) - lane->runs[i].first_link;
  for (std::uint64_t state = 0; state < states; ++state) first_[state + 1] += first_[state];
}

// The runs of a state come in rule order, so the links of a state stay in rule order too.
void StateGraph::sort_links() {
  links_.resize(first_.back());
  std::vector<std::uint64_t> next(first_.begin(), first_.end() - 1);
  for (auto& lane : lanes_) {
    for (std::size_t i = 0; i < lane->runs.size(); ++i) {
      std::uint64_t& to = next[lane->runs[i].source];
      for (std::uint64_t at = lane->runs[i].first_link; at < lane->end_of(i); ++at)
        links_[to++] = lane->links[at];
    }
    lane.reset();
  }
}

}  // namespace panoptes
