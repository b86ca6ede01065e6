// SPDX-License-Identifier: Apache-2.0
// What runs say of their coverage, held to protocols whose states are known in number.
#include "search/coverage.hpp"

#include <gtest/gtest.h>

#include "base/random.hpp"
#include "support/model.hpp"

namespace panoptes {
namespace {

// ---- the sample --------------------------------------------------------------------------------

StateBatch numbers(Word begin, Word end) {
  StateBatch batch;
  for (Word word = begin; word < end; ++word) batch.words.push_back(word);
  return batch;
}

TEST(StateSample, KnowsWhatEachRunKnewAndExpanded) {
  StateSample sample(1 << 20);
  sample.begin_run();
  sample.add(numbers(0, 100), numbers(50, 150));
  sample.begin_run();
  sample.add(numbers(0, 120), numbers(100, 200));
  sample.add(numbers(0, 10), numbers(0, 10));  // again
  sample.begin_run();
  sample.add(numbers(0, 10), numbers(10, 20));
  EXPECT_EQ(sample.runs(), 3u);
  EXPECT_EQ(sample.share(), 1.0);
  EXPECT_EQ(sample.states(), 200u);
  EXPECT_EQ(sample.seen_by(0), 100u);
  EXPECT_EQ(sample.seen_by(1), 120u);
  EXPECT_EQ(sample.seen_by(2), 10u);
  const Incidence all = sample.incidence();
  EXPECT_EQ(all.known, 200u);
  EXPECT_EQ(all.known_once, 50u);    // 150 to 199
  EXPECT_EQ(all.known_twice, 130u);  // 20 to 149
  EXPECT_EQ(all.seen, 120u);
  EXPECT_EQ(all.seen_once, 20u);
  const Incidence others = sample.incidence(1);
  EXPECT_EQ(others.known, 150u);
  EXPECT_EQ(others.known_once, 130u);
  EXPECT_EQ(others.known_twice, 20u);
  EXPECT_EQ(others.seen, 100u);
  EXPECT_EQ(others.seen_once, 90u);
}

TEST(StateSample, IsTheSamePartOfEveryRunHoweverMuchThereIs) {
  StateSample sample(48 << 10);  // of at most 1024 states
  for (const Word from : {0, 200'000, 0}) {
    sample.begin_run();
    for (Word begin = from; begin < from + 400'000; begin += 1000)
      sample.add(numbers(begin, begin + 1000), numbers(begin + 1000, begin + 2000));
  }
  EXPECT_LE(sample.states(), 1024u);
  EXPECT_GT(sample.states(), 384u);
  const Incidence all = sample.incidence();
  EXPECT_NEAR(static_cast<double>(all.seen) / sample.share(), 600'000, 80'000);
  EXPECT_NEAR(static_cast<double>(all.known_twice) / static_cast<double>(all.seen), 1.0 / 3, 0.07);
  EXPECT_NEAR(static_cast<double>(sample.seen_by(1)) / sample.share(), 400'000, 60'000);
  EXPECT_EQ(sample.seen_by(0), sample.seen_by(2));
}

// ---- the estimate, against the truth -----------------------------------------------------------

struct Known {
  const char* name;
  std::string file, definitions;
  int cases_of_each_arena = 2;
};
void PrintTo(const Known& known, std::ostream* out) { *out << known.name; }

std::string text_of(const Known& known) {
  std::ifstream file(std::string(PANOPTES_SOURCE_DIR) + "/" + known.file, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + known.file);
  return known.definitions + std::string(std::istreambuf_iterator<char>(file), {});
}

struct Tally {
  int cases = 0, broken = 0, above_half = 0, far = 0;
  double least = 1.0, most = 0.0;  // of the real coverage, short of 1
};

// A case: some runs in an arena in which one of them sees much or little of everything.
void add_case(const test::Compiled& compiled, double states, double arena_bits_per_state,
              std::uint64_t& random, Tally& tally) {
  CheckOptions options;
  const auto arena_bytes = static_cast<std::uint64_t>(arena_bits_per_state * states / 8);
  const auto bits_per_state = static_cast<unsigned>(1 + next_random(random) % 4);
  const std::uint64_t runs = 3 + next_random(random) % 14;
  options.search =
      ExhaustiveSearch{.storage = BitArena{arena_bytes, bits_per_state}, .course = Runs{runs}};
  options.seed = next_random(random);
  const Verdict found = test::check(compiled, options);
  const double real = static_cast<double>(found.states) / states;
  ASSERT_EQ(found.runs, runs);
  ++tally.cases;
  tally.least = std::min(tally.least, real);
  if (real < 1.0) tally.most = std::max(tally.most, real);
  if (!found.coverage) {
    EXPECT_LT(real, 0.5) << "no share is said";
    return;
  }
  const bool holds = found.coverage->at_most >= real - 1e-9;
  tally.broken += !holds;
  EXPECT_EQ(holds, static_cast<double>(found.coverage->states_at_least) <= states);
  EXPECT_LE(found.coverage->at_most, 1.0);
  EXPECT_GE(found.coverage->states_together, found.states);
  if (found.coverage->sampled_share == 1.0) {
    EXPECT_LE(static_cast<double>(found.coverage->states_together), states);
  }
  if (real <= 0.5) return;
  ++tally.above_half;
  tally.far += found.coverage->at_most > real + 0.1;
}

class CoverageOf : public testing::TestWithParam<Known> {};
INSTANTIATE_TEST_SUITE_P(
    Known, CoverageOf,
    testing::Values(Known{"Philosophers", "models/dining_philosophers.argos", ""},
                    Known{"LoadBalancer", "models/load_balancer.argos", ""},
                    Known{"Election", "bench/pairs/election.argos", "#define N 7\n"},
                    Known{"Counters", "bench/pairs/counters.argos",
                          "#define PROCESSES 2\n#define ROUNDS 5\n"},
                    Known{"Window", "models/sliding_window.argos", "", 1},
                    Known{"Commit", "models/two_phase_commit.argos", "#define N 4\n"}),
    [](const auto& param) { return std::string(param.param.name); });

// The bound holds in 95 of 100 cases; above one half a share is said, and at most ten points above
// the real one.
TEST_P(CoverageOf, RunsIsAtMostWhatTheySayAndNotMuchLess) {
  const test::Compiled compiled = test::compile(text_of(GetParam()));
  const auto states = static_cast<double>(test::check(compiled).states);
  std::uint64_t random = 7;
  Tally tally;
  for (const double arena : {0.03, 0.06, 0.1, 0.2, 0.4, 0.6, 0.8, 1.0,  1.25, 1.5,
                             1.75, 2.0,  2.5, 3.0, 4.0, 6.0, 8.0, 16.0, 32.0, 64.0})
    for (int i = 0; i < GetParam().cases_of_each_arena; ++i)
      add_case(compiled, states, arena, random, tally);
  EXPECT_EQ(tally.cases, 20 * GetParam().cases_of_each_arena);
  EXPECT_LE(tally.broken, tally.cases / 20);
  EXPECT_GT(tally.above_half, tally.cases / 3);
  EXPECT_EQ(tally.far, 0);
  EXPECT_LT(tally.least, 0.07);
  EXPECT_GT(tally.most, 0.99);
}

// ---- where nothing is said ---------------------------------------------------------------------

CheckOptions runs_in(std::uint64_t arena_bytes, std::uint64_t runs, unsigned bits_per_state = 4) {
  CheckOptions options;
  options.search =
      ExhaustiveSearch{.storage = BitArena{arena_bytes, bits_per_state}, .course = Runs{runs}};
  return options;
}

// Three states in a hundred, and all but four of 43,905.
TEST(Coverage, OfVeryLittleAndOfNearlyAllIsABound) {
  const test::Compiled compiled =
      test::compile(text_of({"Election", "bench/pairs/election.argos", "#define N 8\n"}));
  const auto states = static_cast<double>(test::check(compiled).states);
  struct Case {
    double arena_bits_per_state;
    unsigned bits_per_state;
    double from, to;  // the real share
  };
  for (const Case& each : {Case{0.035, 1, 0.025, 0.035}, {40.0, 3, 0.9998, 0.99999}}) {
    int broken = 0;
    for (int i = 0; i < 20; ++i) {
      CheckOptions options =
          runs_in(static_cast<std::uint64_t>(each.arena_bits_per_state * states / 8), 3 + i % 6,
                  each.bits_per_state);
      options.seed = 100 * static_cast<std::uint64_t>(i + 1);
      const Verdict found = test::check(compiled, options);
      const double real = static_cast<double>(found.states) / states;
      EXPECT_GT(real, each.from);
      EXPECT_LT(real, each.to);
      ASSERT_TRUE(found.coverage);
      broken += found.coverage->at_most < real;
      EXPECT_LE(found.coverage->at_most, std::max(real + 0.1, 5 * real));
    }
    EXPECT_LE(broken, 1);
  }
}

// What every run takes for something else on the way to it, walks may still come to.
TEST(Coverage, ComesWithErrorsThatWalksFind) {
  const test::Compiled compiled = test::compile(
      "var x : 0..40, y : 0..40; proc p { do :: (x < 40) -> x++ :: (x == 40) -> break od } "
      "proc q { do :: (y < 40) -> y++ :: (y == 40) -> break od; assert(x < 40) }",
      {.minimise = false});
  int found_by_walks = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    CheckOptions options = runs_in(512, 3, 1);
    options.seed = 3 * seed;
    const Verdict found = test::check(compiled, options);
    if (found.errors.empty()) continue;
    EXPECT_EQ(found.outcome, Outcome::violated);
    EXPECT_GT(found.first_error_states, 0u);
    found_by_walks += found.first_error_states > found.states_analysed;
  }
  EXPECT_GT(found_by_walks, 0);
}

TEST(Coverage, OfFewRunsIsUnknown) {
  const test::Compiled compiled = test::compile(test::model_text("load_balancer"));
  for (const std::uint64_t runs : {1, 2}) {
    const Verdict found = test::check(compiled, runs_in(2048, runs));
    EXPECT_EQ(found.runs, runs);
    EXPECT_EQ(found.stop, Stop::omission);
    EXPECT_FALSE(found.coverage);
    ASSERT_TRUE(found.expected_omissions);
    EXPECT_GT(*found.expected_omissions, 1.0);
  }
  EXPECT_TRUE(test::check(compiled, runs_in(2048, 3)).coverage);
}

TEST(Coverage, OfFewStatesIsUnknown) {
  const test::Compiled compiled = test::compile(test::model_text("flow_control"));
  const Verdict found = test::check(compiled, runs_in(64, 3));
  EXPECT_EQ(found.runs, 3u);
  EXPECT_TRUE(found.expected_omissions);
  EXPECT_FALSE(found.coverage);
}

// What a run did not come to, because somebody ended it, is no matter of its hash.
TEST(Coverage, OfRunsThatWereCutOffIsUnknown) {
  const test::Compiled compiled = test::compile(test::model_text("load_balancer"));
  CheckOptions shallow = runs_in(2048, 3);
  shallow.limits.depth = 40;
  CheckOptions short_of_time = runs_in(2048, 100);
  short_of_time.limits.seconds = 1.0;
  double now = 0.0;
  short_of_time.clock = [&] { return now += 0.0015; };
  CheckOptions selecting = runs_in(2048, 3);
  selecting.choice.keep = 2;
  for (const CheckOptions* options : {&shallow, &short_of_time, &selecting}) {
    const Verdict found = test::check(compiled, *options);
    EXPECT_GT(found.runs, 1u);
    EXPECT_NE(found.stop, Stop::omission);
    EXPECT_EQ(found.promise, Promise::partial);
    EXPECT_FALSE(found.coverage);
  }
}

// No store has a hash that says which states are in the sample.
TEST(Coverage, OfFingerprintsIsEstimatedToo) {
  const test::Compiled compiled =
      test::compile(text_of({"Election", "bench/pairs/election.argos", "#define N 7\n"}));
  const auto states = static_cast<double>(test::check(compiled).states);
  CheckOptions options;
  options.search = ExhaustiveSearch{.storage = Fingerprints{16}, .course = Runs{4}};
  const Verdict lossy = test::check(compiled, options);
  ASSERT_TRUE(lossy.coverage);
  EXPECT_GE(lossy.coverage->at_most, static_cast<double>(lossy.states) / states);
  EXPECT_LE(lossy.coverage->at_most, static_cast<double>(lossy.states) / states + 0.1);
  EXPECT_LT(lossy.coverage->at_most, 0.99);
  options.search = ExhaustiveSearch{.storage = Fingerprints{64}, .course = Runs{4}};
  const Verdict whole = test::check(compiled, options);
  ASSERT_TRUE(whole.coverage);
  EXPECT_EQ(whole.coverage->at_most, 1.0);
  EXPECT_EQ(whole.coverage->states_at_least, static_cast<std::uint64_t>(states));
  EXPECT_EQ(whole.promise, Promise::hashed);
}

// A sample that is a part says the same, but for its luck.
TEST(Coverage, FromASmallSampleIsABoundToo) {
  const test::Compiled compiled =
      test::compile(text_of({"Election", "bench/pairs/election.argos", "#define N 8\n"}));
  const auto states = static_cast<double>(test::check(compiled).states);
  CheckOptions options = runs_in(static_cast<std::uint64_t>(states / 4), 5);
  options.limits.memory_bytes = 8 << 20;
  const Verdict found = test::check(compiled, options);
  ASSERT_TRUE(found.coverage);
  EXPECT_LT(found.coverage->sampled_share, 0.2);
  const double real = static_cast<double>(found.states) / states;
  EXPECT_GT(real, 0.5);
  EXPECT_GE(found.coverage->at_most, real);
  EXPECT_LE(found.coverage->at_most, real + 0.1);
  EXPECT_NEAR(static_cast<double>(found.coverage->states_together), 0.8 * states, 0.2 * states);
}

}  // namespace
}  // namespace panoptes
