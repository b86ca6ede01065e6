// SPDX-License-Identifier: Apache-2.0
// States on their way to their owner, with where they come from: the format of what most of the
// network carries.
//
// Idea: of each word of a state only the bytes that the layout uses are sent. The parent of a state
// is a difference to the one before, which is small, so that beside a state there is a byte for
// that and one for which of its successors it is. A state that was sent a moment ago is not sent
// again: two steps that do not touch each other lead to the same state in either order, and its
// owner has it already (see store/recent_words.hpp).
//
// How it can be wrong: not; ranks are of the same byte order.
//
// Thread safety: none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "base/hash.hpp"
#include "rules/program.hpp"
#include "search/neighbours.hpp"

namespace panoptes {

// How many bytes of each word there are.
class StateShape {
 public:
  explicit StateShape(const Layout& layout);

  std::size_t width() const { return bytes_.size(); }
  std::size_t state_bytes() const { return state_bytes_; }
  std::size_t bytes_of(std::size_t word) const { return bytes_[word]; }
  Word mask_of(std::size_t word) const { return masks_[word]; }

 private:
  std::vector<std::size_t> bytes_;
  std::vector<Word> masks_;
  std::size_t state_bytes_ = 0;
};

// For one owner.
class StateLetter {
 public:
  // Full when it has so many bytes.
  StateLetter(const StateShape& shape, std::size_t most_bytes)
      : shape_(&shape), most_bytes_(most_bytes) {}

  // REQUIRES: it is not full; what was found from one parent comes ascending.
  void add(std::uint64_t parent, std::uint32_t choice, StateView state) {
    if (bytes_.empty()) begin();
    const std::uint64_t step = parent - parent_;
    parent_ = parent;
    ++states_;
    if (step < long_number && choice < long_number) {
      bytes_[size_] = static_cast<std::byte>(step);
      bytes_[size_ + 1] = static_cast<std::byte>(choice);
      size_ += 2;
    } else {
      add_long(step, choice);
    }
    for (std::size_t word = 0; word < state.size(); ++word) {
      std::memcpy(bytes_.data() + size_, &state[word], sizeof(Word));
      size_ += shape_->bytes_of(word);
    }
  }
  bool is_full() const { return size_ >= most_bytes_; }
  bool empty() const { return states_ == 0; }
  std::uint64_t states() const { return states_; }
  // What is in it; it is empty then.
  std::vector<std::byte> close();

  // In place of a number that takes more than a byte.
  static constexpr std::uint64_t long_number = 255;

 private:
  void begin();
  void add_long(std::uint64_t step, std::uint32_t choice);

  const StateShape* shape_;
  std::size_t most_bytes_;
  std::vector<std::byte> bytes_;
  std::size_t size_ = 0;  // of bytes_, that are written
  std::uint64_t states_ = 0;
  std::uint64_t parent_ = 0;
};

// What is in such a letter. Throws InternalFault where it is shorter or longer than it says.
void open_letter(const StateShape& shape, const std::vector<std::byte>& bytes, FoundStates& found);

// The states a worker has handed over lately.
class RecentStates {
 public:
  explicit RecentStates(std::size_t width);

  std::size_t width() const { return width_; }
  // Where the state is, if it is there.
  std::uint32_t place_of(const Word* state) const {
    const std::uint64_t hash = width_ == 1 ? spread_up(*state) : hash_words({state, width_});
    return static_cast<std::uint32_t>(hash >> shift_);
  }
  // It will soon be asked for.
  void expect(std::uint32_t place) const { __builtin_prefetch(&words_[place * width_]); }
  // Whether the state was added a moment ago; adds it.
  bool knows(const Word* state, std::uint32_t at) {
    Word* const place = words_.data() + at * width_;
    bool is_known = true;
    for (std::size_t word = 0; word < width_; ++word) {
      is_known = is_known & (place[word] == state[word]);
      place[word] = state[word];
    }
    return is_known;
  }

 private:
  std::size_t width_;
  unsigned shift_;  // the upper bits of a hash say where
  std::vector<Word> words_;
};

}  // namespace panoptes
