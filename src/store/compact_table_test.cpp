// SPDX-License-Identifier: Apache-2.0
// The compact table against an obvious set, and against the memory it may take.
#include "store/compact_table.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <thread>
#include <unordered_set>
#include <vector>

#include "base/bits.hpp"

namespace panoptes {
namespace {

// The i-th of 2^bits different words, in no order.
Word word_at(std::uint64_t i, unsigned bits) { return (i * 0x9e3779b97f4a7c15u) & low_mask(bits); }

std::vector<Word> words_from(std::uint64_t begin, std::uint64_t end, unsigned bits) {
  std::vector<Word> words;
  for (std::uint64_t i = begin; i < end; ++i) words.push_back(word_at(i, bits));
  return words;
}

// How many of them were new.
std::uint64_t insert(CompactTable& table, const std::vector<Word>& words) {
  std::vector<std::uint8_t> fresh(words.size());
  table.insert(words, fresh);
  return static_cast<std::uint64_t>(std::count(fresh.begin(), fresh.end(), 1));
}

// At every moment, from few words for those there could be to all of them.
TEST(CompactTable, IsNearTheLeastMemoryThereCanBe) {
  for (unsigned bits = 18; bits <= 64; bits += bits < 32 ? 1 : 4) {
    CompactTable table(bits);
    const std::uint64_t count = bits <= 20 ? std::uint64_t{1} << bits : 250'000;
    constexpr std::uint64_t at_once = 512;
    for (std::uint64_t begin = 0; begin < count; begin += at_once) {
      insert(table, words_from(begin, std::min(begin + at_once, count), bits));
      const auto size = static_cast<double>(table.size());
      if (size < 1e5) continue;
      ASSERT_LE(static_cast<double>(table.bytes()) * 8 / size,
                1.25 * (bits - std::log2(size) + 1.44))
          << bits << " bits, " << size << " words";
    }
    ASSERT_EQ(table.size(), count) << bits << " bits";
  }
}

// Words much alike, and everywhere; a table of 19 bits becomes a bitmap on the way.
TEST(CompactTable, AnswersAsASetDoes) {
  for (const unsigned bits : {16u, 19u, 24u, 33u, 48u, 63u, 64u}) {
    CompactTable table(bits);
    std::unordered_set<Word> model;
    std::mt19937_64 random(42);
    std::vector<Word> words(300);
    std::vector<std::uint8_t> fresh(words.size());
    for (int round = 0; round < 1000; ++round) {
      const unsigned shift = static_cast<unsigned>(random() % bits);
      for (Word& word : words)
        word = (random() % 2 == 0 ? random() : random() % 5000 << shift) & low_mask(bits);
      table.insert(words, fresh);
      for (std::size_t i = 0; i < words.size(); ++i)
        ASSERT_EQ(fresh[i] != 0, model.insert(words[i]).second) << bits << " bits, " << words[i];
    }
    EXPECT_EQ(table.size(), model.size()) << bits << " bits";
  }
}

// Every word is fresh for one of the threads, also where segments become bitmaps meanwhile.
TEST(CompactTable, IsFilledByTwoThreadsAtOnce) {
  for (const unsigned bits : {16u, 20u, 40u}) {
    CompactTable table(bits, 2);
    const std::uint64_t count = bits == 16 ? 1 << 16 : 280'000;
    std::array<std::uint64_t, 2> fresh{};
    {
      std::vector<std::jthread> running;
      for (const std::size_t thread : {std::size_t{0}, std::size_t{1}})
        running.emplace_back([&, thread] {
          constexpr std::uint64_t at_once = 200;
          for (std::uint64_t i = 0; i < count; i += at_once) {
            std::vector<Word> words = words_from(i, std::min(i + at_once, count), bits);
            if (thread == 1) std::reverse(words.begin(), words.end());
            fresh[thread] += insert(table, words);
          }
        });
    }
    EXPECT_EQ(fresh[0] + fresh[1], count) << bits << " bits";
    EXPECT_EQ(table.size(), count) << bits << " bits";
    EXPECT_EQ(insert(table, words_from(0, count, bits)), 0u) << bits << " bits";
  }
}

// Short words, all that there are; and the least and the greatest of long ones.
TEST(CompactTable, HoldsAllWordsThereAre) {
  for (const unsigned bits : {1u, 7u, 16u, 19u}) {
    CompactTable table(bits);
    const std::vector<Word> words = words_from(0, std::uint64_t{1} << bits, bits);
    EXPECT_EQ(insert(table, words), words.size());
    EXPECT_EQ(insert(table, words), 0u);
    EXPECT_EQ(table.growth_bytes(), 0u);
  }
  CompactTable table(64);
  const std::vector<Word> words{0, ~Word{0}, 1, ~Word{0} - 1, 0, ~Word{0}};
  std::vector<std::uint8_t> fresh(words.size());
  table.insert(words, fresh);
  EXPECT_EQ(fresh, (std::vector<std::uint8_t>{1, 1, 1, 1, 0, 0}));
}

}  // namespace
}  // namespace panoptes
