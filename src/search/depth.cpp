// SPDX-License-Identifier: Apache-2.0
#include "search/depth.hpp"

namespace panoptes {

void DepthFrontier::start(StateView initial, StateStore& store, GoOn go_on) {
  go_on_ = std::move(go_on);
  store.insert_one(initial);
  initial_.assign(initial.begin(), initial.end());
  is_initial_ = true;
  waiting_ = 1;
}

// Takes the next successor of the innermost frame that is fresh; frames without any are left.
bool DepthFrontier::next(unsigned, StateBatch& batch, StateStore& store) {
  if (!go_on_()) return false;
  batch.width = width_;
  if (is_initial_) {
    is_initial_ = false;
    waiting_ = 0;
    batch.words = initial_;
    return true;
  }
  while (!frames_.empty()) {
    Frame& frame = frames_.back();
    if (frame.rules.empty()) {
      bytes_ -= frame.bytes();
      frames_.pop_back();
      if (!path_.empty()) path_.pop_back();
      continue;
    }
    candidate_.clear(width_);
    candidate_.states.push_back(frame.successors[frame.rules.size() - 1]);
    candidate_.rules.push_back(frame.rules.back());
    candidate_.close_state(0);
    frame.successors.words.resize(frame.successors.words.size() - width_);
    frame.rules.pop_back();
    --waiting_;
    store.insert(candidate_, {width_, {}});
    const bool fresh = candidate_.fresh[0] != 0;
    if (sink_) sink_->transition(frame.number, candidate_.rules[0], candidate_.numbers[0], fresh);
    if (!fresh) continue;
    if (sink_) number_ = candidate_.numbers[0];
    path_.push_back(candidate_.rules[0]);
    batch.words = candidate_.states.words;
    return true;
  }
  return false;
}

void DepthFrontier::admit(unsigned, const StateBatch&, SuccessorBatch& successors, StateStore&,
                          bool deepest) {
  Frame frame{number_, {width_, {}}, {}};
  if (!deepest)
    for (std::size_t i = successors.size(); i-- > 0;) {
      frame.successors.push_back(successors.states[i]);
      frame.rules.push_back(successors.rules[i]);
    }
  bytes_ += frame.bytes();
  waiting_ += frame.rules.size();
  frames_.push_back(std::move(frame));
}

std::uint64_t DepthFrontier::mark(unsigned, std::size_t) {
  marked_.push_back(path_);
  return marked_.size() - 1;
}

}  // namespace panoptes
