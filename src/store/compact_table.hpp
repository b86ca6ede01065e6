// SPDX-License-Identifier: Apache-2.0
// A set of words of at most 64 bits in little more memory than it takes to write them down.
//
// Idea: a word of b bits is mixed by a function that can be undone, so the result says everything
// about it. Its upper part is where it is kept, so only the rest of it is: it points to a block,
// and within the block to one of its lists; what remains is written with as many bits as it needs.
// The lists of a block lie side by side, and one bit for each entry and one for each list say where
// one ends and the next begins. A block has room for 256 to 2048 words, the shorter the entries the
// more, and what does not fit, at most four words in a thousand, is kept apart. Blocks are in the
// order of the mixed words, and so are the words in them; growing reads and writes memory in order.
// Sixteen segments grow by a sixteenth, alone, one after the other. Where a quarter of all words
// that there are is kept, a segment becomes a bitmap, and never grows again.
// Cost: for n words, from 100,000 a thread on, at most 1.25 (b - log2 n + 1.44) bits each, at any
// moment; without the 1.25 that is the least there can be where n is small beside 2^b. Long words
// take about 1.12 (b - log2 n + 2.3). A sixteenth of the table more while a segment grows; several
// times the time of a WordTable: a new word moves those behind it. How it can be wrong: not at all.
//
// Thread safety: insert() may be called concurrently; size() and bytes() are then momentary.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <shared_mutex>
#include <span>
#include <vector>

#include "base/batch.hpp"
#include "store/pages.hpp"

namespace panoptes {

// How the words of a segment are kept. Those of a block are a range, and a block has lists: the
// upper part of a word's place in the range is its list, the lower bits are its entry. Where one
// bit for each word that could be takes no more, there is one block without lists, a bitmap.
struct BlockShape {
  // The words are less than `words`, a power of two; room for about `entries` of them.
  BlockShape(Word words, std::uint64_t entries);

  std::uint64_t limit() const;               // more words would leave too many blocks full
  Word first_of(std::uint64_t block) const;  // the least of its range

  Word words;
  std::uint64_t blocks;
  bool is_bitmap;
  std::uint32_t capacity;    // entries of a block
  unsigned rest_bits;        // of an entry: at least 2, as a bitmap were smaller than with less
  std::uint32_t lists;       // of a block: one or two for each entry
  std::size_t bitmap_words;  // a bit for each list and each entry
  std::size_t size;          // of a block, in words
};

// A few words, in an ordinary table.
class SpareWords {
 public:
  bool insert(Word word);           // whether it was new
  std::vector<Word> take_sorted();  // all of them; none is left
  std::uint64_t bytes() const { return places_.size() * sizeof(Word); }

 private:
  std::vector<Word> places_;  // 0: vacant
  std::size_t count_ = 0;
  bool has_zero_ = false;
};

class CompactTable {
 public:
  // Words are less than 2^bits. `threads`: how many may insert at once.
  explicit CompactTable(unsigned bits, unsigned threads = 1);

  // Adds every word, in order; fresh[i] tells whether words[i] was new.
  void insert(std::span<const Word> words, std::span<std::uint8_t> fresh);

  std::uint64_t size() const;
  std::uint64_t bytes() const;
  std::uint64_t growth_bytes() const;  // what growing a segment needs beside that for a while

 private:
  static constexpr unsigned segment_bits = 4;
  static constexpr std::size_t segment_count = std::size_t{1} << segment_bits;
  static constexpr std::size_t block_words = 16;  // asked for from memory at once

  struct alignas(64) Segment {
    Pages pages;
    BlockShape shape{1, 1};
    std::uint64_t entries = 0;  // asked for; the shape may have room for a few more
    std::uint64_t limit = 0;
    std::atomic<std::uint64_t> used{0};
    std::mutex guard;  // of `spare`
    SpareWords spare;  // what had no room in its block
    std::atomic<std::uint64_t> spare_bytes{0};

    Word* block(std::uint64_t i) const { return pages.words() + i * shape.size; }
  };
  class Filler;
  // Where a mixed word belongs.
  struct Position {
    std::uint32_t segment;
    std::uint32_t list;
    std::uint64_t block;
    Word rest;
  };

  Word mix(Word word) const;
  Position position(Word mixed) const;
  void fetch(const Position& at) const;
  bool insert_at(const Position& at, Word mixed);
  Pages allocate(Segment& segment, std::uint64_t entries) const;
  void grow();
  void grow(Segment& segment);

  unsigned bits_;
  unsigned threads_;
  std::array<Segment, segment_count> segments_;
  std::atomic<bool> is_crowded_{false};
  mutable std::shared_mutex growing_;  // held by whoever inserts; alone by whoever grows
};

}  // namespace panoptes
