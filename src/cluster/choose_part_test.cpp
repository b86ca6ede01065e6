// SPDX-License-Identifier: Apache-2.0
// Who owns what: few steps lead to another rank, and each has its share.
#include "cluster/choose_part.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <barrier>
#include <set>
#include <thread>

#include "cluster/divide_places.hpp"
#include "cluster/level_sample.hpp"
#include "step/interpreter.hpp"
#include "support/counters.hpp"

namespace panoptes {
namespace {

struct DivisionMeasured {
  std::vector<double> states;  // by rank
  double sent = 0.0, steps = 0.0;
  double uneven = 0.0;  // states that ranks have more than their share of a level
};

// All states of a protocol, level by level.
DivisionMeasured measure(const Program& program, const Division& division, std::size_t ranks) {
  const Ownership ownership(division);
  Interpreter interpreter(program);
  DivisionMeasured result{std::vector<double>(ranks)};
  std::set<std::vector<Word>> known{{program.initial.begin(), program.initial.end()}};
  StateBatch level{program.layout.words, {}};
  level.push_back(program.initial);
  while (!level.empty()) {
    SuccessorBatch successors;
    std::vector<Finding> findings;
    interpreter.expand(level, successors, findings);
    StateBatch next{program.layout.words, {}};
    std::vector<double> states(ranks);
    for (std::size_t i = 0; i < level.size(); ++i) {
      const std::uint32_t owner = ownership.owner_of(level[i]);
      states[owner] += 1.0;
      for (std::size_t s = successors.first[i]; s < successors.first[i + 1]; ++s) {
        const StateView state = successors.states[s];
        result.steps += 1.0;
        result.sent += ownership.owner_of(state) != owner ? 1.0 : 0.0;
        if (known.insert({state.begin(), state.end()}).second) next.push_back(state);
      }
    }
    for (std::size_t rank = 0; rank < ranks; ++rank) result.states[rank] += states[rank];
    result.uneven +=
        std::ranges::max(states) - static_cast<double>(level.size()) / static_cast<double>(ranks);
    level = std::move(next);
  }
  return result;
}

TEST(ChosenPart, KeepsMostStepsAtHomeAndEveryLevelEven) {
  for (const bool wide : {false, true}) {
    const test::Compiled compiled = test::independent_counters(wide);
    for (const std::size_t ranks : {2u, 4u}) {
      const std::vector<double> shares(ranks, 1.0 / static_cast<double>(ranks));
      const Division division = choose_division(compiled.program, {shares}).division;
      const DivisionMeasured found = measure(compiled.program, division, ranks);
      double all = 0.0;
      for (const double states : found.states) all += states;
      EXPECT_LT(found.sent, found.steps * (ranks == 2 ? 0.25 : 0.45)) << wide;
      EXPECT_LT(std::ranges::max(found.states), 1.3 * all / static_cast<double>(ranks)) << wide;
      EXPECT_LT(found.uneven, 0.3 * all / static_cast<double>(ranks)) << wide;
    }
  }
}

TEST(ChosenPart, IsTheSameForTheSameProgram) {
  const test::Compiled compiled = test::independent_counters(true);
  const DivisionTask task{{0.5, 0.5}};
  const Division one = choose_division(compiled.program, task).division,
                 other = choose_division(compiled.program, task).division;
  EXPECT_EQ(one.bits, other.bits);
  EXPECT_EQ(one.owners, other.owners);
}

TEST(ChosenPart, IsTheBestOfThoseThatSeveralFindTogether) {
  const test::Compiled compiled = test::independent_counters(true);
  DivisionTask task{{0.25, 0.25, 0.25, 0.25}};
  const ChosenDivision alone = choose_division(compiled.program, task);
  task.lookers = 3;
  std::vector<ChosenDivision> found;
  for (task.looker = 0; task.looker < task.lookers; ++task.looker)
    found.push_back(choose_division(compiled.program, task));
  const auto best = std::ranges::min_element(found, {}, &ChosenDivision::cost);
  EXPECT_EQ(best->cost, alone.cost);
  EXPECT_EQ(best->division.bits, alone.division.bits);
  EXPECT_EQ(best->division.owners, alone.division.owners);
  EXPECT_GT(std::ranges::max_element(found, {}, &ChosenDivision::cost)->cost, alone.cost);
}

// Threads that tell each other what they have found.
class Round {
 public:
  explicit Round(unsigned count) : told_(count), meeting_(count) {}

  Gather of(unsigned looker) {
    return [this, looker](const Numbers& own) {
      told_[looker] = own;
      meeting_.arrive_and_wait();
      std::optional<std::vector<Numbers>> all = told_;
      meeting_.arrive_and_wait();
      return all;
    };
  }

