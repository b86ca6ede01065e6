// SPDX-License-Identifier: Apache-2.0
// Counts what a forgetful store cannot know: how many of its states are distinct, and how often
// each was visited. It keeps all states on the side, so it costs the memory the other store saves:
// it is there to measure searches, not to make them.
//
// How it can be wrong: as the store it watches, whose answers it passes on.
#pragma once

#include <vector>

#include "store/numbered_store.hpp"
#include "store/recurrence.hpp"

namespace panoptes {

class CountingStore final : public StateStore {
 public:
  // `watched` outlives it.
  CountingStore(StateStore& watched, std::size_t width) : watched_(watched), all_(width) {}

  void insert(SuccessorBatch& batch, const StateBatch& sources) override {
    watched_.insert(batch, sources);
    fresh_ = batch.fresh;
    all_.insert(batch, sources);
    visits_.resize(all_.stats().states);
    for (const std::uint64_t number : batch.numbers) ++visits_[number];
    batch.fresh = fresh_;
  }
  void expect(StateView state) const override { watched_.expect(state); }
  void leave() override { watched_.leave(); }
  StorePromise promise() const override { return watched_.promise(); }
  StoreStats stats() const override {
    StoreStats stats = watched_.stats();
    const StoreStats aside = all_.stats();
    stats.bytes += aside.bytes + visits_.capacity() * sizeof(visits_[0]);
    stats.growth_bytes += aside.growth_bytes;
    return stats;
  }

  std::uint64_t distinct_states() const { return visits_.size(); }
  Recurrence recurrence() const {
    Recurrence result;
    for (const std::uint32_t visits : visits_) result.add(visits);
    return result;
  }

 private:
  StateStore& watched_;
  NumberedStore all_;
  std::vector<std::uint32_t> visits_;  // by number
  Buffer<std::uint8_t> fresh_;
};

}  // namespace panoptes
