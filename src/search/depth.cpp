// SPDX-License-Identifier: Apache-2.0
#include "search/depth.hpp"

#include <algorithm>

namespace panoptes {
namespace {

// Most states that come up are known, and the one below them on the stack comes up next: it is
// fetched from memory this many states ahead.
constexpr std::size_t lookahead = 4;

}  // namespace

void DepthFrontier::prepare(GoOn go_on) {
  go_on_ = std::move(go_on);
  no_sources_.width = width_;
  candidate_.clear(width_);
  candidate_.states.words.resize(width_);
  candidate_.rules.push_back(none);
  candidate_.close_state(0);
}

void DepthFrontier::start(StateView initial, StateStore& store, GoOn go_on) {
  prepare(std::move(go_on));
  candidate_.states.assign(initial);
  store.insert(candidate_, no_sources_);
  is_initial_ = true;
}

void DepthFrontier::start_below(bool is_alone, GoOn go_on) {
  is_below_ = true;
  is_alone_ = is_alone;
  prepare(std::move(go_on));
}

void DepthFrontier::branch(const SuccessorBatch& successors, std::uint64_t first_mark,
                           std::uint64_t depth) {
  for (std::size_t i = successors.first.size() - 1; i-- > 0;) {
    const std::uint32_t count = successors.first[i + 1] - successors.first[i];
    if (!has_room(count)) {
      dropped_ += count;
      continue;
    }
    for (std::size_t s = successors.first[i + 1]; s-- > successors.first[i];)
      waiting_.push(successors.states[s], successors.rules[s]);
    roots_.push_back({first_mark + i, depth, count});
  }
}

bool DepthFrontier::take_root() {
  if (roots_.empty()) return false;
  root_ = roots_.back().mark;
  root_depth_ = roots_.back().depth;
  left_.push_back(roots_.back().successors);
  roots_.pop_back();
  is_end_ = true;
  return true;
}

void DepthFrontier::enter(StateView state, StateBatch& batch) {
  batch.width = width_;
  batch.assign(state);
}

// Takes the next successor of the innermost state of the path that is fresh; states without any are
// left.
bool DepthFrontier::next(unsigned, StateBatch& batch, StateStore& store) {
  if (!go_on_()) return false;
  if (is_initial_) {
    is_initial_ = false;
    enter(candidate_.states[0], batch);
    return true;
  }
  while (!left_.empty() || take_root()) {
    if (left_.back() == 0) {
      if (is_end_) sequences_.add(root_depth_ + left_.size());
      is_end_ = false;
      left_.pop_back();
      if (sink_) numbers_.pop_back();
      if (!path_.empty()) path_.pop_back();
      if (!is_below_) store.leave();
      continue;
    }
    --left_.back();
    const RuleId rule = waiting_.rule();
    candidate_.states.assign(waiting_.state(0));
    candidate_.rules[0] = rule;
    waiting_.pop();
    if (is_alone_ && waiting_.size() >= lookahead) store.expect(waiting_.state(lookahead - 1));
    store.insert(candidate_, no_sources_);
    const bool fresh = candidate_.fresh[0] != 0;
    if (sink_) sink_->transition(numbers_.back(), rule, candidate_.numbers[0], fresh);
    if (!fresh) continue;
    if (sink_) number_ = candidate_.numbers[0];
    path_.push_back(rule);
    enter(candidate_.states[0], batch);
    return true;
  }
  return false;
}

bool DepthFrontier::has_room(std::size_t successors) const {
  return bytes() - waiting_.bytes() + waiting_.bytes(successors) <= most_bytes_;
}

void DepthFrontier::admit(unsigned, const StateBatch&, SuccessorBatch& successors,
                          StateStore& store, bool deepest) {
  std::size_t count = deepest ? 0 : successors.size();
  if (!has_room(count)) {
    dropped_ += count;
    count = 0;
  }
  for (std::size_t i = count; i-- > 0;) {
    if (is_alone_ && i < lookahead) store.expect(successors.states[i]);
    waiting_.push(successors.states[i], successors.rules[i]);
  }
  left_.push_back(static_cast<std::uint32_t>(count));
  is_end_ = true;
  if (sink_) numbers_.push_back(number_);
}

std::uint64_t DepthFrontier::mark(unsigned, std::size_t) {
  marked_.push_back({root_, path_});
  return marked_.size() - 1;
}

// What grows is there twice for a moment.
std::uint64_t DepthFrontier::bytes() const {
  return waiting_.bytes() + 2 * (left_.capacity() + path_.capacity()) * sizeof(RuleId) +
         2 * numbers_.capacity() * sizeof(std::uint64_t) + roots_.capacity() * sizeof(Root);
}

}  // namespace panoptes
