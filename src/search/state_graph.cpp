// SPDX-License-Identifier: Apache-2.0
#include "search/state_graph.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

#include "search/in_parallel.hpp"
#include "step/interpreter.hpp"

namespace panoptes {

StateGraph::StateGraph(unsigned workers) {
  for (unsigned i = 0; i < std::max(1u, workers); ++i) lanes_.push_back(std::make_unique<Lane>());
}

// A graph that was cut off somewhere would be taken for a whole one.
std::uint64_t StateGraph::place_of(std::uint64_t first, std::uint64_t count) {
  if (first >> (64 - count_bits) != 0 || count >= max_links)
    throw InternalFault("a graph has more links than there are places for");
  return (first << count_bits) | count;
}

void StateGraph::Lane::begin_run(std::uint64_t source) {
  if (!runs.empty() && runs.back().source == source) return;
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
  is_told_singly_ = true;
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
  std::uint64_t result = link_count_;
  for (const auto& lane : lanes_) result += lane->told_links.load(std::memory_order_relaxed);
  return result;
}

std::uint64_t StateGraph::bytes() const {
  // A deque keeps blocks of 512 bytes, each with a pointer and what the allocator adds.
  std::uint64_t listed = links() * sizeof(std::uint64_t);
  for (const auto& lane : lanes_)
    listed += lane->told_runs.load(std::memory_order_relaxed) * sizeof(Run);
  return listed + listed / 16 + places_.bytes();
}

std::uint64_t StateGraph::growth_bytes() const {
  // The places of links; marks, stacks and the way back of those who look for cycles.
  constexpr std::uint64_t bytes_per_state = 56;
  std::uint64_t last_state = 0;
  for (const auto& lane : lanes_)
    last_state = std::max(last_state, lane->told_last.load(std::memory_order_relaxed));
  const std::uint64_t sorted = is_told_singly_ ? links() * sizeof(std::uint64_t) : 0;
  return (last_state + 1) * bytes_per_state + sorted + sorted / 16;
}

void StateGraph::finish(std::uint64_t states) {
  places_ = Pages(states * sizeof(std::uint64_t));
  const std::uint64_t count = links();
  if (keep_links())
    for (auto& lane : lanes_) links_.take(std::move(lane->links));
  else
    sort_links();
  link_count_ = count;
  lanes_.clear();
}

// Finds the places that links have where lanes are put one behind the other, a thread for each
// lane. False where some state has several runs.
bool StateGraph::keep_links() {
  std::vector<std::uint64_t> lane_places{0};
  for (const auto& lane : lanes_) lane_places.push_back(lane_places.back() + lane->links.room());
  std::atomic<bool> has_several{false};
  constexpr std::uint64_t few_links = std::uint64_t{1} << 16;
  const auto threads = static_cast<unsigned>(links() < few_links ? 1 : lanes_.size());
  for_each_in_parallel(threads, lanes_.size(), [&](std::uint64_t number) {
    const Lane& lane = *lanes_[number];
    for (std::size_t i = 0; i < lane.runs.size() && !has_several; ++i) {
      const auto [source, first] = lane.runs[i];
      const std::uint64_t place = place_of(lane_places[number] + first, lane.end_of(i) - first);
      const std::atomic_ref<std::uint64_t> its_place(places_.words()[source]);
      if (its_place.exchange(place, std::memory_order_relaxed) != 0) has_several = true;
    }
  });
  return !has_several;
}

// The runs of a state come in rule order, so the links of a state stay in rule order too.
void StateGraph::sort_links() {
  if (!is_told_singly_) throw InternalFault("the links of a state were told twice");
  places_ = Pages(states() * sizeof(std::uint64_t));
  std::uint64_t next = 0;
  const Lane& lane = *lanes_[0];  // who is told link by link has no other
  for (std::size_t i = 0; i < lane.runs.size(); ++i) {
    const auto [source, first] = lane.runs[i];
    places_.words()[source] = place_of(0, count(source) + lane.end_of(i) - first);
  }
  // Until here places are counts.
  for (std::uint64_t state = 0; state < states(); ++state)
    next += std::exchange(places_.words()[state], place_of(next, 0));
  links_.resize(next);
  for (std::size_t i = 0; i < lane.runs.size(); ++i) {
    const auto [source, first] = lane.runs[i];
    for (std::uint64_t at = first; at < lane.end_of(i); ++at, ++places_.words()[source])
      links_[end(source)] = lane.links[at];
  }
}

}  // namespace panoptes
