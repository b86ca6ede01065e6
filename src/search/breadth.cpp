// SPDX-License-Identifier: Apache-2.0
#include "search/breadth.hpp"

#include <algorithm>

namespace panoptes {

BreadthFrontier::BreadthFrontier(Stepper& stepper, GraphSink* sink)
    : stepper_(stepper), sink_(sink), width_(stepper.program().layout.words) {}

void BreadthFrontier::push(StateView state) {
  if (chunks_.empty() || chunks_.back().size() == batch_states) {
    chunks_.emplace_back();
    chunks_.back().width = width_;
    chunks_.back().words.reserve(batch_states * width_);
  }
  chunks_.back().push_back(state);
  ++waiting_;
}

void BreadthFrontier::start(StateView initial, StateStore& store) {
  store.insert_one(initial);
  push(initial);
  left_in_level_ = 1;
}

// A batch never crosses a level; a chunk may, and is then handed out in two parts.
bool BreadthFrontier::next(StateBatch& batch, StateStore&) {
  if (waiting_ == 0) return false;
  if (left_in_level_ == 0) {
    left_in_level_ = waiting_;
    ++depth_;
  }
  StateBatch& chunk = chunks_.front();
  const std::size_t count = std::min<std::uint64_t>(chunk.size(), left_in_level_);
  const auto cut = chunk.words.begin() + static_cast<std::ptrdiff_t>(count * width_);
  batch.width = width_;
  batch.words.assign(chunk.words.begin(), cut);
  if (count == chunk.size())
    chunks_.pop_front();
  else
    chunk.words.erase(chunk.words.begin(), cut);
  waiting_ -= count;
  left_in_level_ -= count;
  first_of_batch_ = expanded_;
  expanded_ += count;
  return true;
}

void BreadthFrontier::admit(SuccessorBatch& successors, StateStore& store, bool deepest) {
  if (deepest)
    successors.fresh.assign(successors.size(), 0);
  else
    store.insert(successors);
  for (std::size_t i = 0; i + 1 < successors.first.size(); ++i)
    log_.append({successors.fresh.data() + successors.first[i],
                 successors.first[i + 1] - successors.first[i]});
  for (std::size_t i = 0; i < successors.size(); ++i)
    if (successors.fresh[i] != 0) push(successors.states[i]);
  if (!sink_ || deepest) return;
  for (std::size_t i = 0; i + 1 < successors.first.size(); ++i)
    for (std::size_t s = successors.first[i]; s < successors.first[i + 1]; ++s)
      sink_->transition(first_of_batch_ + i, successors.rules[s], successors.numbers[s],
                        successors.fresh[s] != 0);
}

std::vector<RuleId> BreadthFrontier::path(std::uint64_t marked) {
  std::vector<std::uint32_t> choices;
  for (std::uint64_t number = marked; number != 0;) {
    const TrailLog::Origin origin = log_.origin(number);
    choices.push_back(origin.successor);
    number = origin.expansion;
  }
  std::reverse(choices.begin(), choices.end());
  std::vector<RuleId> rules;
  StateBatch state{width_, stepper_.program().initial};
  SuccessorBatch successors;
  std::vector<Finding> findings;
  for (const std::uint32_t choice : choices) {
    findings.clear();
    stepper_.expand(state, successors, findings);
    rules.push_back(successors.rules[choice]);
    const StateView next = successors.states[choice];
    state.words.assign(next.begin(), next.end());
  }
  return rules;
}

std::uint64_t BreadthFrontier::bytes() const {
  return chunks_.size() * batch_states * width_ * sizeof(Word);
}

}  // namespace panoptes
