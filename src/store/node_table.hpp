// SPDX-License-Identifier: Apache-2.0
// Numbers for 64-bit words: equal words get equal numbers, different words different ones.
//
// The inner nodes of stored states (see exact_store.hpp). There are few of them beside the states,
// so this table is simpler than a WordTable: it doubles as a whole.
// Cost: 12 bytes a place at a load of 3/8 to 3/4.
// How it can be wrong: not at all; more than 2^32 - 2 words throw std::bad_alloc.
//
// Thread safety: number() may be called concurrently between reserve() calls; reserve() is called
// by one thread while no other is in number().
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "base/batch.hpp"

namespace panoptes {

class NodeTable {
 public:
  NodeTable();

  // The number of `word`; a new one where it has none yet.
  std::uint32_t number(Word word);

  // True while `more` further words are certain to find a place.
  bool has_room(std::uint64_t more) const;
  // Makes room for at least `more` further words.
  void reserve(std::uint64_t more);

  std::uint64_t bytes() const { return size_ * (sizeof(Word) + sizeof(std::uint32_t)); }

 private:
  std::uint64_t size_;
  std::unique_ptr<Word[]> words_;             // 0 is vacant
  std::unique_ptr<std::uint32_t[]> numbers_;  // 0: not written yet
  std::atomic<std::uint64_t> used_{0};
};

}  // namespace panoptes
