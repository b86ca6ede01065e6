// SPDX-License-Identifier: Apache-2.0
// A store that looks at one arrangement of every state: those of which one is an arrangement of the
// other are one to it.
//
// Idea: another store sees in place of each state the one that stands for it. The frontier goes on
// with the state as it was found, so paths are those of the protocol, and nothing has to be
// translated back. How it can be wrong: as the store behind it, if whoever arranges gives one state
// only to states from which the same can happen.
//
// Thread safety: as that of the store behind it; which state stands for the others in the frontier
// then depends on who comes first, but not how many do.
#pragma once

#include <functional>
#include <span>
#include <utility>

#include "store/state_store.hpp"

namespace panoptes {

class ArrangedStore final : public StateStore {
 public:
  // Writes for each state of `from`, which lie side by side, the one that stands for it to `to`.
  using Arrange = std::function<void(std::span<const Word> from, std::span<Word> to)>;

  // `store` outlives it.
  ArrangedStore(StateStore& store, Arrange arrange) : store_(store), arrange_(std::move(arrange)) {}

  void insert(SuccessorBatch& batch, const StateBatch&) override {
    static thread_local Buffer<Word> found;
    found.swap(batch.states.words);
    batch.states.words.resize(found.size());
    arrange_(found, batch.states.words);
    // Where a state came from does not help to find another arrangement of it.
    store_.insert(batch, StateBatch{batch.states.width, {}});
    batch.states.words.swap(found);
    batch.states.notes.clear();
  }
  void leave() override { store_.leave(); }
  bool must_grow_for(double growth) const override { return store_.must_grow_for(growth); }
  void grow_for(double growth) override { store_.grow_for(growth); }
  void save(RecordWriter& record) const override { store_.save(record); }
  void restore(RecordReader& record) override { store_.restore(record); }
  StorePromise promise() const override { return store_.promise(); }
  StoreStats stats() const override { return store_.stats(); }

 private:
  StateStore& store_;
  Arrange arrange_;
};

}  // namespace panoptes
