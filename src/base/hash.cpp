// SPDX-License-Identifier: Apache-2.0
#include "base/hash.hpp"

#include <xxhash.h>

namespace panoptes {

std::uint64_t hash_words(StateView state, std::uint64_t seed) {
  return XXH3_64bits_withSeed(state.data(), state.size() * sizeof(Word), seed);
}

std::uint64_t hash_text(std::string_view text) { return XXH3_64bits(text.data(), text.size()); }

std::uint64_t hash_bytes(std::span<const std::byte> bytes, std::uint64_t seed) {
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed);
}

}  // namespace panoptes