 private:
  std::vector<Numbers> told_;
  std::barrier<> meeting_;
};

TEST(ChosenPart, ThreadsMakeTheSampleTogetherThatOneMakesAlone) {
  for (const bool wide : {false, true}) {
    const test::Compiled compiled = test::independent_counters(wide);
    DivisionTask task{{0.25, 0.25, 0.25, 0.25}};
    const LevelSample alone(compiled.program, task);
    ASSERT_FALSE(alone.levels().empty());
    Round round(3);
    task.lookers = 3;
    std::vector<std::jthread> threads;
    for (unsigned looker = 0; looker < 3; ++looker)
      threads.emplace_back([&, looker, own = task]() mutable {
        own.looker = looker;
        own.gather = round.of(looker);
        const LevelSample together(compiled.program, own);
        EXPECT_FALSE(together.has_failed());
        EXPECT_EQ(together.changes(), alone.changes());
        EXPECT_EQ(together.rules_per_step(), alone.rules_per_step());
        ASSERT_EQ(together.levels().size(), alone.levels().size());
        for (std::size_t i = 0; i < alone.levels().size(); ++i) {
          const LevelSample::Level &its = together.levels()[i], &wanted = alone.levels()[i];
          EXPECT_TRUE(std::ranges::equal(its.states.words, wanted.states.words)) << i;
          EXPECT_TRUE(std::ranges::equal(its.successors.words, wanted.successors.words)) << i;
          EXPECT_EQ(its.sources, wanted.sources) << i;
        }
      });
  }
}

// One of them has no memory for its part, at whatever moment: nobody waits for it.
TEST(ChosenPart, ThreadsHaveNoSampleWhereOneHasNoMemory) {
  const test::Compiled compiled = test::independent_counters(false);
  for (int calls = 0; calls < 8; ++calls) {
    Round round(2);
    std::vector<std::jthread> threads;
    for (unsigned looker = 0; looker < 2; ++looker)
      threads.emplace_back([&, looker] {
        DivisionTask task{.shares = {0.5, 0.5}, .looker = looker, .lookers = 2};
        task.gather = [&, gather = round.of(looker), left = calls](const Numbers& own) mutable {
          return gather(looker == 1 && left-- == 0 ? Numbers() : own);
        };
        EXPECT_TRUE(LevelSample(compiled.program, task).has_failed()) << calls;
      });
  }
}

TEST(ChosenPart, IsThereForAProtocolOfOneState) {
  const test::Compiled compiled = test::compile("proc p { skip }");
  const Division division = choose_division(compiled.program, {{0.25, 0.75}}).division;
  EXPECT_EQ(division.bits.size(), compiled.program.layout.words);
  EXPECT_GE(division.owners.size(), 4096u);
}

TEST(ChosenPart, IsThereWhereThereIsLittleRoomOrNoTime) {
  const test::Compiled counters = test::independent_counters(true),
                       chain = test::compile(
                           "proc p var x : 0..9999; { do :: x = (x + 1) % 10000 od }");
  for (const test::Compiled* compiled : {&counters, &chain})
    for (const std::uint64_t bytes : {0u, 1'000u, 100'000u, 1'000'000u})
      for (const double seconds : {1.0, -1.0}) {
        const Division division =
            choose_division(compiled->program, {.shares = {0.5, 0.5},
                                                .sample_bytes = bytes,
                                                .deadline = Deadline([=] { return seconds; })})
                .division;
        EXPECT_EQ(division.bits.size(), compiled->program.layout.words);
        const auto places = static_cast<double>(division.owners.size());
        EXPECT_GE(places, 4096.0);
        for (const int rank : {0, 1})
          EXPECT_NEAR(static_cast<double>(std::ranges::count(division.owners, rank)), places / 2,
                      places / 4);
      }
}

// Two rings of places, with one step between them: a rank has one of them, and its half of both
// levels.
TEST(DividedPlaces, StayTogetherWhereStepsLead) {
  PlaceSample sample;
  sample.levels = 2;
  std::vector<std::uint16_t> owners(64);
  for (std::uint32_t place = 0; place < 64; ++place) {
    owners[place] = static_cast<std::uint16_t>(place * 7 % 13 % 2);
    for (const std::uint32_t level : {0u, 1u}) {
      sample.states.push_back({level, place});
      sample.states_apart.push_back({level, place});
    }
    const std::uint32_t ring = place / 32 * 32;
    for (const std::uint32_t far : {1u, 2u, 5u})
      for (const bool is_apart : {false, true})
        sample.steps.push_back({place, ring + (place + far) % 32, is_apart});
  }
  std::ranges::stable_sort(sample.states, {}, &PlaceSample::State::level);
  sample.steps.push_back({0, 63, false});
  const std::vector<double> shares{0.5, 0.5};
  const double before = cost_of(sample, owners, shares, 64.0);
  owners = divide_places(sample, owners.size(), shares);
  EXPECT_LT(cost_of(sample, owners, shares, 64.0), before - 0.3);
  EXPECT_NEAR(static_cast<double>(std::ranges::count(owners, 0)), 32.0, 8.0);
}

}  // namespace
}  // namespace panoptes
