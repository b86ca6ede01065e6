// SPDX-License-Identifier: Apache-2.0
// Hashing of packed states.
#pragma once

#include <cstdint>

#include "base/batch.hpp"

namespace panoptes {

// Every bit of a word spread over all bits of the result; invertible, so two words never collide.
inline std::uint64_t hash_word(Word word) {
  word ^= word >> 32;
  word *= 0xd6e8feb86659fd93u;
  word ^= word >> 32;
  word *= 0xd6e8feb86659fd93u;
  word ^= word >> 32;
  return word;
}

// A state of several words, by XXH3.
std::uint64_t hash_words(StateView state);

inline std::uint64_t hash_state(StateView state) {
  return state.size() == 1 ? hash_word(state[0]) : hash_words(state);
}

}  // namespace panoptes
