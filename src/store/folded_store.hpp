// SPDX-License-Identifier: Apache-2.0
// A folding: states that differ only in what is not looked at are one to the store.
//
// Idea: the bits of chosen processes, channels and variables are cleared before another store sees
// a state. The frontier goes on with the whole state, the first of its class that was met.
// Cost: a copy of every batch. How it can be wrong: it answers `seen` for a state whose class it
// has seen, and what only that state leads to is missed.
//
// Thread safety: as that of the store behind it, but which state stands for its class then depends
// on who comes first.
#pragma once

#include <utility>

#include "store/state_store.hpp"

namespace panoptes {

class FoldedStore final : public StateStore {
 public:
  // `ignored` has the bits that are not looked at; `store` outlives it.
  FoldedStore(StateStore& store, StateWords ignored)
      : store_(store), ignored_(std::move(ignored)) {}

  void insert(SuccessorBatch& batch, const StateBatch& sources) override;
  void leave() override { store_.leave(); }
  void save(RecordWriter& record) const override { store_.save(record); }
  void restore(RecordReader& record) override { store_.restore(record); }
  StorePromise promise() const override {
    StorePromise promise = store_.promise();
    promise.may_omit = true;
    return promise;
  }
  StoreStats stats() const override { return store_.stats(); }

 private:
  void fold(Buffer<Word>& words) const;

  StateStore& store_;
  StateWords ignored_;
};

}  // namespace panoptes
