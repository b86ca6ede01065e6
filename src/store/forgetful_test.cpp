// SPDX-License-Identifier: Apache-2.0
// Stores that forget, held against the obvious: a path is a vector that is searched from end to
// end.
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "store/cache_store.hpp"
#include "store/counting_store.hpp"
#include "store/no_store.hpp"
#include "store/path_store.hpp"

namespace panoptes {
namespace {

using State = StateWords;

constexpr std::size_t width = 3;

State state_of(std::uint64_t number) { return {number, number % 7, ~number}; }

// Goes up and down a path by chance. What is on the path must always be known; `may_know` says of
// what is not whether it may be.
template <typename MayKnow>
void wander(StateStore& store, std::uint64_t states, std::size_t longest, MayKnow may_know) {
  std::mt19937_64 random(7);
  std::vector<State> path;
  std::set<State> on_path, ever;
  for (int step = 0; step < 100'000; ++step) {
    if (!path.empty() && (path.size() == longest || random() % 5 < 2)) {
      store.leave();
      on_path.erase(path.back());
      path.pop_back();
      continue;
    }
    const State state = state_of(random() % states);
    const bool fresh = store.insert_one(state);
    if (on_path.contains(state)) {
      ASSERT_FALSE(fresh) << "a state of the path is called new";
      continue;
    }
    if (!fresh) {
      ASSERT_TRUE(may_know(state, ever));
      continue;
    }
    ever.insert(state);
    on_path.insert(state);
    path.push_back(state);
  }
}

TEST(PathStore, KnowsThePathAndNothingElse) {
  PathStore store(width);
  wander(store, 2'000, 1'500, [](const State&, const std::set<State>&) { return false; });
  PathStore few(width);
  wander(few, 20, 20, [](const State&, const std::set<State>&) { return false; });
}

TEST(PathStore, KeepsOnlyWhatItsFilterAdmits) {
  const auto is_even = [](StateView state) { return state[0] % 2 == 0; };
  PathStore store(width, is_even);
  for (std::uint64_t i = 0; i < 1'000; ++i) EXPECT_TRUE(store.insert_one(state_of(i)));
  EXPECT_EQ(store.kept(), 500u);
  for (std::uint64_t i = 0; i < 1'000; i += 2) EXPECT_FALSE(store.insert_one(state_of(i)));
  EXPECT_TRUE(store.insert_one(state_of(1))) << "it was not kept";
  for (int i = 0; i < 1'001; ++i) store.leave();
  EXPECT_EQ(store.kept(), 0u);
  EXPECT_TRUE(store.insert_one(state_of(0)));
  EXPECT_EQ(store.stats().states, 1'002u);
}

constexpr Replacement every_strategy[] = {Replacement::most, Replacement::least,
                                          Replacement::largest_class, Replacement::oldest,
                                          Replacement::subtree};

TEST(CacheStore, NeverGivesUpThePathAndKnowsOnlyWhatItHasSeen) {
  for (const Replacement strategy : every_strategy) {
    CacheStore store(width, {.places = 60, .replacement = strategy, .depth_bound = 0, .keeps = {}});
    wander(store, 200, 55,
           [](const State& state, const std::set<State>& ever) { return ever.contains(state); });
    const CacheStats stats = store.cache_stats();
    EXPECT_EQ(stats.states, 60u) << static_cast<int>(strategy);
    EXPECT_GT(stats.given_up, 1'000u) << static_cast<int>(strategy);
    EXPECT_EQ(stats.given_up + stats.states, store.stats().states) << static_cast<int>(strategy);
  }
}

TEST(CacheStore, KnowsEverythingWhereThereIsRoom) {
  CacheStore store(width, {.places = 5'000, .replacement = {}, .depth_bound = 0, .keeps = {}});
  std::set<State> model;
  std::mt19937_64 random(3);
  for (int i = 0; i < 20'000; ++i) {
    const State state = state_of(random() % 4'000);
    const bool fresh = store.insert_one(state);
    EXPECT_EQ(fresh, model.insert(state).second);
    if (fresh) store.leave();
  }
  EXPECT_FALSE(store.promise().may_repeat);
  EXPECT_EQ(store.cache_stats().given_up, 0u);
}

// The path has its own room: behind the places, for as long as it is there.
TEST(CacheStore, TakesAPathThatIsLongerThanItHasPlaces) {
  for (const Replacement strategy : every_strategy) {
    CacheStore store(width, {.places = 10, .replacement = strategy, .depth_bound = 0, .keeps = {}});
    wander(store, 200, 150,
           [](const State& state, const std::set<State>& ever) { return ever.contains(state); });
    EXPECT_GT(store.cache_stats().given_up, 1'000u) << static_cast<int>(strategy);
    EXPECT_TRUE(store.promise().may_repeat);
  }
}

TEST(CacheStore, KeepsNoMoreThanItHasPlacesWhenThePathIsLeft) {
  for (const Replacement strategy : every_strategy) {
    CacheStore store(width, {.places = 10, .replacement = strategy, .depth_bound = 0, .keeps = {}});
    const std::uint64_t bytes_before = store.stats().bytes;
    for (std::uint64_t i = 0; i < 1'000; ++i) EXPECT_TRUE(store.insert_one(state_of(i)));
    for (std::uint64_t i = 0; i < 1'000; ++i) EXPECT_FALSE(store.insert_one(state_of(i)));
    EXPECT_GE(store.stats().bytes, bytes_before + 1'000 * width * sizeof(Word));
    for (int i = 0; i < 1'000; ++i) store.leave();
    const CacheStats stats = store.cache_stats();
    EXPECT_EQ(stats.states, 10u) << static_cast<int>(strategy);
    EXPECT_EQ(stats.given_up, 990u) << static_cast<int>(strategy);
    EXPECT_EQ(stats.recurrence.states(), (std::vector<std::uint64_t>{0, 0, 1'000}));
    for (std::uint64_t i = 0; i < 10; ++i) EXPECT_FALSE(store.insert_one(state_of(i)));
    EXPECT_TRUE(store.insert_one(state_of(10))) << static_cast<int>(strategy);
  }
}

// Four states off the path, the root on it: 0 visited once, 1 three times, 2 and 3 twice.
TEST(CacheStore, GivesUpTheStateItsStrategyNames) {
  const std::vector<std::pair<Replacement, std::uint64_t>> cases = {
      {Replacement::most, 1},
      {Replacement::least, 0},
      {Replacement::largest_class, 2},
      {Replacement::oldest, 0},
  };
  for (const auto& [strategy, victim] : cases) {
    CacheStore store(width, {.places = 5, .replacement = strategy, .depth_bound = 0, .keeps = {}});
    store.insert_one(state_of(100));
    for (const std::uint64_t i : {0, 1, 2, 3}) {
      store.insert_one(state_of(i));
      store.leave();
    }
    for (const std::uint64_t i : {1, 1, 2, 3}) EXPECT_FALSE(store.insert_one(state_of(i)));
    store.insert_one(state_of(50));
    for (const std::uint64_t i : {0, 1, 2, 3}) {
      if (i != victim) {
        EXPECT_FALSE(store.insert_one(state_of(i))) << static_cast<int>(strategy) << i;
      }
    }
    EXPECT_TRUE(store.insert_one(state_of(victim))) << static_cast<int>(strategy);
  }
}

TEST(CacheStore, GivesUpStatesOfTheDeeperHalfForTheSakeOfLargeSubtrees) {
  CacheStore store(
      width, {.places = 5, .replacement = Replacement::subtree, .depth_bound = 0, .keeps = {}});
  for (const std::uint64_t i : {100, 0, 1, 2, 3}) store.insert_one(state_of(i));
  for (int i = 0; i < 4; ++i) store.leave();
  EXPECT_FALSE(store.insert_one(state_of(1))) << "met at depth 1 now, as state 0 was";
  store.insert_one(state_of(50));
  for (const std::uint64_t i : {0, 1, 3})
    EXPECT_FALSE(store.insert_one(state_of(i))) << i << " was given up";
  EXPECT_TRUE(store.insert_one(state_of(2))) << "the first at depth 2 of 4 or deeper";
}

TEST(CacheStore, TakesANearerStateForNewOnceTheBoundHasCutSomethingOff) {
  CacheStore store(width, {.places = 9, .replacement = {}, .depth_bound = 3, .keeps = {}});
  for (std::uint64_t i = 0; i < 3; ++i) store.insert_one(state_of(i));  // depths 0 to 2
  store.leave();
  EXPECT_FALSE(store.insert_one(state_of(2))) << "nothing was cut off, it is as far as before";
  for (std::uint64_t i = 3; i < 5; ++i) store.insert_one(state_of(i));  // 4 is at the bound
  for (int i = 0; i < 3; ++i) store.leave();
  EXPECT_TRUE(store.insert_one(state_of(2))) << "at depth 1 now, not 2";
  EXPECT_FALSE(store.insert_one(state_of(3))) << "at depth 2, as before";
  EXPECT_EQ(store.cache_stats().nearer, 1u);
  EXPECT_TRUE(store.promise().may_repeat);
}

TEST(CountingStore, CountsDistinctStatesAndVisitsAndChangesNoAnswer) {
  NoStore forgetful;
  CountingStore store(forgetful, width);
  for (const std::uint64_t i : {1, 2, 3, 1, 1, 2}) EXPECT_TRUE(store.insert_one(state_of(i)));
  EXPECT_EQ(store.distinct_states(), 3u);
  EXPECT_EQ(store.stats().states, 6u);
  const Recurrence recurrence = store.recurrence();
  EXPECT_EQ(recurrence.states(), (std::vector<std::uint64_t>{0, 1, 1, 1}));
  EXPECT_DOUBLE_EQ(recurrence.probability_of_return(1), 2.0 / 3);
  EXPECT_DOUBLE_EQ(recurrence.probability_of_return(2), 1.0 / 2);
  EXPECT_DOUBLE_EQ(recurrence.probability_of_return(3), 0.0);
}

}  // namespace
}  // namespace panoptes
