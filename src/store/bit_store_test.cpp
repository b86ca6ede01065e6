// SPDX-License-Identifier: Apache-2.0
// A bit store may differ from a set only in the way it admits, and as often as it says.
#include "store/bit_store.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <latch>
#include <random>
#include <set>
#include <thread>
#include <vector>

#include "base/hash.hpp"
#include "store/bit_theory.hpp"

namespace panoptes {
namespace {

BitStoreOptions arena(std::uint64_t bytes, unsigned bits_per_state = 4) {
  BitStoreOptions options;
  options.bytes = bytes;
  options.bits_per_state = bits_per_state;
  return options;
}

// States as searches have them: counters in a few fields, most bits always the same.
std::vector<Word> packed_words(std::size_t count) {
  std::vector<Word> words(count);
  for (std::size_t i = 0; i < count; ++i)
    words[i] = i % 61 | i / 61 % 1000 << 17 | i / 61'000 << 50 | Word{1} << 40;
  return words;
}

std::vector<std::uint8_t> insert(BitStore& store, const std::vector<Word>& words) {
  std::vector<std::uint8_t> fresh(words.size());
  store.insert_states(words, fresh);
  return fresh;
}

std::uint64_t count_of(const std::vector<std::uint8_t>& fresh) {
  return static_cast<std::uint64_t>(std::count(fresh.begin(), fresh.end(), 1));
}

TEST(BitStore, NeverTakesAnOldStateForANewOne) {
  std::mt19937_64 random(42);
  for (const std::size_t width : {1u, 2u, 7u})
    for (const std::uint64_t bytes : {1u, 64u, 1000u, 4097u, 100'003u})
      for (const unsigned bits_per_state : {1u, 4u, 7u, 8u, 16u}) {
        BitStore store(width, arena(bytes, bits_per_state));
        std::set<StateWords> model;
        std::uint64_t fresh = 0;
        for (int round = 0; round < 100; ++round) {
          SuccessorBatch batch;
          batch.clear(width);
          for (std::uint64_t i = random() % 80; i > 0; --i) {
            StateWords state(width);
            for (Word& word : state) word = random() % 40 << random() % 2 * 58;
            batch.states.push_back(state);
            batch.rules.push_back(0);
          }
          batch.close_state(0);
          store.insert(batch, StateBatch{width, {}});
          ASSERT_EQ(batch.fresh.size(), batch.size());
          for (std::size_t i = 0; i < batch.size(); ++i) {
            const StateView state = batch.states[i];
            const bool is_new = model.emplace(state.begin(), state.end()).second;
            ASSERT_TRUE(is_new || batch.fresh[i] == 0);
            fresh += batch.fresh[i];
          }
        }
        ASSERT_EQ(store.stats().states, fresh);
        ASSERT_LE(fresh, model.size());
        ASSERT_GT(fresh, 0u);
      }
}

TEST(BitStore, TakesTheMemoryItIsGivenDownToALine) {
  EXPECT_EQ(BitStore(1, arena(1)).stats().bytes, 64u);
  EXPECT_EQ(BitStore(1, arena(64)).stats().bytes, 64u);
  EXPECT_EQ(BitStore(1, arena(10'007)).stats().bytes, 9984u);
  EXPECT_EQ(BitStore(3, arena(10'007)).stats().bytes, 9984u);
}

// One bit for every state that can be written down, with and without threads.
TEST(BitStore, IsExactWhereEveryStateHasABit) {
  for (const unsigned state_bits : {0u, 1u, 5u, 8u, 9u, 10u, 13u, 17u})
    for (const unsigned threads : {1u, 3u}) {
      BitStoreOptions options = arena(std::max<std::uint64_t>(64, (1u << state_bits) / 8));
      options.state_bits = state_bits;
      options.threads = threads;
      BitStore store(1, options);
      std::vector<Word> words(std::size_t{1} << state_bits);
      for (std::size_t i = 0; i < words.size(); ++i) words[i] = i ^ (words.size() / 3);
      const std::vector<std::uint8_t> ones(words.size(), 1), zeros(words.size(), 0);
      EXPECT_EQ(insert(store, words), ones);
      EXPECT_EQ(insert(store, words), zeros);
      EXPECT_EQ(store.stats().states, words.size());
      EXPECT_LE(store.stats().bytes, options.bytes);
      EXPECT_FALSE(store.promise().may_omit);
      EXPECT_EQ(store.promise().expected_omissions, 0);
    }
}

TEST(BitStore, IsNotExactWhereOneByteIsMissingOrStatesAreWide) {
  BitStoreOptions options = arena((1u << 17) / 8 - 1);
  options.state_bits = 17;
  EXPECT_TRUE(BitStore(1, options).promise().may_omit);
  options.bytes += 1;
  EXPECT_FALSE(BitStore(1, options).promise().may_omit);
  EXPECT_TRUE(BitStore(2, options).promise().may_omit);
  options.state_bits = 64;
  EXPECT_TRUE(BitStore(1, options).promise().may_omit);
}

// From an arena that is far too small to one that is large enough.
TEST(BitStore, MissesAsManyStatesAsItSaysAndAsTheoryPredicts) {
  const std::vector<Word> words = packed_words(400'000);
  const auto all = static_cast<double>(words.size());
  for (const double bits_of_arena : {0.2, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0})
    for (const unsigned bits_per_state : {1u, 2u, 4u, 10u}) {
      const auto bytes = static_cast<std::uint64_t>(all * bits_of_arena / 8);
      BitStore store(1, arena(bytes, bits_per_state));
      const double missed = all - static_cast<double>(count_of(insert(store, words)));
      const StorePromise promise = store.promise();
      const double said = promise.expected_omissions;
      const std::string name =
          std::to_string(bits_per_state) + " of " + std::to_string(bits_of_arena);
      EXPECT_TRUE(promise.may_omit);
      EXPECT_FALSE(promise.may_repeat);
      EXPECT_NEAR(said, missed, missed * 0.05 + 5 * std::sqrt(said) + 1) << name;
      const double predicted = 1 - predicted_coverage(words.size(), bytes, bits_per_state);
      EXPECT_NEAR(predicted, missed / all, missed / all * 0.05 + 5 * std::sqrt(said + 1) / all)
          << name;
    }
}

TEST(BitStore, MissesAsManyWideStatesAsItSays) {
  constexpr std::size_t width = 3, count = 200'000;
  std::vector<Word> words(width * count, 5);
  for (std::size_t i = 0; i < count; ++i) {
    words[i * width + i % 2] = i / 2;
    words[i * width + 2] = i % 2;
  }
  BitStore store(width, arena(count));
  std::vector<std::uint8_t> fresh(count);
  store.insert_states(words, fresh);
  const double missed = static_cast<double>(count - count_of(fresh));
  EXPECT_GT(missed, 1000);
  EXPECT_NEAR(store.promise().expected_omissions, missed, missed * 0.1);
}

// There the estimate looks at one line in sixteen.
TEST(BitStore, MissesAsManyStatesAsItSaysInALargeArena) {
  const std::vector<Word> words = packed_words(2'000'000);
  BitStore store(1, arena((std::uint64_t{64} << 20) + 64, 1));
  const double missed = static_cast<double>(words.size() - count_of(insert(store, words)));
  EXPECT_GT(missed, 3000);
  EXPECT_NEAR(store.promise().expected_omissions, missed, missed * 0.1);
}

// Sixteen bits of arena for a state, and four set for each.
TEST(BitStore, CoversNearlyEverythingWithSixteenBitsAState) {
  const std::vector<Word> words = packed_words(500'000);
  BitStore store(1, arena(words.size() * 2));
  insert(store, words);
  EXPECT_GT(store.stats().states, words.size() / 10'000 * 9990);
}

// After that it may have missed everything or nothing, and says no more than the offers allow.
TEST(BitStore, KnowsThatItIsFull) {
  const std::vector<Word> words = packed_words(100'000);
  BitStore store(1, arena(64));
  insert(store, words);
  EXPECT_LE(store.stats().states, 511u);
  EXPECT_GT(store.promise().expected_omissions, 80'000);
  EXPECT_LE(store.promise().expected_omissions,
            static_cast<double>(words.size() - store.stats().states));
}

// What one run misses, another finds, but for what two independent ones would both miss.
TEST(BitStore, MissesOtherStatesWithAnotherSeed) {
  const std::vector<Word> words = packed_words(400'000);
  std::array<std::vector<std::uint8_t>, 2> fresh;
  for (const std::uint64_t seed : {0u, 1u}) {
    BitStoreOptions options = arena(words.size() / 2);
    options.seed = seed;
    BitStore store(1, options);
    fresh[seed] = insert(store, words);
  }
  constexpr std::size_t section = 4000;  // fills up little in its course
  double both_missed = 0, expected = 0;
  for (std::size_t begin = 0; begin < words.size(); begin += section) {
    std::array<double, 2> missed{};
    for (std::size_t i = begin; i < begin + section; ++i) {
      for (const std::size_t run : {0u, 1u}) missed[run] += 1 - fresh[run][i];
      both_missed += fresh[0][i] == 0 && fresh[1][i] == 0;
    }
    expected += missed[0] * missed[1] / section;
  }
  EXPECT_GT(expected, 300);
  EXPECT_NEAR(both_missed, expected, 6 * std::sqrt(expected));
}

// States that crowd one line do so with one seed only.
TEST(BitStore, ChoosesOtherLinesWithAnotherSeed) {
  constexpr std::uint64_t lines = 1000;
  std::vector<Word> words;
  for (Word word = 0; words.size() < 2000; ++word)
    if (place_of(hash_word(word), lines) == 7) words.push_back(word);
  for (const std::uint64_t seed : {0u, 1u, 2u, 1u << 20}) {
    BitStoreOptions options = arena(lines * 64);
    options.seed = seed;
    BitStore store(1, options);
    const std::uint64_t found = count_of(insert(store, words));
    if (seed == 0)
      EXPECT_LE(found, 511u);
    else
      EXPECT_GE(found, 1998u);
  }
}

// Threads that offer the same states at the same time: each is new for at most one of them.
TEST(BitStore, IsFilledByManyThreadsAtOnce) {
  constexpr unsigned threads = 4;
  const std::vector<Word> words = packed_words(400'000);
  for (const bool is_direct : {false, true}) {
    BitStoreOptions options = arena(words.size());
    options.threads = threads;
    std::vector<Word> offered = words;
    if (is_direct) {
      options.state_bits = 21;
      for (std::size_t i = 0; i < offered.size(); ++i) offered[i] = i * 5;
    }
    BitStore store(1, options);
    std::array<std::vector<std::uint8_t>, threads> fresh;
    std::latch start(threads);
    {
      std::vector<std::jthread> running;
      for (unsigned t = 0; t < threads; ++t)
        running.emplace_back([&, t] {
          fresh[t].resize(offered.size());
          start.arrive_and_wait();
          for (std::size_t begin = 0; begin < offered.size(); begin += 100)
            store.insert_states(std::span(offered).subspan(begin, 100),
                                std::span(fresh[t]).subspan(begin, 100));
        });
    }
    std::uint64_t total = 0;
    for (std::size_t i = 0; i < offered.size(); ++i) {
      const unsigned times = fresh[0][i] + fresh[1][i] + fresh[2][i] + fresh[3][i];
      ASSERT_LE(times, 1u);
      total += times;
    }
    EXPECT_EQ(store.stats().states, total);
    EXPECT_EQ(count_of(insert(store, offered)), 0u);
    const auto missed = static_cast<double>(offered.size() - total);
    EXPECT_NEAR(store.promise().expected_omissions, missed, missed * 0.15);
    EXPECT_EQ(missed == 0, is_direct);
  }
}

TEST(BitTheory, KnowsTheEasyCases) {
  EXPECT_EQ(predicted_coverage(0, 100, 4), 1);
  EXPECT_NEAR(predicted_coverage(1, 1 << 20, 4), 1, 1e-6);
  // One bit a state: of R states in H bits, H (1 - e^(-R/H)) are found.
  EXPECT_NEAR(predicted_coverage(1'000'000, 125'000, 1), 1 - std::exp(-1), 0.002);
  EXPECT_NEAR(predicted_coverage(1'000'000, 4'194'304, 1), 1 - 0.0148, 0.0002);
  // Far too many states: as many as there are bits.
  EXPECT_NEAR(predicted_coverage(100'000'000, 125'000, 1), 0.01, 0.0001);
}

}  // namespace
}  // namespace panoptes
