// SPDX-License-Identifier: Apache-2.0
// Stores that keep every state without loss.
//
// Idea: a state of one word is a member of a set of words; a wider one is a tree of shared nodes
// (see tree.hpp), whose root is a word as well. `exact` keeps words as they are, `compact` in as
// few bits as it takes (see word_table.hpp, compact_table.hpp).
// Cost: that of the set of words, and for wide states those of the inner nodes.
// How it can be wrong: not at all.
//
// Thread safety: insert() may be called concurrently.
#pragma once

#include <algorithm>
#include <optional>

#include "store/compact_table.hpp"
#include "store/state_store.hpp"
#include "store/tree.hpp"
#include "store/word_table.hpp"

namespace panoptes {

template <typename Words>
class WordStore : public StateStore {
 public:
  void insert(SuccessorBatch& batch, const StateBatch& sources) final {
    batch.fresh.resize(batch.size());
    if (!tree_) {
      words_.insert(batch.states.words, batch.fresh);
      return;
    }
    static thread_local Buffer<Word> roots;
    tree_->roots(batch, sources, roots);
    words_.insert(roots, batch.fresh);
  }
  void expect(StateView state) const final {
    if (!tree_) words_.expect(state[0]);
  }
  StorePromise promise() const final { return {}; }
  StoreStats stats() const final {
    StoreStats stats{words_.size(), words_.bytes(), words_.growth_bytes()};
    if (tree_) {
      stats.bytes += tree_->bytes();
      stats.growth_bytes = std::max(stats.growth_bytes, tree_->growth_bytes());
    }
    return stats;
  }

 protected:
  template <typename... Arguments>
  WordStore(std::size_t width, unsigned threads, Arguments... arguments)
      : words_(arguments..., threads) {
    if (width > 1) tree_.emplace(width, threads);
  }

 private:
  std::optional<Tree> tree_;  // of states of several words
  Words words_;               // the states themselves, or their roots
};

// 10.7 to 16 bytes a word.
class ExactStore final : public WordStore<WordTable> {
 public:
  explicit ExactStore(std::size_t width, unsigned threads = 1) : WordStore(width, threads) {}
};

// Of n words of b bits, about 1.15 (b - log2 n + 2.3) bits each; roots have 64.
class CompactStore final : public WordStore<CompactTable> {
 public:
  // A state of one word is less than 2^bits.
  CompactStore(std::size_t width, unsigned bits, unsigned threads = 1)
      : WordStore(width, threads, width == 1 ? bits : 64u) {}
};

}  // namespace panoptes
