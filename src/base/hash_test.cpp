// SPDX-License-Identifier: Apache-2.0
#include "base/hash.hpp"

#include <gtest/gtest.h>

#include <array>
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

TEST(Hash, WithSeedZeroIsTheOneWithout) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 1000; ++i) {
    const Word word = random();
    ASSERT_EQ(hash_word(word, 0), hash_word(word));
  }
}

TEST(Hash, OfAWordIsUniqueUnderEverySeed) {
  for (const std::uint64_t seed : {1u, 2u, 77u}) {
    std::set<std::uint64_t> hashes;
    for (Word word = 0; word < 20'000; ++word) hashes.insert(hash_word(word << 11, seed));
    EXPECT_EQ(hashes.size(), 20'000u);
  }
}

// Words that share the upper bits of their hash under one seed share them by chance under others.
TEST(Hash, UnderOneSeedSaysNothingAboutAnother) {
  constexpr unsigned upper = 10;
  for (const std::uint64_t seed : {1u, 2u, 3u, 1u << 31}) {
    std::vector<Word> alike;
    for (Word word = 0; alike.size() < 4000; ++word)
      if (hash_word(word) >> (64 - upper) == 5) alike.push_back(word);
    std::set<std::uint64_t> places;
    for (const Word word : alike) places.insert(hash_word(word, seed) >> (64 - upper));
    EXPECT_GT(places.size(), 980u) << seed;  // of 1024; 1024 (1 - e^-3.9) are expected: 1003
    EXPECT_NE(hash_words(std::array<Word, 2>{1, 2}, seed), hash_words(std::array<Word, 2>{1, 2}));
  }
}

TEST(Hash, IsAFractionOfAnySize) {
  EXPECT_EQ(place_of(0, 1000), 0u);
  EXPECT_EQ(place_of(~std::uint64_t{0}, 1000), 999u);
  EXPECT_EQ(place_of(std::uint64_t{1} << 63, 1000), 500u);
  EXPECT_EQ(place_of(~std::uint64_t{0}, 1), 0u);
}

TEST(Hash, OfAStateOfOneWordIsThatOfTheWord) {
  const StateWords state{42};
  EXPECT_EQ(hash_state(state), hash_word(42));
}

}  // namespace
}  // namespace panoptes
