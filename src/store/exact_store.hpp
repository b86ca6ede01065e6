// SPDX-License-Identifier: Apache-2.0
// The exact store: every state kept without loss, one of a single word in about ten bytes.
//
// Idea: a state of one word is a member of a WordTable. A wider one is a tree: each of its words
// has a number, each pair of neighbouring numbers is again a word with a number, and so on up to
// the root, whose two numbers are the word that is kept in the WordTable. States share their inner
// nodes, of which there are few. A successor differs from the state it comes from in a word or two,
// so only the nodes above those are looked up.
// Cost: 9.4 to 12.6 bytes a state, and 16 to 32 bytes for each distinct inner node,
// which is little where words repeat and doubles the whole where they hardly do.
// How it can be wrong: not at all.
//
// Thread safety: insert() may be called concurrently.
#pragma once

#include <memory>
#include <mutex>
#include <shared_mutex>
#include <vector>

#include "store/node_table.hpp"
#include "store/state_store.hpp"
#include "store/word_table.hpp"

namespace panoptes {

class ExactStore final : public StateStore {
 public:
  explicit ExactStore(std::size_t width, unsigned threads = 1);

  void insert(SuccessorBatch& batch, const StateBatch& sources) override;
  void expect(StateView state) const override {
    if (width_ == 1) roots_.expect(state[0]);
  }
  StorePromise promise() const override { return {}; }
  StoreStats stats() const override;

 private:
  class Tree;

  // The roots of all states of `batch`, one after the other.
  void find_roots(const SuccessorBatch& batch, const StateBatch& sources, Tree& tree,
                  Buffer<Word>& roots);

  std::size_t width_;
  unsigned threads_;
  WordTable roots_;
  NodeTable nodes_;
  mutable std::shared_mutex growing_;  // of nodes_: held by whoever looks up, alone by who grows
};

}  // namespace panoptes
