// SPDX-License-Identifier: Apache-2.0
// Every exact store against one obvious model: a map from state to number.
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <memory>
#include <random>
#include <thread>
#include <unordered_map>
#include <utility>

#include "base/hash.hpp"
#include "store/compact_store.hpp"
#include "store/exact_store.hpp"
#include "store/numbered_store.hpp"

namespace panoptes {
namespace {

using State = StateWords;

struct StoreCase {
  std::string name;
  std::size_t width;
  std::function<std::unique_ptr<StateStore>()> make;
};

std::vector<StoreCase> every_store() {
  std::vector<StoreCase> cases;
  for (const std::size_t width : {1, 2, 3, 7, 16, 61}) {
    cases.push_back({"Numbered" + std::to_string(width), width,
                     [width] { return std::make_unique<NumberedStore>(width); }});
    cases.push_back({"Exact" + std::to_string(width), width,
                     [width] { return std::make_unique<ExactStore>(width); }});
    cases.push_back({"Compact" + std::to_string(width), width,
                     [width] { return std::make_unique<CompactStore>(width, 64); }});
  }
  return cases;
}

// States of a few bits each, so that many come twice; all-zero and all-one words among them.
State random_state(std::mt19937_64& random, std::size_t width) {
  State state(width);
  for (Word& word : state) {
    const std::uint64_t kind = random() % 4;
    word = kind == 0 ? 0 : kind == 1 ? ~Word{0} : random() % 512 << (random() % 2 * 55);
  }
  return state;
}

// Successors of random states: each differs from its source in a word or two, or not at all.
struct Family {
  StateBatch sources;
  SuccessorBatch successors;
};

Family random_family(std::mt19937_64& random, std::size_t width) {
  Family family;
  family.sources.width = width;
  family.successors.clear(width);
  for (std::size_t i = random() % 40; i > 0; --i) {
    const State source = random_state(random, width);
    family.sources.push_back(source);
    for (std::size_t s = random() % 6; s > 0; --s) {
      State state = source;
      for (std::size_t change = random() % 3; change > 0; --change)
        state[random() % width] = random() % 7;
      family.successors.states.push_back(state);
      family.successors.rules.push_back(0);
    }
    family.successors.close_state(0);
  }
  return family;
}

State copy(StateView view) { return {view.begin(), view.end()}; }

class Stores : public testing::TestWithParam<StoreCase> {};

TEST_P(Stores, AnswerAsAMapDoesWithAndWithoutSources) {
  const std::size_t width = GetParam().width;
  std::mt19937_64 random(42);
  const auto store = GetParam().make();
  std::map<State, std::uint64_t> model;
  for (int round = 0; round < 300; ++round) {
    Family family = random_family(random, width);
    if (round % 3 == 0) family.sources.clear();
    SuccessorBatch& batch = family.successors;
    store->insert(batch, family.sources);
    ASSERT_EQ(batch.fresh.size(), batch.size());
    for (std::size_t i = 0; i < batch.size(); ++i) {
      const auto [found, fresh] = model.try_emplace(copy(batch.states[i]), model.size());
      ASSERT_EQ(batch.fresh[i] != 0, fresh);
      if (!batch.numbers.empty()) {
        ASSERT_EQ(batch.numbers[i], found->second);
      }
    }
    ASSERT_EQ(store->stats().states, model.size());
  }
}

// States that differ in one place only, many more than a table has at first.
TEST_P(Stores, GrowAndForgetNothing) {
  const std::size_t width = GetParam().width;
  constexpr Word count = 50'000;
  const auto store = GetParam().make();
  State state(width, 3);
  for (const bool is_new : {true, false})
    for (Word i = 0; i < count; ++i) {
      state[i % width] = i + 4;
      ASSERT_EQ(store->insert_one(state), is_new) << i;
      state[i % width] = 3;
    }
  EXPECT_EQ(store->stats().states, count);
}

TEST_P(Stores, AreNeverWrong) {
  const StorePromise promise = GetParam().make()->promise();
  EXPECT_FALSE(promise.may_omit);
  EXPECT_FALSE(promise.may_repeat);
}

INSTANTIATE_TEST_SUITE_P(Every, Stores, testing::ValuesIn(every_store()),
                         [](const auto& param) { return param.param.name; });

// Every state is fresh for exactly one of the threads that offer it.
void fill_by_many_threads(std::size_t width,
                          const std::function<std::unique_ptr<StateStore>(unsigned)>& make) {
  constexpr unsigned threads = 4;
  constexpr Word states = 40'000;
  const auto store = make(threads);
  std::array<std::uint64_t, threads> fresh{};
  {
    std::vector<std::jthread> running;
    for (unsigned t = 0; t < threads; ++t)
      running.emplace_back([&, t] {
        for (Word begin = 0; begin < states; begin += 100) {
          StateBatch sources{width, StateWords(width, 1)};
          SuccessorBatch batch;
          batch.clear(width);
          for (Word i = begin; i < begin + 100; ++i) {
            State state(width, 1);
            state[i % width] = i * 7;
            batch.states.push_back(state);
            batch.rules.push_back(0);
          }
          batch.close_state(0);
          store->insert(batch, sources);
          for (const std::uint8_t is_fresh : batch.fresh) fresh[t] += is_fresh;
        }
      });
  }
  EXPECT_EQ(fresh[0] + fresh[1] + fresh[2] + fresh[3], states);
  EXPECT_EQ(store->stats().states, states);
}

TEST(Stores, AreFilledByManyThreadsAtOnce) {
  for (const std::size_t width : {1, 2, 5}) {
    fill_by_many_threads(
        width, [&](unsigned threads) { return std::make_unique<ExactStore>(width, threads); });
    fill_by_many_threads(width, [&](unsigned threads) {
      return std::make_unique<CompactStore>(width, 64, threads);
    });
    fill_by_many_threads(width, [&](unsigned) { return std::make_unique<NumberedStore>(width); });
  }
}

// Two words that an index tells apart only by looking at them, when it is as small as at first.
std::pair<Word, Word> words_of_like_hash() {
  std::unordered_map<std::uint64_t, Word> known;
  for (Word word = 1;; ++word) {
    const std::uint64_t hash = hash_word(word),
                        seen = (hash & ~((Word{1} << 40) - 1)) | hash % 1024;
    if (const auto [found, fresh] = known.try_emplace(seen, word); !fresh)
      return {found->second, word};
  }
}

// Who keeps something of each state has it in the order of their numbers.
TEST(NumberedStore, NumbersInOrder) {
  const auto [one, like_it] = words_of_like_hash();
  NumberedStore store(1);
  SuccessorBatch batch;
  batch.clear(1);
  for (const Word word : {one, like_it, one, ~one, like_it, ~like_it}) {
    batch.states.push_back(std::array<Word, 1>{word});
    batch.rules.push_back(0);
  }
  batch.close_state(0);
  store.insert(batch, {1, {}});
  EXPECT_EQ(std::vector(batch.numbers.begin(), batch.numbers.end()),
            (std::vector<std::uint64_t>{0, 1, 0, 2, 1, 3}));
}

// Whoever asks gets the same number for a state, twice in a batch or not, and numbers are dense.
TEST(NumberedStore, NumbersForManyThreadsAtOnce) {
  constexpr unsigned threads = 4;
  constexpr Word states = 20'000;
  NumberedStore store(2);
  std::array<std::vector<std::uint64_t>, threads> numbers;
  {
    std::vector<std::jthread> running;
    for (unsigned t = 0; t < threads; ++t)
      running.emplace_back([&store, &mine = numbers[t]] {
        constexpr Word together = 400;
        for (Word begin = 0; begin < states; begin += together) {
          SuccessorBatch batch;
          batch.clear(2);
          for (Word i = 0; i < 2 * together; ++i) {
            const Word number = begin + i / 2;
            batch.states.push_back(std::array<Word, 2>{number, number % 3});
            batch.rules.push_back(0);
          }
          batch.close_state(0);
          store.insert(batch, {2, {}});
          for (Word i = 0; i < 2 * together; i += 2) {
            EXPECT_EQ(batch.numbers[i], batch.numbers[i + 1]);
            EXPECT_EQ(batch.fresh[i + 1], 0);
            mine.push_back(batch.numbers[i]);
          }
        }
      });
  }
  std::vector<bool> is_given(states);
  for (Word i = 0; i < states; ++i) {
    const std::uint64_t number = numbers[0][i];
    ASSERT_LT(number, states);
    EXPECT_FALSE(is_given[number]);
    is_given[number] = true;
    for (unsigned t = 1; t < threads; ++t) ASSERT_EQ(numbers[t][i], number);
    EXPECT_EQ(store.state(number)[0], i);
    EXPECT_EQ(store.state(number)[1], i % 3);
  }
}

// Who grows in time does not have to later, and forgets nothing.
TEST(ExactStore, GrowsBeforeItMust) {
  for (const std::size_t width : {1, 3}) {
    ExactStore store(width);
    const auto insert = [&](Word count) {
      std::uint64_t fresh = 0;
      for (Word i = 0; i < count; ++i) fresh += store.insert_one(State(width, i * 977)) ? 1 : 0;
      return fresh;
    };
    EXPECT_EQ(insert(20'000), 20'000u);
    while (!store.must_grow_for(1.2)) store.insert_one(State(width, ~store.stats().states));
    const std::uint64_t states = store.stats().states, bytes = store.stats().bytes;
    EXPECT_FALSE(store.must_grow_for(1.0));
    store.grow_for(1.0);
    EXPECT_EQ(store.stats().bytes, bytes);
    store.grow_for(1.2);
    EXPECT_FALSE(store.must_grow_for(1.2));
    EXPECT_EQ(insert(20'000), 0u);
    EXPECT_EQ(store.stats().states, states);
  }
}

// A state of one word takes at most sixteen bytes, and a huge page.
TEST(ExactStore, KeepsAWordInSixteenBytes) {
  ExactStore store(1);
  constexpr Word count = 3'000'000;
  SuccessorBatch batch;
  for (Word begin = 0; begin < count; begin += 1000) {
    batch.clear(1);
    for (Word i = begin; i < begin + 1000; ++i) {
      batch.states.push_back(std::array<Word, 1>{i});
      batch.rules.push_back(0);
    }
    batch.close_state(0);
    store.insert(batch, {1, {}});
  }
  EXPECT_EQ(store.stats().states, count);
  EXPECT_LE(store.stats().bytes, count * 16 + (2 << 20));
}

}  // namespace
}  // namespace panoptes
