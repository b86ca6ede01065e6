// SPDX-License-Identifier: Apache-2.0
// The store of a search without memory: every state is new to it. It only counts.
//
// How it can be wrong: it calls every state new. A search on it ends only if its frontier does.
// Thread safety: none.
#pragma once

#include "store/state_store.hpp"

namespace panoptes {

class NoStore final : public StateStore {
 public:
  void insert(SuccessorBatch& batch, const StateBatch&) override {
    batch.fresh.assign(batch.size(), 1);
    entered_ += batch.size();
  }
  StorePromise promise() const override { return {.may_repeat = true}; }
  StoreStats stats() const override { return {entered_, 0, 0}; }

 private:
  std::uint64_t entered_ = 0;
};

}  // namespace panoptes
