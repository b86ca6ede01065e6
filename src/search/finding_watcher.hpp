// SPDX-License-Identifier: Apache-2.0
// Keeps what a search finds, by the number of the state.
//
// REQUIRES: one worker, and a store that numbers states in the order a breadth-first search expands
// them in.
#pragma once

#include <algorithm>
#include <cassert>
#include <vector>

#include "search/batch_watcher.hpp"
#include "store/numbered_store.hpp"

namespace panoptes {

struct NumberedFinding {
  std::uint64_t state = 0;
  std::uint64_t depth = 0;
  Finding finding;
};

class FindingWatcher final : public BatchWatcher {
 public:
  // Of states from number `kept` on, findings are counted and not kept. `store` outlives it.
  explicit FindingWatcher(const NumberedStore& store, std::uint64_t kept = UINT64_MAX)
      : store_(store), kept_(kept) {}

  void expanded(unsigned, const StateBatch& batch, const SuccessorBatch&,
                const std::vector<Finding>& findings) override {
    assert(std::ranges::equal(store_.state(expanded_), batch[0]));
    for (const Finding& finding : findings)
      if (const std::uint64_t state = expanded_ + finding.source; state < kept_)
        found_.push_back({state, 0, finding});
      else
        ++not_kept_;
    expanded_ += batch.size();
  }

  std::uint64_t expanded() const { return expanded_; }
  std::vector<NumberedFinding>& found() { return found_; }
  std::uint64_t not_kept() const { return not_kept_; }

 private:
  [[maybe_unused]] const NumberedStore& store_;
  std::uint64_t kept_;
  std::uint64_t expanded_ = 0, not_kept_ = 0;
  std::vector<NumberedFinding> found_;
};

}  // namespace panoptes
