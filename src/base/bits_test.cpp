// SPDX-License-Identifier: Apache-2.0
// Counts of bits against counting them one by one.
#include "base/bits.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace panoptes {
namespace {

// Words with few bits, with many, and with none or all.
std::vector<Word> words_of_every_kind() {
  std::vector<Word> words{0, ~Word{0}, 1, Word{1} << 63, ~Word{1}, ~(Word{1} << 63), 0xff00ff};
  std::mt19937_64 random(42);
  for (int i = 0; i < 1000; ++i) {
    const Word word = random(), other = random();
    words.insert(words.end(), {word, word & other & random(), word | other | random()});
  }
  return words;
}

TEST(Bits, AreCountedAndFoundAsOneByOne) {
  for (const Word word : words_of_every_kind()) {
    std::uint32_t count = 0;
    for (unsigned bit = 0; bit < 64; ++bit) {
      if ((word >> bit & 1) == 0) continue;
      ASSERT_EQ(place_of_one(word, count), bit) << std::hex << word;
      ++count;
    }
    ASSERT_EQ(count_ones(word), count) << std::hex << word;
    ASSERT_EQ(count_ones(word, word >> 1), count + count_ones(word >> 1)) << std::hex << word;
    ASSERT_EQ(count_ones(word, ~word), 64u) << std::hex << word;
    ASSERT_EQ(count_ones(~Word{0}, word), 64 + count) << std::hex << word;
  }
}

TEST(Bits, AMaskHasAsManyAsItWasAskedFor) {
  for (unsigned bits = 0; bits <= 64; ++bits) {
    EXPECT_EQ(count_ones(low_mask(bits)), bits);
    EXPECT_EQ(low_mask(bits) & (low_mask(bits) + 1), 0u);
  }
}

}  // namespace
}  // namespace panoptes
