// SPDX-License-Identifier: Apache-2.0
// The states that wait in a depth-first search, with the rules that led to them: a stack in pieces.
//
// Idea: a buffer that grows moves to another place and needs room for itself twice; pieces of equal
// size stay where they are, and go when nothing is left in them, but for one.
// Cost: the words of every state and 4 bytes for its rule, up to whole pieces.
#pragma once

#include <algorithm>
#include <bit>
#include <vector>

#include "base/batch.hpp"
#include "rules/program.hpp"

namespace panoptes {

class WaitingStack {
 public:
  explicit WaitingStack(std::size_t width)
      : width_(width),
        piece_bits_(
            static_cast<unsigned>(std::bit_width(piece_words / std::min(width, piece_words))) - 1) {
  }

  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }

  void push(StateView state, RuleId rule) {
    if (size_ == pieces_.size() << piece_bits_)
      pieces_.push_back({Buffer<Word>(piece_states() * width_), Buffer<RuleId>(piece_states())});
    Piece& piece = pieces_[size_ >> piece_bits_];
    std::copy(state.begin(), state.end(), piece.words.data() + place(size_) * width_);
    piece.rules[place(size_)] = rule;
    ++size_;
  }

  // The state that came `before` others, the last one being 0. REQUIRES: before < size().
  StateView state(std::size_t before) const {
    const std::size_t i = size_ - 1 - before;
    return {pieces_[i >> piece_bits_].words.data() + place(i) * width_, width_};
  }
  RuleId rule() const { return pieces_[(size_ - 1) >> piece_bits_].rules[place(size_ - 1)]; }

  void pop() {
    --size_;
    if (pieces_.size() > (size_ >> piece_bits_) + 2) pieces_.pop_back();
  }

  // What it takes, with so many states more.
  std::uint64_t bytes(std::size_t more = 0) const {
    const std::size_t pieces = (size_ + more + piece_states() - 1) >> piece_bits_;
    return std::max(pieces_.size(), pieces) *
           (piece_states() * (width_ * sizeof(Word) + sizeof(RuleId)) + 2 * sizeof(Piece));
  }

 private:
  static constexpr std::size_t piece_words = 1024;  // or one state, where that is wider
  std::size_t piece_states() const { return std::size_t{1} << piece_bits_; }
  std::size_t place(std::size_t i) const { return i & (piece_states() - 1); }
  struct Piece {
    Buffer<Word> words;
    Buffer<RuleId> rules;
  };

  std::size_t width_;
  unsigned piece_bits_;
  std::size_t size_ = 0;
  std::vector<Piece> pieces_;
};

}  // namespace panoptes
