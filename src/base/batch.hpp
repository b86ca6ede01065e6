// SPDX-License-Identifier: Apache-2.0
// States and batches of states.
//
// A state is `width` packed 64-bit words, nothing else: stores keep it so, frontiers hold it so, a
// wire would carry it so. Work goes in batches: one virtual call expands many states, one call
// records all their successors.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/buffer.hpp"

namespace panoptes {

using Word = std::uint64_t;
using StateWords = Buffer<Word>;
using StateView = std::span<const Word>;
using StateSpan = std::span<Word>;

// States side by side. A store may note something about each state it has recorded, so that it
// finds its successors sooner; what it means is the store's business, the others carry it along.
struct StateBatch {
  std::size_t width = 1;
  Buffer<Word> words;
  Buffer<std::uint32_t> notes = {};  // equally many for each state, or none at all

  std::size_t size() const { return words.size() / width; }
  bool empty() const { return words.empty(); }
  StateView operator[](std::size_t i) const { return {words.data() + i * width, width}; }
  void push_back(StateView state) {
    constexpr std::size_t few = 4;  // a call that copies any number takes longer
    if (state.size() > few) {
      words.insert(words.end(), state.begin(), state.end());
      return;
    }
    for (const Word word : state) words.push_back(word);
  }
  // State `i` of another batch, with its notes.
  void push_back(const StateBatch& other, std::size_t i) {
    if (width == 1) {
      words.push_back(other.words[i]);
      return;
    }
    push_back(other[i]);
    if (other.notes.empty()) return;
    const std::size_t count = other.notes.size() / other.size();
    notes.insert(notes.end(), other.notes.begin() + static_cast<std::ptrdiff_t>(i * count),
                 other.notes.begin() + static_cast<std::ptrdiff_t>((i + 1) * count));
  }
  // States of another batch, with their notes. REQUIRES: there are some.
  void append(const StateBatch& other, std::span<const std::uint32_t> places) {
    append_rows(other.words, width, places, words);
    if (!other.notes.empty())
      append_rows(other.notes, other.notes.size() / other.size(), places, notes);
  }
  void assign(StateView state) { words.assign(state.begin(), state.end()); }
  void clear() {
    words.clear();
    notes.clear();
  }

 private:
  template <typename T>
  static void append_rows(const Buffer<T>& from, std::size_t width,
                          std::span<const std::uint32_t> places, Buffer<T>& to) {
    constexpr std::size_t few = 8;  // a call that copies any number takes longer
    const std::size_t before = to.size();
    to.resize(before + places.size() * width);
    const T* const rows = from.data();
    T* end = to.data() + before;
    if (width == 1) {
      for (const std::uint32_t place : places) *end++ = rows[place];
    } else if (width <= few) {
      for (const std::uint32_t place : places)
        for (const T *item = rows + place * width, *last = item + width; item != last; ++item)
          *end++ = *item;
    } else {
      for (const std::uint32_t place : places) end = std::copy_n(rows + place * width, width, end);
    }
  }
};

// The successors of a batch of states, those of one state side by side and in rule order.
//
// Invariants: first.size() == number of expanded states + 1; rules.size() == states.size();
// failed[i] counts the rules that fired into an error in state i and so gave no successor.
struct SuccessorBatch {
  StateBatch states;
  Buffer<std::uint32_t> rules;   // the rule that made each successor
  Buffer<std::uint32_t> first;   // successors of state i: first[i] .. first[i + 1]
  Buffer<std::uint32_t> failed;  // per expanded state
  // Where whoever expanded them can tell: the only states that may be wrong themselves, by the
  // policy that asks for least.
  Buffer<std::uint32_t> suspects;
  bool has_suspects = false;
  Buffer<std::uint32_t> inside;   // rules that were taken on the way, beside those above
  Buffer<std::uint8_t> fresh;     // set by a store: 1 where the state was new
  Buffer<std::uint64_t> numbers;  // set by a numbering store: the number of each state

  std::size_t size() const { return rules.size(); }
  void clear(std::size_t width) {
    states.width = width;
    states.clear();
    rules.clear();
    first.assign(1, 0);
    failed.clear();
    suspects.clear();
    has_suspects = false;
    inside.clear();
    fresh.clear();
    numbers.clear();
  }
  // All successors of one more state have been added.
  void close_state(std::uint32_t failures) {
    first.push_back(static_cast<std::uint32_t>(rules.size()));
    failed.push_back(failures);
  }
};

}  // namespace panoptes
