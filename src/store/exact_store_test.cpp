// SPDX-License-Identifier: Apache-2.0
#include "store/exact_store.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

namespace panoptes {
namespace {

using State = std::vector<Word>;

// States of a few bits each, so that many come twice; all-zero and all-one words among them.
State random_state(std::mt19937_64& random, std::size_t width) {
  State state(width);
  for (Word& word : state) {
    const std::uint64_t kind = random() % 4;
    word = kind == 0 ? 0 : kind == 1 ? ~Word{0} : random() % 512 << (random() % 2 * 55);
  }
  return state;
}

SuccessorBatch batch_of(const std::vector<State>& states, std::size_t width) {
  SuccessorBatch batch;
  batch.clear(width);
  for (const State& state : states) {
    batch.states.push_back(state);
    batch.rules.push_back(0);
  }
  batch.close_state(0);
  return batch;
}

class ExactStores : public testing::TestWithParam<std::size_t> {};  // width in words

// The model is std::map: state to number, in the order they became known.
TEST_P(ExactStores, AnswerAsAMapDoesBatchByBatch) {
  const std::size_t width = GetParam();
  std::mt19937_64 random(42);
  ExactStore store(width, true);
  std::map<State, std::uint64_t> model;
  for (int round = 0; round < 300; ++round) {
    std::vector<State> states;
    for (std::size_t i = random() % 400; i > 0; --i) states.push_back(random_state(random, width));
    SuccessorBatch batch = batch_of(states, width);
    store.insert(batch);
    ASSERT_EQ(batch.fresh.size(), states.size());
    ASSERT_EQ(batch.numbers.size(), states.size());
    for (std::size_t i = 0; i < states.size(); ++i) {
      const auto [found, fresh] = model.try_emplace(states[i], model.size());
      ASSERT_EQ(batch.fresh[i] != 0, fresh);
      ASSERT_EQ(batch.numbers[i], found->second);
    }
    ASSERT_EQ(store.stats().states, model.size());
  }
}

TEST_P(ExactStores, AnswerAsASetDoesStateByState) {
  const std::size_t width = GetParam();
  std::mt19937_64 random(7);
  ExactStore store(width);
  std::set<State> model;
  for (int i = 0; i < 20'000; ++i) {
    const State state = random_state(random, width);
    ASSERT_EQ(store.insert_one(state), model.insert(state).second) << i;
  }
}

// States that differ in one place only, many more than the first index and the first chunk hold.
TEST_P(ExactStores, GrowAndForgetNothing) {
  const std::size_t width = GetParam();
  constexpr Word count = 100'000;
  ExactStore store(width);
  State state(width, 3);
  for (Word i = 0; i < count; ++i) {
    state[i % width] = i;
    ASSERT_TRUE(store.insert_one(state)) << i;
    state[i % width] = 3;
  }
  EXPECT_EQ(store.stats().states, count);
  for (Word i = 0; i < count; ++i) {
    state[i % width] = i;
    ASSERT_FALSE(store.insert_one(state)) << i;
    state[i % width] = 3;
  }
  EXPECT_EQ(store.stats().states, count);
  EXPECT_GE(store.stats().bytes, count * (width * sizeof(Word) + 8));
  EXPECT_LE(store.stats().bytes, count * (width * sizeof(Word) * 2 + 32));
}

INSTANTIATE_TEST_SUITE_P(Widths, ExactStores, testing::Values(1, 2, 7),
                         [](const auto& width) { return std::to_string(width.param) + "Words"; });

TEST(ExactStore, IsNeverWrong) {
  const StorePromise promise = ExactStore(1).promise();
  EXPECT_FALSE(promise.may_omit);
  EXPECT_FALSE(promise.may_repeat);
  EXPECT_EQ(promise.expected_omissions, 0.0);
}

TEST(ExactStore, GivesNumbersOnlyWhereAsked) {
  ExactStore store(1);
  SuccessorBatch batch = batch_of({{1}, {2}, {1}}, 1);
  store.insert(batch);
  EXPECT_EQ(batch.fresh, (Buffer<std::uint8_t>{1, 1, 0}));
  EXPECT_TRUE(batch.numbers.empty());
}

TEST(ExactStore, TakesAnEmptyBatch) {
  ExactStore store(3, true);
  SuccessorBatch batch = batch_of({}, 3);
  store.insert(batch);
  EXPECT_TRUE(batch.fresh.empty());
  EXPECT_EQ(store.stats().states, 0u);
}

}  // namespace
}  // namespace panoptes
