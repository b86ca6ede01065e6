// SPDX-License-Identifier: Apache-2.0
// Hashing of packed states.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/batch.hpp"

namespace panoptes {

// Every bit of a word spread over the bits above it, for small tables: the upper ones say where.
inline std::uint64_t spread_up(Word word) { return word * 0xd6e8feb86659fd93u; }

// Every bit of a word spread over all bits of the result; invertible, so two words never collide.
inline std::uint64_t hash_word(Word word) {
  word ^= word >> 32;
  word *= 0xd6e8feb86659fd93u;
  word ^= word >> 32;
  word *= 0xd6e8feb86659fd93u;
  word ^= word >> 32;
  return word;
}

// The same, another one for every seed; seed 0 is the one above. The seed goes in before each of
// the two multiplications, so that words which are close under one seed are not under another.
inline std::uint64_t hash_word(Word word, std::uint64_t seed) {
  const std::uint64_t key = hash_word(seed);
  word ^= key;
  word ^= word >> 32;
  word *= 0xd6e8feb86659fd93u;
  word ^= (word >> 32) ^ (key << 7);
  word *= 0xd6e8feb86659fd93u;
  word ^= word >> 32;
  return word;
}

// A state of several words, by XXH3.
std::uint64_t hash_words(StateView state, std::uint64_t seed = 0);

// Any text, by XXH3.
std::uint64_t hash_text(std::string_view text);
// Any bytes, another hash for every seed.
std::uint64_t hash_bytes(std::span<const std::byte> bytes, std::uint64_t seed);

inline std::uint64_t hash_state(StateView state) {
  return state.size() == 1 ? hash_word(state[0]) : hash_words(state);
}

// The hash as a fraction of `size`: every size is possible, and places keep the order of hashes.
inline std::uint64_t place_of(std::uint64_t hash, std::uint64_t size) {
  __extension__ typedef unsigned __int128 Wide;
  return static_cast<std::uint64_t>((static_cast<Wide>(hash) * size) >> 64);
}

}  // namespace panoptes
