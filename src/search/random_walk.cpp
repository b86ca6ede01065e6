// SPDX-License-Identifier: Apache-2.0
#include "search/random_walk.hpp"

#include <algorithm>

#include "base/random.hpp"

namespace panoptes {

void RandomWalkFrontier::start(StateView initial, StateStore&, GoOn go_on) {
  go_on_ = std::move(go_on);
  initial_.assign(initial.begin(), initial.end());
  no_sources_.width = width_;
}

void RandomWalkFrontier::begin_group(StateStore& store) {
  group_.resize(std::min(group_size_, walks_ - begun_));
  states_.clear(width_);
  for (RandomWalk& walk : group_) {
    std::uint64_t start = seed_;
    walk.random = next_random(start) ^ ++begun_;
    walk.rules.clear();
    states_.states.push_back(initial_);
    states_.rules.push_back(none);
    states_.close_state(0);
  }
  depth_ = 0;
  store.insert(states_, no_sources_);
}

bool RandomWalkFrontier::next(unsigned, StateBatch& batch, StateStore& store) {
  if (!go_on_()) return false;
  if (group_.empty()) begin_group(store);
  batch.width = width_;
  batch.words = states_.states.words;
  return !group_.empty();
}

std::size_t RandomWalkFrontier::choose(RandomWalk& walk, StateView state,
                                       const SuccessorBatch& successors, std::uint32_t begin,
                                       std::uint32_t end) {
  if (bias_) return bias_->choose(state, successors, begin, end, walk.random);
  return begin + (((next_random(walk.random) >> 32) * (end - begin)) >> 32);
}

void RandomWalkFrontier::admit(unsigned, const StateBatch& batch, SuccessorBatch& successors,
                               StateStore& store, bool deepest) {
  if (bias_) bias_->look_at(successors, depth_);
  states_.clear(width_);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < group_.size(); ++i) {
    const std::uint32_t begin = successors.first[i], end = successors.first[i + 1];
    if (begin == end || deepest) {
      sequences_.add(depth_ + 1);
      continue;
    }
    const std::size_t chosen = choose(group_[i], batch[i], successors, begin, end);
    group_[i].rules.push_back(successors.rules[chosen]);
    states_.states.push_back(successors.states[chosen]);
    states_.rules.push_back(successors.rules[chosen]);
    states_.close_state(0);
    if (kept != i) std::swap(group_[kept], group_[i]);
    ++kept;
  }
  group_.resize(kept);
  if (kept == 0) return;
  ++depth_;
  store.insert(states_, no_sources_);
}

std::uint64_t RandomWalkFrontier::mark(unsigned, std::size_t i) {
  marked_.push_back(group_[i].rules);
  return marked_.size() - 1;
}

std::uint64_t RandomWalkFrontier::bytes() const {
  std::uint64_t rules = 0;
  for (const RandomWalk& walk : group_) rules += walk.rules.capacity();
  return rules * sizeof(RuleId) + states_.states.words.capacity() * sizeof(Word);
}

}  // namespace panoptes
