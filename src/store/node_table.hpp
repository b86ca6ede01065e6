// SPDX-License-Identifier: Apache-2.0
// Numbers for 64-bit words: equal words get equal numbers, different words different ones.
//
// The inner nodes of stored states (see tree.hpp).
//
// Idea: a LineTable with five words and their numbers in a line, so that one access to memory
// finds both.
// Cost: 17.1 to 25.6 bytes a word.
// How it can be wrong: not at all; more than 2^32 - 2 words throw std::bad_alloc.
//
// Thread safety: number() may be called concurrently; bytes() is then momentary.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>

#include "store/line_table.hpp"

namespace panoptes {

class NodeTable {
 public:
  explicit NodeTable(unsigned threads = 1, MemoryBudget* budget = nullptr,
                     Growth growth = Growth::fast)
      : lines_(threads, budget, growth) {}

  // numbers[i] becomes the number of words[i], a new one where it has none yet; 0 where it has none
  // and gets none, since the budget has no room for more.
  void number(std::span<const Word> words, std::span<std::uint32_t> numbers);

  // No word gets a new number any more.
  bool is_closed() const { return lines_.is_closed(); }

  bool must_grow_for(double growth) const { return lines_.must_grow_for(growth); }
  void grow_for(double growth) { lines_.grow_for(growth); }

  std::uint64_t bytes() const { return lines_.bytes(); }
  std::uint64_t growth_bytes() const { return lines_.growth_bytes(); }

 private:
  struct Line {
    static constexpr std::size_t places = 5;
    Word words[places];
    std::uint32_t numbers[places];  // 0: not written yet
    std::uint32_t unused;
    void copy(std::size_t place, const Line& other, std::size_t other_place) {
      numbers[place] = other.numbers[other_place];
    }
  };
  class Range;

  LineTable<Line> lines_;
  alignas(64) std::atomic<std::uint64_t> next_{2};
};

}  // namespace panoptes
