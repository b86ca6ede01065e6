// SPDX-License-Identifier: Apache-2.0
// A set of 64-bit words that many threads fill at once.
//
// Idea: a LineTable with eight words in a line.
// Cost: 10.7 to 16 bytes a word.
// How it can be wrong: not at all.
//
// Thread safety: insert() may be called concurrently; size() and bytes() are then momentary.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>

#include "store/line_table.hpp"

namespace panoptes {

class WordTable {
 public:
  // `threads`: how many may insert at once.
  explicit WordTable(unsigned threads = 1) : lines_(threads) {}

  // Adds every word, in order; fresh[i] tells whether words[i] was new.
  void insert(std::span<const Word> words, std::span<std::uint8_t> fresh) {
    lines_.visit(words, [&](std::size_t i, const LineTable<Line>::Found& found) {
      fresh[i] = found.line ? found.is_new : !has_zero_.exchange(true);
    });
  }

  // Fetches the line of a word that will be inserted soon. REQUIRES: nobody inserts meanwhile.
  void expect(Word word) const { lines_.expect(word); }

  std::uint64_t size() const { return lines_.size() + (has_zero_.load() ? 1 : 0); }
  std::uint64_t bytes() const { return lines_.bytes(); }
  std::uint64_t growth_bytes() const { return lines_.growth_bytes(); }

 private:
  struct Line {
    static constexpr std::size_t places = 8;
    Word words[places];
    void copy(std::size_t, const Line&, std::size_t) {}
  };
  LineTable<Line> lines_;
  std::atomic<bool> has_zero_{false};
};

}  // namespace panoptes
