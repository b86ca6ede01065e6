// SPDX-License-Identifier: Apache-2.0
// A stepper that passes everything on and keeps what is found, by the number of the state.
//
// REQUIRES: one worker, a store that numbers states in the order a breadth-first search expands
// them in, and every batch examined once.
#pragma once

#include <algorithm>
#include <cassert>
#include <memory>
#include <utility>
#include <vector>

#include "step/stepper.hpp"
#include "store/numbered_store.hpp"

namespace panoptes {

struct NumberedFinding {
  std::uint64_t state = 0;
  std::uint64_t depth = 0;
  Finding finding;
};

class WatchedStepper final : public Stepper {
 public:
  // Of states from number `kept` on, findings are counted and not kept. `store` outlives it.
  WatchedStepper(std::unique_ptr<Stepper> stepper, const NumberedStore& store,
                 std::uint64_t kept = UINT64_MAX)
      : stepper_(std::move(stepper)), store_(store), kept_(kept) {}

  const Program& program() const override { return stepper_->program(); }
  void expand(const StateBatch& batch, SuccessorBatch& out,
              std::vector<Finding>& findings) override {
    stepper_->expand(batch, out, findings);
  }
  void examine(const StateBatch& batch, const SuccessorBatch& successors,
               ReceptionPolicy receptions, std::vector<Finding>& findings) override {
    stepper_->examine(batch, successors, receptions, findings);
    assert(std::ranges::equal(store_.state(expanded_), batch[0]));
    for (const Finding& finding : findings)
      if (const std::uint64_t state = expanded_ + finding.source; state < kept_)
        found_.push_back({state, 0, finding});
      else
        ++not_kept_;
    expanded_ += batch.size();
  }

  Stepper& inner() { return *stepper_; }
  std::uint64_t expanded() const { return expanded_; }
  std::vector<NumberedFinding>& found() { return found_; }
  std::uint64_t not_kept() const { return not_kept_; }

 private:
  std::unique_ptr<Stepper> stepper_;
  [[maybe_unused]] const NumberedStore& store_;
  std::uint64_t kept_;
  std::uint64_t expanded_ = 0, not_kept_ = 0;
  std::vector<NumberedFinding> found_;
};

}  // namespace panoptes
