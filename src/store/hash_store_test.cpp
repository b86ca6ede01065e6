// SPDX-License-Identifier: Apache-2.0
// A store of fingerprints may differ from a set only in the way it admits, and as often as it says.
#include "store/hash_store.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <thread>
#include <vector>

namespace panoptes {
namespace {

HashStoreOptions fingerprints(unsigned bits, std::uint64_t seed = 0) {
  HashStoreOptions options;
  options.fingerprint_bits = bits;
  options.seed = seed;
  return options;
}

// `count` different states, from `begin` on.
SuccessorBatch states(std::size_t width, Word begin, Word count) {
  SuccessorBatch batch;
  batch.clear(width);
  for (Word i = begin; i < begin + count; ++i) {
    StateWords state(width, 9);
    state[i % width] = i << 20;
    batch.states.push_back(state);
    batch.rules.push_back(0);
  }
  batch.close_state(0);
  return batch;
}

std::uint64_t insert(HashStore& store, SuccessorBatch batch) {
  store.insert(batch, StateBatch{batch.states.width, {}});
  EXPECT_EQ(batch.fresh.size(), batch.size());
  return static_cast<std::uint64_t>(std::count(batch.fresh.begin(), batch.fresh.end(), 1));
}

TEST(HashStore, MissesAsManyStatesAsItSaysAndKnowsOldOnes) {
  for (const std::size_t width : {2u, 5u})
    for (const unsigned bits : {16u, 20u, 24u})
      for (const Word count : {1000u, 20'000u, 200'000u}) {
        HashStore store(width, fingerprints(bits));
        const std::uint64_t found = insert(store, states(width, 1, count));
        EXPECT_EQ(insert(store, states(width, 1, count)), 0u);
        EXPECT_EQ(store.stats().states, found);
        EXPECT_TRUE(store.promise().may_omit);
        EXPECT_FALSE(store.promise().may_repeat);
        const auto missed = static_cast<double>(count - found);
        const double said = store.promise().expected_omissions;
        // What is new becomes rare in the end, and the estimate coarse.
        EXPECT_NEAR(said, missed, missed * 0.05 + 5 * std::sqrt(said) + 1) << bits << ' ' << count;
      }
}

TEST(HashStore, MissesNothingWithManyBits) {
  for (const unsigned bits : {48u, 63u, 64u}) {
    HashStore store(3, fingerprints(bits));
    EXPECT_EQ(insert(store, states(3, 1, 100'000)), 100'000u);
    const double expected = std::ldexp(1e10, -static_cast<int>(bits) - 1);
    EXPECT_NEAR(store.promise().expected_omissions, expected, expected * 1e-3);
  }
}

TEST(HashStore, KeepsStatesOfOneWordAsTheyAre) {
  HashStore store(1, fingerprints(16));
  EXPECT_EQ(insert(store, states(1, 0, 200'000)), 200'000u);
  EXPECT_EQ(insert(store, states(1, 0, 200'000)), 0u);
  EXPECT_FALSE(store.promise().may_omit);
  EXPECT_EQ(store.promise().expected_omissions, 0);
}

TEST(HashStore, MissesOtherStatesWithAnotherSeed) {
  std::array<SuccessorBatch, 2> batches;
  for (const std::uint64_t seed : {0u, 1u}) {
    HashStore store(2, fingerprints(18, seed));
    batches[seed] = states(2, 1, 50'000);
    store.insert(batches[seed], StateBatch{2, {}});
  }
  unsigned missed = 0, both_missed = 0;
  for (std::size_t i = 0; i < batches[0].size(); ++i) {
    missed += !batches[0].fresh[i];
    both_missed += !batches[0].fresh[i] && !batches[1].fresh[i];
  }
  EXPECT_GT(missed, 4000u);
  EXPECT_GT(both_missed, 400u);  // about 550 are expected: chances grow from 0 to 17 %
  EXPECT_LT(both_missed, 700u);
}

TEST(HashStore, IsFilledByManyThreadsAtOnce) {
  constexpr unsigned threads = 4;
  constexpr Word count = 40'000;
  HashStoreOptions options = fingerprints(20);
  options.threads = threads;
  HashStore store(4, options);
  std::array<std::uint64_t, threads> fresh{};
  {
    std::vector<std::jthread> running;
    for (unsigned t = 0; t < threads; ++t)
      running.emplace_back([&, t] {
        for (Word begin = 0; begin < count; begin += 1000)
          fresh[t] += insert(store, states(4, begin + 1, 1000));
      });
  }
  HashStore alone(4, fingerprints(20));
  const std::uint64_t expected = insert(alone, states(4, 1, count));
  EXPECT_EQ(fresh[0] + fresh[1] + fresh[2] + fresh[3], expected);
  EXPECT_EQ(store.stats().states, expected);
}

}  // namespace
}  // namespace panoptes
