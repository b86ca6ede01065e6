// SPDX-License-Identifier: Apache-2.0
// The exact store: every state kept without loss, one of a single word in 11 to 16 bytes.
//
// Idea: a state of one word is a member of a WordTable; a wider one is a tree of shared nodes (see
// tree.hpp), whose root is a word as well.
// Cost: 10.7 to 16 bytes a state, and for wide states those of the inner nodes.
// How it can be wrong: not at all.
//
// Thread safety: insert() may be called concurrently.
#pragma once

#include <optional>

#include "store/state_store.hpp"
#include "store/tree.hpp"
#include "store/word_table.hpp"

namespace panoptes {

class ExactStore final : public StateStore {
 public:
  explicit ExactStore(std::size_t width, unsigned threads = 1);

  void insert(SuccessorBatch& batch, const StateBatch& sources) override;
  void expect(StateView state) const override {
    if (!tree_) words_.expect(state[0]);
  }
  StorePromise promise() const override { return {}; }
  StoreStats stats() const override;

 private:
  std::optional<Tree> tree_;  // of states of several words
  WordTable words_;           // the states themselves, or their roots
};

}  // namespace panoptes
