// SPDX-License-Identifier: Apache-2.0
// The exact store: every state kept without loss, as long as there is memory for that.
//
// Idea: a state of one word is a member of a WordTable; a wider one is a tree of shared nodes (see
// tree.hpp), whose root is a word as well. Where the budget has no room for more nodes, states with
// nodes that are not there are kept by their hashes; where it has no room for more words, all of
// them go into a BitStore that takes the place of their table, piece by piece, and the search goes
// on with that.
// Cost: 10.7 to 21.4 bytes a state, and for wide states those of the inner nodes.
// How it can be wrong: not at all before that; then as a hash or a BitStore is, and it says so.
//
// Thread safety: insert(), promise() and stats() may be called concurrently.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>

#include "store/bit_store.hpp"
#include "store/state_store.hpp"
#include "store/tree.hpp"
#include "store/word_table.hpp"

namespace panoptes {

class ExactStore final : public StateStore {
 public:
  // `budget` may be null, which is no limit, and outlives the store.
  explicit ExactStore(std::size_t width, unsigned threads = 1, MemoryBudget* budget = nullptr);

  void insert(SuccessorBatch& batch, const StateBatch& sources) override;
  void expect(StateView state) const override {
    if (!tree_ && !bits_.load(std::memory_order_relaxed)) words_.expect(state[0]);
  }
  bool must_grow_for(double growth) const override {
    return words_.must_grow_for(growth) || (tree_ && tree_->must_grow_for(growth));
  }
  void grow_for(double growth) override {
    words_.grow_for(growth);
    if (tree_) tree_->grow_for(growth);
  }
  // Where it kept less of states than it does now, what it missed then is still missed.
  void save(RecordWriter& record) const override;
  void restore(RecordReader& record) override;
  StorePromise promise() const override;
  StoreStats stats() const override;

 private:
  void insert_words(std::span<const Word> words, std::span<std::uint8_t> fresh);
  BitStore& carry_on_with_bits();

  unsigned threads_;
  MemoryBudget* budget_;
  std::optional<Tree> tree_;  // of states of several words
  WordTable words_;           // the states themselves, or their roots
  std::mutex switching_;
  std::unique_ptr<BitStore> own_bits_;
  std::atomic<BitStore*> bits_{nullptr};  // what took the place of words_
  std::uint64_t known_bits_ = 0;          // states in bits_ that came from words_ ...
  double known_omissions_ = 0.0;          // ... and what it then thought it had missed
  // Of the search it goes on with: how it could be wrong, beyond what is said of its states here,
  // and the states it had, less those that are here.
  StorePromise before_;
  std::uint64_t states_before_ = 0;
};

}  // namespace panoptes
