// SPDX-License-Identifier: Apache-2.0
// A set of 64-bit words that many threads fill at once.
//
// Idea: open addressing with linear probing; a word is claimed by one compare-and-swap, so nothing
// half-written is ever visible. The top bits of the hash choose one of a few segments, the others a
// place in it by multiplication, so that a segment can have any size: it grows by a quarter when it
// is 85 % full, alone, and the table never needs room for itself twice; all cores move its words. A
// block of words is hashed and its places are prefetched while the one before is looked up. How
// full a segment is, is counted once for many words: a counter that all cores write to is slow.
// Cost: 9.4 to 12.6 bytes a word, and a sixteenth more while a segment grows.
// How it can be wrong: not at all.
//
// Invariants: 0 is a vacant place, and whether the word 0 is in the set is kept apart.
// Thread safety: insert() may be called concurrently; size() and bytes() are then momentary.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <shared_mutex>
#include <span>

#include "base/batch.hpp"

namespace panoptes {

class WordTable {
 public:
  // `threads`: how many may insert at once.
  explicit WordTable(unsigned threads = 1);
  ~WordTable();
  WordTable(const WordTable&) = delete;
  WordTable& operator=(const WordTable&) = delete;

  // Adds every word, in order; fresh[i] tells whether words[i] was new.
  void insert(std::span<const Word> words, std::span<std::uint8_t> fresh);

  // Fetches the place of a word that will be inserted soon. REQUIRES: nobody inserts meanwhile.
  void expect(Word word) const {
    const Position at = position(word);
    __builtin_prefetch(segments_[at.segment].places + at.place, 1);
  }

  std::uint64_t size() const;
  std::uint64_t bytes() const;
  std::uint64_t growth_bytes() const;  // what growing a segment needs beside that for a while

 private:
  static constexpr unsigned segment_bits = 4;
  static constexpr std::size_t segment_count = std::size_t{1} << segment_bits;
  static constexpr std::size_t block_words = 32;
  static constexpr std::size_t blocks_per_count = 16;

  struct alignas(64) Segment {
    Word* places = nullptr;
    std::uint64_t size = 0;
    std::uint64_t limit = 0;  // words at which it must grow
    std::atomic<std::uint64_t> used{0};
  };
  struct Position {
    std::uint32_t segment;
    std::uint64_t place;
  };

  Position position(Word word) const;
  using Counts = std::array<std::uint32_t, segment_count>;

  static bool insert_at(Segment& segment, std::uint64_t place, Word word);
  void note(Counts& fresh);
  void grow();
  void grow(Segment& segment);
  static void allocate(Segment& segment, std::uint64_t size);
  static void release(Segment& segment);

  unsigned threads_;
  std::array<Segment, segment_count> segments_;
  std::atomic<bool> has_zero_{false};
  std::atomic<bool> is_crowded_{false};  // some segment has reached its limit
  mutable std::shared_mutex growing_;    // held by whoever inserts; alone by whoever grows
};

}  // namespace panoptes
