// SPDX-License-Identifier: Apache-2.0
// A selector that asks another one at those levels of a breadth-first search where that pays.
//
// Idea: to find out which steps need not be seen takes time for every state (`bench/price`), and in
// some protocols hardly any step is left out. So where that was so of enough steps,
// the other has a break: of fifteen times as many steps, then of twice as many each time, and in
// between it is asked again. What is decided for a level is noted by its depth, so that who
// re-makes a trail decides the same; and since levels and their steps are the same for any number
// of threads and ranks, so is what is decided. In another order no level ends, and the other is
// always asked.
// Cost: next to nothing; a number for each change.
// How it can be wrong: not, where the other only leaves out what need not be seen: less of it is.
//
// Thread safety: begin_level() and load() while nobody else calls anything; else as a selector.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "base/record.hpp"
#include "search/selector.hpp"

namespace panoptes {

class SelectByLevel final : public Selector {
 public:
  // Of all states that were expanded so far.
  struct Steps {
    std::uint64_t seen = 0, left_out = 0;  // of those that were seen, by whatever selector
  };

  static constexpr std::uint64_t usual_steps = std::uint64_t{1} << 16;

  // So many steps tell whether it pays; at least one.
  explicit SelectByLevel(std::unique_ptr<Selector> selector,
                         std::uint64_t enough_steps = usual_steps)
      : selector_(std::move(selector)), enough_steps_(enough_steps) {
    changes_.reserve(most_changes);
  }

  std::uint64_t select(const StateBatch& batch, SuccessorBatch& successors, std::uint64_t depth,
                       SelectorScratch& scratch) const override {
    return is_asked_at(depth) ? selector_->select(batch, successors, depth, scratch) : 0;
  }
  bool is_asked_at(std::uint64_t depth) const;

  // Who runs the search counts steps, ...
  void count_with(std::function<Steps()> steps) { steps_ = std::move(steps); }
  Steps steps() const { return steps_ ? steps_() : Steps(); }
  // ... and who knows of all ranks begins levels with their sum.
  void begin_level(std::uint64_t depth, const Steps& steps) noexcept;

  void save(RecordWriter& record) const;
  void load(RecordReader& record);

 private:
  // Then it stays as it is. Between levels there is nobody to tell that memory is short.
  static constexpr std::size_t most_changes = 64;

  std::unique_ptr<Selector> selector_;
  std::uint64_t enough_steps_;
  std::function<Steps()> steps_;
  std::vector<std::uint64_t> changes_;  // depths: not asked from the first, asked from the next ...
  Steps before_;                        // what there was at the last change, or decision to go on
  std::uint64_t break_steps_ = 0;       // how long the last break was to be
};

}  // namespace panoptes
