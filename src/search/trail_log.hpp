// SPDX-License-Identifier: Apache-2.0
// The way back from any state of a breadth-first search, in less than a byte per state.
//
// Idea: states are expanded in the order they become known, and for every expansion the log keeps
// which of its successors were fresh. The n-th fresh one of the log is the n-th state, so the
// parent of a state is found by rank, its place among the siblings too, and the path is re-made by
// expanding it again. No state, hash or pointer is kept. What is written is not needed before the
// search has ended, so it may wait in a file. An expansion is a list of gaps between
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
#include "base/checkpoint_folder.hpp"
#include "base/record.hpp"
#include "search/spill_file.hpp"

namespace panoptes {

// How a gap is written.
struct TrailCode {
  static constexpr unsigned low_bits = 2;    // of a gap, written as they are
  static constexpr unsigned most_ones = 15;  // of the unary part; then the gap follows in full
  static constexpr unsigned full_bits = 32;

  // read(n) gives the next n bits.
  template <typename Read>
  static std::uint64_t read_gap(Read read) {
    std::uint64_t ones = 0;
    while (ones < most_ones && read(1) != 0) ++ones;
    if (ones == most_ones) return read(full_bits);
    return (ones << low_bits) | read(low_bits);
  }
};

class TrailLog {
 public:
  // Fresh states are numbered from `first_number` on.
  explicit TrailLog(std::uint64_t first_number = 1) : next_fresh_(first_number) {}

  // One more state was expanded; `fresh` says which of its successors were new. Calls use(i) for
  // each of those.
  template <typename Use>
  void append(std::span<const std::uint8_t> fresh, Use use) {
    append(
        fresh, [](std::size_t i) { return i; }, use);
  }
  // The same where some successors are none of ours: place(i) is where the i-th of the others
  // stands among all, ascending.
  template <typename Place, typename Use>
  void append(std::span<const std::uint8_t> fresh, Place place, Use use) {
    begin_expansion();
    std::size_t expected = 0;
    for (std::size_t i = 0; i < fresh.size(); ++i) {
      if (fresh[i] == 0) continue;
      push_fresh(place(i) - expected);
      expected = place(i) + 1;
      ++next_fresh_;
      use(i);
    }
    push(0, 1);
  }
  void append(std::span<const std::uint8_t> fresh) {
    append(fresh, [](std::size_t) {});
  }
  // The same, with the places of those that were new, in order; calls use(n) for the n-th of them.
  template <typename Use>
  void append_chosen(std::span<const std::uint32_t> successors, Use use) {
    begin_expansion();
    std::uint64_t expected = 0;
    for (std::size_t n = 0; n < successors.size(); ++n) {
      push_fresh(successors[n] - expected);
      expected = std::uint64_t{successors[n]} + 1;
      ++next_fresh_;
      use(n);
    }
    push(0, 1);
  }

  std::uint64_t expansions() const { return expansions_; }
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

  // Moves what is written to the file, as far as it takes it. `file` outlives the log, and is the
  // same every time.
  void spill(SpillFile& file);

  // Appends to a stream what it does not have yet, and to the record the rest (trail_reader.hpp).
  void save(CheckpointFolder& folder, std::uint32_t stream, RecordWriter& record) const;

 private:
  static constexpr std::uint64_t block_expansions = 256;
  static constexpr std::uint64_t chunk_words = 1024;

  struct Block {
    std::uint64_t first_bit;    // of the bit stream
    std::uint64_t first_fresh;  // number of the next fresh state when the block began
  };
  static constexpr unsigned low_bits = TrailCode::low_bits, most_ones = TrailCode::most_ones,
                            full_bits = TrailCode::full_bits;

  void begin_expansion() {
    if (expansions_ % block_expansions == 0) begin_block();
    ++expansions_;
  }
  void begin_block();
  // REQUIRES: 0 < bits < 64, and nothing above them in `value`.
  void push(std::uint64_t value, unsigned bits) {
    last_ |= value << last_bits_;
    last_bits_ += bits;
    if (last_bits_ < 64) return;
    add_word();
    last_bits_ -= 64;
    last_ = last_bits_ == 0 ? 0 : value >> (bits - last_bits_);
  }
  // A 1 and the gap.
  void push_fresh(std::uint64_t gap) {
    const std::uint64_t ones = gap >> low_bits;
    if (ones < most_ones) {
      const auto unary_bits = static_cast<unsigned>(ones) + 2;  // with the first 1 and the last 0
      const std::uint64_t low = gap & ((1u << low_bits) - 1);
      push((std::uint64_t{2} << ones) - 1 + (low << unary_bits), unary_bits + low_bits);
    } else {
      push((std::uint64_t{2} << most_ones) - 1, most_ones + 1);
      push(gap, full_bits);
    }
  }
  void add_word();  // last_ is full
  std::uint64_t bits() const { return words_ * 64 + last_bits_; }
  Word word(std::uint64_t index) const;
  std::uint64_t read(std::uint64_t& position, unsigned bits) const;

  std::vector<std::unique_ptr<Word[]>> chunks_;  // of the bit stream; they never move
  std::uint64_t spilled_ = 0;                    // so many of them are in the file, and null
  SpillFile* file_ = nullptr;
  mutable std::unique_ptr<Word[]> read_back_;  // one of those ...
  mutable std::uint64_t read_back_chunk_ = 0;  // ... this one
  std::uint64_t words_ = 0;                    // in chunks_
  Word last_ = 0;                              // what follows them ...
  unsigned last_bits_ = 0;                     // ... so many bits of it
  std::uint64_t expansions_ = 0;
  std::uint64_t next_fresh_;
  std::vector<Block> blocks_;
};

}  // namespace panoptes
