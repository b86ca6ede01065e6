// SPDX-License-Identifier: Apache-2.0
// Depth-first order: the recursive algorithm with its stack laid open.
//
// The path from the initial state to the current one is the stack, so every trail is at hand, and
// none is known to be the shortest. One worker.
#pragma once

#include "search/frontier.hpp"

namespace panoptes {

class DepthFrontier final : public Frontier {
 public:
  // `sink` may be null and outlives the frontier.
  DepthFrontier(const Program& program, GraphSink* sink)
      : sink_(sink), width_(program.layout.words) {}

  void start(StateView initial, StateStore& store, GoOn go_on) override;
  bool next(unsigned worker, StateBatch& batch, StateStore& store) override;
  void admit(unsigned worker, const StateBatch& batch, SuccessorBatch& successors,
             StateStore& store, bool deepest) override;
  void leave(unsigned) override {}
  std::uint64_t depth() const override { return path_.size(); }
  std::uint64_t mark(unsigned worker, std::size_t i) override;
  std::vector<RuleId> path(std::uint64_t marked) override { return marked_[marked]; }
  bool is_shortest() const override { return false; }
  std::uint64_t bytes() const override { return bytes_; }
  std::uint64_t trail_bytes() const override { return 0; }
  std::uint64_t size() const override { return waiting_; }

 private:
  // A state on the path and its successors that have not come up yet, last first.
  struct Frame {
    std::uint64_t number;
    StateBatch successors;
    std::vector<RuleId> rules;
    std::uint64_t bytes() const {
      return sizeof(Frame) + successors.words.capacity() * sizeof(Word) +
             rules.capacity() * sizeof(RuleId);
    }
  };

  GraphSink* sink_;
  std::size_t width_;
  GoOn go_on_;
  std::vector<Frame> frames_;
  std::vector<RuleId> path_;
  SuccessorBatch candidate_;   // the state that comes up, as the store wants it
  std::uint64_t number_ = 0;   // of the current state
  std::uint64_t bytes_ = 0;    // of all frames
  std::uint64_t waiting_ = 0;  // successors in all frames, and the initial state before it comes up
  bool is_initial_ = false;
  StateWords initial_;
  std::vector<std::vector<RuleId>> marked_;
};

}  // namespace panoptes
