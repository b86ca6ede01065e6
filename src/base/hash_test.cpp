// SPDX-License-Identifier: Apache-2.0
#include "base/hash.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <vector>

namespace panoptes {
namespace {

// Undoes hash_word, step by step: x ^= x >> 32 undoes itself, and an odd factor has an inverse
// modulo 2^64, which Newton's iteration finds.
Word unhash_word(std::uint64_t hash) {
  constexpr std::uint64_t factor = 0xd6e8feb86659fd93u;
  std::uint64_t inverse = factor;
  for (int i = 0; i < 6; ++i) inverse *= 2 - factor * inverse;
  hash ^= hash >> 32;
  hash *= inverse;
  hash ^= hash >> 32;
  hash *= inverse;
  hash ^= hash >> 32;
  return hash;
}

TEST(Hash, OfAWordCanBeUndone) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 10'000; ++i) {
    const Word word = random();
    ASSERT_EQ(unhash_word(hash_word(word)), word);
  }
  for (unsigned bit = 0; bit < 64; ++bit) {
    const Word word = Word{1} << bit;
    ASSERT_EQ(unhash_word(hash_word(word)), word);
    ASSERT_EQ(unhash_word(hash_word(~word)), ~word);
  }
  EXPECT_EQ(unhash_word(hash_word(0)), 0u);
}

// Packed states differ in few bits; each of them must reach every part of the hash.
TEST(Hash, SpreadsEveryBitOverUpperAndLowerHalf) {
  std::set<std::uint32_t> upper, lower;
  for (unsigned bit = 0; bit < 64; ++bit) {
    const std::uint64_t hash = hash_word(Word{1} << bit);
    upper.insert(static_cast<std::uint32_t>(hash >> 32));
    lower.insert(static_cast<std::uint32_t>(hash));
  }
  EXPECT_EQ(upper.size(), 64u);
  EXPECT_EQ(lower.size(), 64u);
}

TEST(Hash, OfAStateLooksAtEveryWord) {
  for (const std::size_t width : {1u, 2u, 7u}) {
    StateWords state(width, 0x0123456789abcdefu);
    std::set<std::uint64_t> hashes{hash_state(state)};
    for (Word& word : state)
      for (unsigned bit = 0; bit < 64; ++bit) {
        word ^= Word{1} << bit;
        hashes.insert(hash_state(state));
        word ^= Word{1} << bit;
      }
    EXPECT_EQ(hashes.size(), 64 * width + 1);
  }
}

TEST(Hash, OfAStateOfOneWordIsThatOfTheWord) {
  const StateWords state{42};
  EXPECT_EQ(hash_state(state), hash_word(42));
}

}  // namespace
}  // namespace panoptes
