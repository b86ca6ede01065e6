// SPDX-License-Identifier: Apache-2.0
#include "search/best_first.hpp"

#include <algorithm>

namespace panoptes {

void BestFirstFrontier::start(StateView initial, StateStore& store, GoOn go_on) {
  store.insert_one(initial);
  go_on_ = std::move(go_on);
  parents_.push_back(0);
  rules_.push_back(none);
  push(0, 0, initial, 0);
}

void BestFirstFrontier::push(std::int64_t cost, std::uint64_t depth, StateView state,
                             std::uint64_t number) {
  Bucket& bucket = buckets_[cost];
  if (bucket.empty() || bucket.front().depth != depth ||
      bucket.front().numbers.size() == chunk_states_) {
    bucket.push_front({depth, {}, {}});
    bytes_ += bucket.front().bytes();
  }
  Chunk& chunk = bucket.front();
  bytes_ -= chunk.bytes();
  chunk.words.insert(chunk.words.end(), state.begin(), state.end());
  chunk.numbers.push_back(number);
  bytes_ += chunk.bytes();
  ++waiting_;
}

bool BestFirstFrontier::next(unsigned, StateBatch& batch, StateStore&) {
  if (buckets_.empty() || !go_on_()) return false;
  const auto cheapest = buckets_.begin();
  current_ = std::move(cheapest->second.front());
  cheapest->second.pop_front();
  if (cheapest->second.empty()) buckets_.erase(cheapest);
  bytes_ -= current_.bytes();
  waiting_ -= current_.numbers.size();
  batch.width = width_;
  batch.words = std::move(current_.words);
  return true;
}

void BestFirstFrontier::admit(unsigned, const StateBatch& batch, SuccessorBatch& successors,
                              StateStore& store, bool deepest) {
  if (deepest) return;
  store.insert(successors, batch);
  if (sink_) tell_sink(successors);
  fresh_.clear();
  const std::uint64_t first_number = parents_.size();
  for (std::size_t i = 0; i + 1 < successors.first.size(); ++i) {
    const std::size_t before = fresh_.size();
    for (std::size_t s = successors.first[i]; s < successors.first[i + 1]; ++s) {
      if (successors.fresh[s] == 0) continue;
      fresh_.push_back(successors.states[s]);
      parents_.push_back(current_.numbers[i]);
      rules_.push_back(successors.rules[s]);
    }
    if (fresh_.size() == before) sequences_.add(current_.depth + 1);
  }
  cost_.of(fresh_, current_.depth + 1, costs_);
  // The last one pushed is taken first: as they come, hence backwards.
  for (std::size_t i = fresh_.size(); i-- > 0;)
    push(costs_[i], current_.depth + 1, fresh_[i], first_number + i);
}

void BestFirstFrontier::tell_sink(const SuccessorBatch& successors) {
  for (std::size_t i = 0; i + 1 < successors.first.size(); ++i)
    sink_->transitions(0, current_.numbers[i], successors, successors.first[i],
                       successors.first[i + 1]);
}

std::optional<std::vector<RuleId>> BestFirstFrontier::path(std::uint64_t marked, const Deadline&) {
  std::vector<RuleId> rules;
  for (; marked != 0; marked = parents_[marked]) rules.push_back(rules_[marked]);
  std::reverse(rules.begin(), rules.end());
  return rules;
}

}  // namespace panoptes
