// SPDX-License-Identifier: Apache-2.0
// An exact store that runs out of memory and goes on with less, against a set of all states.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cmath>
#include <random>
#include <set>
#include <thread>
#include <vector>

#include "store/exact_store.hpp"
#include "support/sample.hpp"

namespace panoptes {
namespace {

using State = StateWords;

constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20;

// State number i: 0 is all zeros; the others differ from their neighbours in every word, so that
// wide ones need many nodes.
State state_of(Word i, std::size_t width) {
  State state(width);
  for (std::size_t w = 0; w < width; ++w) state[w] = i == 0 ? 0 : i * (2 * w + 1) % 1'000'003;
  state[0] = i;
  return state;
}

SuccessorBatch batch_of(Word begin, Word end, std::size_t width) {
  SuccessorBatch batch;
  batch.clear(width);
  for (Word i = begin; i < end; ++i) {
    batch.states.push_back(state_of(i, width));
    batch.rules.push_back(0);
  }
  batch.close_state(0);
  return batch;
}

class Switching : public testing::TestWithParam<std::size_t> {
 protected:
  const std::size_t width = GetParam();
};
INSTANTIATE_TEST_SUITE_P(Widths, Switching, testing::Values(1, 2, 5, 12),
                         [](const auto& param) { return std::to_string(param.param); });

// Every other batch is one that was there before.
TEST_P(Switching, CallsNoStateNewTwiceAndMissesAsManyAsItSays) {
  MemoryBudget budget(mebibyte);
  ExactStore store(width, 1, &budget);
  constexpr Word states = 400'000, at_once = 200;
  std::mt19937_64 random(7);
  std::set<Word> found;
  std::uint64_t missed = 0, known = 0;
  bool was_exact = true;
  for (Word begin = 0; begin < states; begin += at_once) {
    for (const bool is_new : {true, false}) {
      const Word from = is_new ? begin : random() % (begin + 1) / at_once * at_once;
      SuccessorBatch batch = batch_of(from, from + at_once, width);
      store.insert(batch, {width, {}});
      const bool is_exact = !store.promise().may_omit;
      ASSERT_LE(is_exact, was_exact) << "never exact again";
      for (Word i = 0; i < at_once; ++i) {
        ASSERT_LE(batch.fresh[i], 1);
        if (batch.fresh[i] != 0) {
          ASSERT_TRUE(found.insert(from + i).second) << "state " << from + i << " is new again";
        } else if (is_new) {
          ++missed;
          ASSERT_FALSE(is_exact) << "it says that it is exact, and is not";
        }
      }
      was_exact = is_exact;
    }
    ASSERT_GE(store.stats().states, known);
    known = store.stats().states;
    ASSERT_EQ(known, found.size());
    if (begin == 0) {
      ASSERT_TRUE(was_exact);
    }
  }
  ASSERT_FALSE(was_exact);
  EXPECT_FALSE(store.insert_one(State(width, 0)));
  EXPECT_EQ(budget.store_bytes(), store.stats().bytes) << "what was taken and not given back";
  EXPECT_LE(store.stats().bytes, budget.limit());
  EXPECT_GT(missed, 300u) << "nothing to hold the estimate against";
  const auto wanted = static_cast<double>(missed);
  EXPECT_NEAR(store.promise().expected_omissions, wanted, wanted * 0.15 + 5 * std::sqrt(wanted));
}

// With room for all, the same states are all kept, and the promise says so.
TEST_P(Switching, DoesNotHappenWhereThereIsRoom) {
  MemoryBudget budget(256 * mebibyte);
  ExactStore store(width, 1, &budget);
  for (Word begin = 0; begin < 400'000; begin += 200) {
    SuccessorBatch batch = batch_of(begin, begin + 200, width);
    store.insert(batch, {width, {}});
    for (const std::uint8_t fresh : batch.fresh) ASSERT_EQ(fresh, 1);
  }
  EXPECT_FALSE(store.promise().may_omit);
  EXPECT_EQ(store.stats().states, 400'000u);
  EXPECT_EQ(budget.store_bytes(), store.stats().bytes);
}

// Successors of states whose nodes were numbered before the switch, and of others.
TEST_P(Switching, KnowsStatesByTheSameNameFromAnySource) {
  MemoryBudget budget(mebibyte);
  ExactStore store(width, 1, &budget);
  std::mt19937_64 random(3);
  std::set<State> found;
  StateBatch sources{width, StateWords(width, 0)};
  for (int round = 0; round < 600; ++round) {
    SuccessorBatch batch;
    batch.clear(width);
    for (std::size_t source = 0; source < sources.size(); ++source) {
      for (int s = 0; s < 4; ++s) {
        State state(sources[source].begin(), sources[source].end());
        for (std::size_t change = 0; change <= random() % 2; ++change)
          state[random() % width] = width == 1 ? random() % 300'000 : random() % 700;
        batch.states.push_back(state);
        batch.rules.push_back(0);
      }
      batch.close_state(0);
    }
    store.insert(batch, sources);
    StateBatch next{width, {}};
    for (std::size_t i = 0; i < batch.size(); ++i) {
      const StateView state = batch.states[i];
      if (batch.fresh[i] != 0) {
        ASSERT_TRUE(found.emplace(state.begin(), state.end()).second) << "new again";
      } else if (!found.contains(State(state.begin(), state.end()))) {
        ASSERT_TRUE(store.promise().may_omit);
      }
      if (next.size() < 100) next.push_back(batch.states, batch.size() - 1 - i);
    }
    ASSERT_EQ(store.stats().states, found.size());
    sources = std::move(next);
  }
  EXPECT_TRUE(store.promise().may_omit);
}

// Four threads offer the same states in different orders, before, during and after the switch.
// State 0 comes when the table may be on its way into bits.
TEST(SwitchingThreads, EachStateIsNewForAtMostOneOfThem) {
  constexpr unsigned threads = 4;
  constexpr Word at_once = 500;
  for (const std::size_t width : test::sample_of(std::vector<std::size_t>{1, 2, 5, 12}, 2)) {
    const Word states = width <= 2 ? 120'000 : 60'000;  // fewer: wide ones need many nodes
    MemoryBudget budget((width == 1 ? 2 : 6) * mebibyte / 2);
    ExactStore store(width, threads, &budget);
    std::vector<std::atomic<std::uint8_t>> times(states);
    std::array<std::uint64_t, threads> fresh{};
    {
      std::vector<std::jthread> running;
      for (unsigned t = 0; t < threads; ++t)
        running.emplace_back([&, t] {
          std::uint64_t known = 0;
          for (Word n = 0; n < states; n += at_once) {
            // Two upwards, two downwards, so that state 0 is among the first and the last.
            const Word begin = t % 2 == 0 ? n : states - at_once - n;
            SuccessorBatch batch = batch_of(begin, begin + at_once, width);
            store.insert(batch, {width, {}});
            for (Word i = 0; i < at_once; ++i) {
              fresh[t] += batch.fresh[i];
              times[begin + i] += batch.fresh[i];
            }
            const std::uint64_t now = store.stats().states;
            EXPECT_GE(now, known);
            known = now;
          }
        });
    }
    for (const auto& count : times) ASSERT_LE(count, 1);
    EXPECT_TRUE(store.promise().may_omit);
    EXPECT_EQ(fresh[0] + fresh[1] + fresh[2] + fresh[3], store.stats().states);
    EXPECT_GT(store.stats().states, states / 2);
    EXPECT_FALSE(store.insert_one(state_of(0, width)));
    EXPECT_FALSE(store.insert_one(state_of(states - 1, width)));
  }
}

// The word 0 has no place in the table; while its words move to other memory it must not be new.
TEST(SwitchingThreads, ZeroIsNewOnceWhileAllWordsMove) {
  for (int round = 0; round < (test::has_all_samples() ? 10 : 3); ++round) {
    MemoryBudget budget(mebibyte / 2);
    ExactStore store(1, 2, &budget);
    const std::uint64_t at_first = budget.store_bytes();
    std::atomic<std::uint64_t> zeros{0}, others{0};
    std::atomic<bool> is_over{false};
    {
      const std::jthread filler([&] {
        for (Word begin = 1; begin < 60'001; begin += 100) {
          SuccessorBatch batch = batch_of(begin, begin + 100, 1);
          store.insert(batch, {1, {}});
          for (const std::uint8_t fresh : batch.fresh) others += fresh;
        }
        is_over = true;
      });
      const std::jthread asker([&] {
        // There is no room to grow, so what the store has changes when its words begin to move.
        while (budget.store_bytes() == at_first && !is_over) std::this_thread::yield();
        while (!store.promise().may_omit && !is_over) zeros += store.insert_one(State{0});
        zeros += store.insert_one(State{0});
        zeros += store.insert_one(State{0});
      });
    }
    EXPECT_TRUE(store.promise().may_omit);
    EXPECT_LE(zeros, 1u);
    EXPECT_EQ(zeros + others, store.stats().states);
  }
}

TEST(MemoryBudget, GivesNoMoreThanItHas) {
  MemoryBudget budget(1000);
  EXPECT_EQ(budget.left_for_store(), 750u);
  EXPECT_FALSE(budget.take(751));
  EXPECT_EQ(budget.store_bytes(), 0u);
  EXPECT_TRUE(budget.take(750));
  EXPECT_FALSE(budget.take(1));
  EXPECT_EQ(budget.left_for_store(), 0u);
  budget.give_back(700);
  EXPECT_EQ(budget.left_for_store(), 700u);
  budget.set_others(400);  // and half of that again for what they will need
  EXPECT_EQ(budget.left_for_store(), 350u);
  budget.set_others(900);
  EXPECT_EQ(budget.left_for_store(), 0u);
  EXPECT_FALSE(budget.take(1));
  budget.take_anyway(2000);
  EXPECT_EQ(budget.store_bytes(), 2050u);
}

TEST(MemoryBudget, IsSpentBeforeTheLastSixteenth) {
  MemoryBudget budget(1600);
  EXPECT_FALSE(budget.has_less_left(16, 1500));
  EXPECT_TRUE(budget.has_less_left(16, 1501));
  budget.set_others(1400);
  EXPECT_FALSE(budget.has_less_left(16, 0));
  budget.take_anyway(101);
  EXPECT_TRUE(budget.has_less_left(16, 0));
  budget.set_others(700, 500);
  EXPECT_FALSE(budget.has_less_left(16, 899));
  EXPECT_TRUE(budget.has_less_left(16, 900));
  MemoryBudget endless(UINT64_MAX);
  EXPECT_TRUE(endless.take(std::uint64_t{1} << 50));
  EXPECT_FALSE(endless.has_less_left(16, std::uint64_t{1} << 50));
}

}  // namespace
}  // namespace panoptes
