// SPDX-License-Identifier: Apache-2.0
// A set of 64-bit words that many threads fill at once.
//
// Idea: a LineTable with eight words in a line, and what was inserted lately in front of it.
// Cost: 10.7 to 21.4 bytes a word.
// How it can be wrong: not at all.
//
// Thread safety: insert() may be called concurrently; size() and bytes() are then momentary.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>

#include "store/line_table.hpp"
#include "store/recent_words.hpp"

namespace panoptes {

class WordTable {
 public:
  // `threads`: how many may insert at once.
  explicit WordTable(unsigned threads = 1, MemoryBudget* budget = nullptr)
      : lines_(threads, budget) {}

  // What insert() says of a word that it does not have and cannot take.
  static constexpr std::uint8_t refused = 2;

  // Adds every word, in order; fresh[i] tells whether words[i] was new. False where some were
  // refused, since the budget has no room for more.
  bool insert(std::span<const Word> words, std::span<std::uint8_t> fresh) {
    return RecentWords::of_thread(number_).filter(
        words, fresh, [this](auto others, auto answers) { return look_up(others, answers); });
  }

  // Calls use(words) with all words but 0 and gives their memory back. REQUIRES: a word was
  // refused.
  template <typename Use>
  void drain(Use use) {
    lines_.drain(use);
  }

  // Fetches the line of a word that will be inserted soon. REQUIRES: nobody inserts meanwhile.
  void expect(Word word) const { lines_.expect(word); }

  bool must_grow_for(double growth) const { return lines_.must_grow_for(growth); }
  void grow_for(double growth) { lines_.grow_for(growth); }

  bool has_zero() const { return has_zero_.load(); }

  std::uint64_t size() const { return lines_.size() + (has_zero_.load() ? 1 : 0); }
  std::uint64_t bytes() const { return lines_.bytes(); }
  std::uint64_t growth_bytes() const { return lines_.growth_bytes(); }

 private:
  bool look_up(std::span<const Word> words, std::span<std::uint8_t> fresh) {
    bool is_complete = true;
    lines_.visit(words, [&](std::size_t i, const LineTable<Line>::Found& found) {
      if (found.line) {
        fresh[i] = found.is_new;
      } else if (words[i] == 0 && !lines_.is_drained()) {
        fresh[i] = !has_zero_.exchange(true);
      } else {
        fresh[i] = refused;
        is_complete = false;
      }
    });
    return is_complete;
  }

  struct Line {
    static constexpr std::size_t places = 8;
    Word words[places];
    void copy(std::size_t, const Line&, std::size_t) {}
  };
  std::uint64_t number_ = RecentWords::number_of_table();
  LineTable<Line> lines_;
  std::atomic<bool> has_zero_{false};
};

}  // namespace panoptes
