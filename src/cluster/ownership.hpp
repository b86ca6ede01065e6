// SPDX-License-Identifier: Apache-2.0
// Which rank owns a state.
//
// Idea: the hash of a part of a state chooses a place in a table of ranks. Part and table are
// chosen so that few steps lead to another rank and each has its share (choose_part.hpp). Every
// step asks, so the hash is a sum of products, one for each word of the part, which a processor
// makes side by side: with states of fourteen words, handing over took twice as long where each
// word's hash began with that of the word before. It is no store's, either: one that places states
// by the same hash would have all of them side by side.
//
// How it can be wrong: not.
//
// Thread safety: owner_of() may be called concurrently.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/hash.hpp"

namespace panoptes {

// What decides it, the same on all ranks.
struct Division {
  std::vector<Word> bits;             // of each word of a state, those that say who owns it
  std::vector<std::uint16_t> owners;  // by place
};

// The shares of ranks with so much memory: a host with twice of it has twice the states. What
// differs little is taken for equal.
std::vector<double> shares_of(std::span<const std::uint64_t> memory_bytes);
// Places by chance, for those shares.
std::vector<std::uint16_t> places_by_share(std::span<const double> shares);

class Ownership {
 public:
  explicit Ownership(Division division);

  std::size_t place_of_state(StateView state) const {
    std::uint64_t hash = 0;
    for (const Piece& piece : part_) hash += hash_of(state[piece.word], piece);
    return place_of(hash, division_.owners.size());
  }
  std::uint32_t owner_of(StateView state) const { return division_.owners[place_of_state(state)]; }
  // Calls use() with a function that says who owns the state at an address, for one who asks for
  // many. What it needs is in variables, where the part is of one word: whatever is written
  // meanwhile might be anything, for all that a compiler knows, and it would read it again.
  template <typename Use>
  void with_owners(Use use) const {
    if (part_.size() != 1)
      return use([this](const Word* state) { return owner_of({state, division_.bits.size()}); });
    use([piece = part_[0], owners = division_.owners.data(),
         places = division_.owners.size()](const Word* state) -> std::uint32_t {
      return owners[place_of(hash_of(state[piece.word], piece), places)];
    });
  }
  const Division& division() const { return division_; }

 private:
  struct Piece {
    std::size_t word;
    Word bits, factor;
  };
  // Multiplied, a word's high bits would stay high ones: they are brought down before.
  static std::uint64_t hash_of(Word word, const Piece& piece) {
    word &= piece.bits;
    return (word ^ word >> 32) * piece.factor;
  }

  Division division_;
  std::vector<Piece> part_;
};

}  // namespace panoptes
