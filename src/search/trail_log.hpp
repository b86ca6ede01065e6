// SPDX-License-Identifier: Apache-2.0
// The way back from any state of a breadth-first search, at a fraction of a byte per state.
//
// Idea: states are expanded in the order they become known. For every expansion the log keeps the
// number of its successors and one bit for each: was it fresh? The n-th fresh bit of the log
// belongs to the n-th state, so the parent of a state is found by rank, its place among the
// siblings too, and the path is re-made by expanding it again. No state, hash or pointer is kept.
// Cost: one bit per transition, six to twelve bits per expansion, 16 bytes per 256 expansions.
// How it can be wrong: not, as long as successors come in the same order when expanded again.
#pragma once

#include <cstdint>
#include <vector>

#include "base/batch.hpp"

namespace panoptes {

class TrailLog {
 public:
  // One more state was expanded; `fresh` says which of its successors were new.
  void append(std::span<const std::uint8_t> fresh);

  // Where a state comes from: the expansion that found it and its place among the successors.
  struct Origin {
    std::uint64_t expansion;
    std::uint32_t successor;
  };
  // REQUIRES: 0 < number < states known. State 0 is the initial one and has no origin.
  Origin origin(std::uint64_t number) const;

  std::uint64_t bytes() const;

 private:
  static constexpr std::uint64_t block_expansions = 256;

  struct Block {
    std::uint64_t first_bit;    // of the bit stream
    std::uint64_t first_fresh;  // number of the next fresh state when the block began
  };
  void push(std::uint64_t value, unsigned bits);
  std::uint64_t bits_at(std::uint64_t position, unsigned bits) const;

  // Number of successors in groups of six bits, the highest of which says that another follows.
  void push_degree(std::uint64_t degree);
  std::uint64_t degree_at(std::uint64_t& position) const;

  StateWords words_;
  std::uint64_t bit_count_ = 0;
  std::uint64_t expansions_ = 0;
  std::uint64_t next_fresh_ = 1;
  std::vector<Block> blocks_;
};

}  // namespace panoptes
