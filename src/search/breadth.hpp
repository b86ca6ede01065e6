// SPDX-License-Identifier: Apache-2.0
// Breadth-first order: level by level, batch by batch, shortest trails.
#pragma once

#include <deque>

#include "search/frontier.hpp"
#include "search/trail_log.hpp"
#include "step/stepper.hpp"

namespace panoptes {

class BreadthFrontier final : public Frontier {
 public:
  // `stepper` re-makes paths; it and `sink`, which may be null, outlive the frontier.
  BreadthFrontier(Stepper& stepper, GraphSink* sink);

  void start(StateView initial, StateStore& store) override;
  bool next(StateBatch& batch, StateStore& store) override;
  void admit(SuccessorBatch& successors, StateStore& store, bool deepest) override;
  std::uint64_t depth() const override { return depth_; }
  bool level_ends() const override { return left_in_level_ == 0; }
  std::uint64_t mark(std::size_t i) override { return first_of_batch_ + i; }
  std::vector<RuleId> path(std::uint64_t marked) override;
  bool is_shortest() const override { return true; }
  std::uint64_t bytes() const override;
  std::uint64_t trail_bytes() const override { return log_.bytes(); }
  std::uint64_t size() const override { return waiting_; }

 private:
  static constexpr std::size_t batch_states = 256;

  void push(StateView state);

  Stepper& stepper_;
  GraphSink* sink_;
  std::size_t width_;
  std::deque<StateBatch> chunks_;    // states waiting, oldest first, batch_states to a chunk
  std::uint64_t waiting_ = 0;        // states in chunks_
  std::uint64_t left_in_level_ = 0;  // of those, how many are of the current depth
  std::uint64_t expanded_ = 0;
  std::uint64_t first_of_batch_ = 0;  // number of the first state of the current batch
  std::uint64_t depth_ = 0;
  TrailLog log_;
};

}  // namespace panoptes
