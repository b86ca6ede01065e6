// SPDX-License-Identifier: Apache-2.0
// A Selector decides which successors a search goes on with, and in which order.
//
// It comes between the stepper and the frontier: the states were looked at with all their
// successors, so nothing that is wrong with them is overlooked; only what lies behind a successor
// that was left out is. A search without a selector pays nothing for there being some.
//
// What is kept depends on the state, its successors and its depth alone, never on who asks or what
// was asked before. So any number of workers keep the same, and a trail can be re-made by expanding
// and selecting once more (retrace.hpp).
//
// Thread safety: select() may be called concurrently, each time with another scratch.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/batch.hpp"
#include "search/arranged_steps.hpp"

namespace panoptes {

// What a selector needs to think; kept by the caller so that it is allocated once.
struct SelectorScratch {
  struct Candidate {
    std::uint32_t group;  // in which it competes
    std::int32_t rank;    // the lowest first, then the least cost, then the least tie
    std::int64_t cost;
    std::uint64_t tie;
    std::uint32_t index;  // in the batch of successors
  };
  Buffer<Candidate> candidates;
  Buffer<std::int64_t> costs;
  StateBatch states;
  Buffer<std::uint32_t> rules;
  Buffer<std::uint8_t> kept;  // by successor of one state
  ArrangedSteps::Scratch arranged;
};

class Selector {
 public:
  virtual ~Selector() = default;

  // Reorders the successors of each state of `batch`, which are `depth` steps from the start, and
  // drops those that are not wanted. Gives how many were dropped at the price of the promise: 0
  // where everything that could be found is still found.
  virtual std::uint64_t select(const StateBatch& batch, SuccessorBatch& successors,
                               std::uint64_t depth, SelectorScratch& scratch) const = 0;
};

// One after the other.
class SelectorSequence final : public Selector {
 public:
  void add(std::unique_ptr<Selector> selector) {
    if (selector) parts_.push_back(std::move(selector));
  }
  bool empty() const { return parts_.empty(); }

  std::uint64_t select(const StateBatch& batch, SuccessorBatch& successors, std::uint64_t depth,
                       SelectorScratch& scratch) const override {
    std::uint64_t deselected = 0;
    for (const auto& part : parts_) deselected += part->select(batch, successors, depth, scratch);
    return deselected;
  }

 private:
  std::vector<std::unique_ptr<Selector>> parts_;
};

}  // namespace panoptes
