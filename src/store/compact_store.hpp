// SPDX-License-Identifier: Apache-2.0
// The compact store: every state kept without loss in as few bits as it takes.
//
// Idea: as the exact store, with a CompactTable for the words.
// Cost: of n words of b bits, at most 1.25 (b - log2 n + 1.44) bits each; roots have 64.
// How it can be wrong: not at all.
//
// Thread safety: insert() and stats() may be called concurrently.
#pragma once

#include <optional>

#include "store/compact_table.hpp"
#include "store/state_store.hpp"
#include "store/tree.hpp"

namespace panoptes {

class CompactStore final : public StateStore {
 public:
  // A state of one word is less than 2^bits.
  CompactStore(std::size_t width, unsigned bits, unsigned threads = 1)
      : words_(width == 1 ? bits : 64, threads) {
    if (width > 1) tree_.emplace(width, threads, nullptr, Growth::tight);
  }

  void insert(SuccessorBatch& batch, const StateBatch& sources) override {
    batch.fresh.resize(batch.size());
    if (!tree_) {
      words_.insert(batch.states.words, batch.fresh);
      return;
    }
    static thread_local Buffer<Word> roots;
    tree_->roots(batch, sources, roots);
    words_.insert(roots, batch.fresh);
  }
  StorePromise promise() const override { return {}; }
  StoreStats stats() const override {
    StoreStats stats{words_.size(), words_.bytes(), words_.growth_bytes()};
    if (!tree_) return stats;
    stats.bytes += tree_->bytes();
    stats.growth_bytes += tree_->growth_bytes();  // in one batch, perhaps
    return stats;
  }

 private:
  std::optional<Tree> tree_;  // of states of several words
  CompactTable words_;        // the states themselves, or their roots
};

}  // namespace panoptes
