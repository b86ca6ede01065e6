// SPDX-License-Identifier: Apache-2.0
// The words a thread has inserted lately, so that they need not be looked up again.
//
// Idea: two steps that do not touch each other lead to the same state in either order, and both
// ways are taken soon after each other. So of the words a search inserts, about half were inserted
// a moment ago. They are found in a small table with one word in a place, which stays in the
// processor's cache, where the table of all words does not fit. The others are put side by side
// without a branch, for nobody can foresee which they are.
// Cost: 32 KiB a thread. (1024 words find less; 16384 leave too little of the cache to the rest.)
// How it can be wrong: not at all, if words that were inserted are never removed.
//
// Thread safety: each thread has its own.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/batch.hpp"
#include "base/buffer.hpp"
#include "base/hash.hpp"

namespace panoptes {

class RecentWords {
 public:
  // That of the calling thread, for the table with this number: another's words are forgotten.
  static RecentWords& of_thread(std::uint64_t table) {
    static thread_local RecentWords words;
    if (words.table_ != table) words.forget(table);
    return words;
  }
  // A number no table has had.
  static std::uint64_t number_of_table();

  // What insert(words, fresh) would say, which gets only what is not recent. insert() returns
  // whether it has taken them all.
  template <typename Insert>
  bool filter(std::span<const Word> words, std::span<std::uint8_t> fresh, Insert insert);

 private:
  static constexpr unsigned place_bits = 12;
  static std::size_t place(Word word) { return spread_up(word) >> (64 - place_bits); }

  // The word 0 has place 0, so only there another one must stand for none.
  void forget(std::uint64_t table) {
    table_ = table;
    recent_.assign(std::size_t{1} << place_bits, 0);
    recent_[0] = 1;
  }

  std::uint64_t table_ = 0;
  std::vector<Word> recent_;
  Buffer<Word> others_;           // the words that are not recent ...
  Buffer<std::uint32_t> places_;  // ... where they are among all ...
  Buffer<std::uint8_t> answers_;  // ... and what is said of them
};

template <typename Insert>
bool RecentWords::filter(std::span<const Word> words, std::span<std::uint8_t> fresh,
                         Insert insert) {
  others_.resize(words.size());
  places_.resize(words.size());
  Word* const recent = recent_.data();
  Word* const others = others_.data();
  std::uint32_t* const places = places_.data();
  std::size_t count = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const Word word = words[i];
    Word& seen = recent[place(word)];
    others[count] = word;
    places[count] = static_cast<std::uint32_t>(i);
    count += seen != word;
    seen = word;
    fresh[i] = 0;
  }
  answers_.resize(count);
  const bool is_complete = insert(std::span<const Word>(others, count), std::span(answers_));
  for (std::size_t i = 0; i < count; ++i) fresh[places[i]] = answers_[i];
  if (!is_complete) forget(table_);
  return is_complete;
}

}  // namespace panoptes
