// SPDX-License-Identifier: Apache-2.0
// The way back from any state of a breadth-first search, in less than a byte per state.
//
// Idea: states are expanded in the order they become known, and for every expansion the log keeps
// which of its successors were fresh. The n-th fresh one of the log is the n-th state, so the
// parent of a state is found by rank, its place among the siblings too, and the path is re-made by
// expanding it again. No state, hash or pointer is kept. An expansion is a list of gaps between
// fresh successors: a 1 and the gap for each, then a 0. Gaps are written by Rice's code with two
// low bits, which suits the usual three to eight.
// Cost: about six bits a state, and 16 bytes per
// 256 expansions. (The number of successors and one bit for each, which was tried first, took
// twelve to fourteen.)
// How it can be wrong: not, as long as successors come in the same order when
// expanded again.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/batch.hpp"

namespace panoptes {

class TrailLog {
 public:
  // Fresh states are numbered from `first_number` on.
  explicit TrailLog(std::uint64_t first_number = 1) : next_fresh_(first_number) {}

  // One more state was expanded; `fresh` says which of its successors were new.
  void append(std::span<const std::uint8_t> fresh);

  // The number of the next fresh state.
  std::uint64_t fresh() const { return next_fresh_; }

  // Where a state comes from: the expansion that found it and its place among the successors.
  struct Origin {
    std::uint64_t expansion;
    std::uint32_t successor;
  };
  // REQUIRES: `number` is one of a fresh state.
  Origin origin(std::uint64_t number) const;

  std::uint64_t bytes() const;

 private:
  static constexpr std::uint64_t block_expansions = 256;
  static constexpr std::uint64_t chunk_words = 1024;

  struct Block {
    std::uint64_t first_bit;    // of the bit stream
    std::uint64_t first_fresh;  // number of the next fresh state when the block began
  };
  void push(std::uint64_t value, unsigned bits);
  void push_fresh(std::uint64_t gap);
  Word& word(std::uint64_t index) { return chunks_[index / chunk_words][index % chunk_words]; }
  std::uint64_t read(std::uint64_t& position, unsigned bits) const;
  std::uint64_t read_gap(std::uint64_t& position) const;

  std::vector<std::unique_ptr<Word[]>> chunks_;  // of the bit stream; they never move
  std::uint64_t bit_count_ = 0;
  std::uint64_t expansions_ = 0;
  std::uint64_t next_fresh_;
  std::vector<Block> blocks_;
};

}  // namespace panoptes
