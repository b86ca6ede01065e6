// SPDX-License-Identifier: Apache-2.0
// Which rank owns a state.
//
// Idea: the hash of a part of a state chooses a place in a table of ranks. Part and table are
// chosen so that few steps lead to another rank and each has its share (choose_part.hpp). The hash
// is mixed once more: where the part is all of a state, a store places states by the same hash, and
// would otherwise have all of them side by side.
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
    for (const Piece& piece : part_) hash = hash_word(hash ^ (state[piece.word] & piece.bits));
    return place_of(mixed(hash), division_.owners.size());
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
      return owners[place_of(mixed(hash_word(state[piece.word] & piece.bits)), places)];
    });
  }
  const Division& division() const { return division_; }

 private:
  static std::uint64_t mixed(std::uint64_t hash) { return hash * 0x9e3779b97f4a7c15u; }

  struct Piece {
    std::size_t word;
    Word bits;
  };
  Division division_;
  std::vector<Piece> part_;
};

}  // namespace panoptes
