// SPDX-License-Identifier: Apache-2.0
#include "search/trail_log.hpp"

#include <gtest/gtest.h>

#include <random>

namespace panoptes {
namespace {

struct Model {
  std::vector<TrailLog::Origin> origins{{0, 0}};  // of the initial state: never asked for
  std::uint64_t expansions = 0;
};

// Appends an expansion to both; where `share` is 0 no successor is fresh, where it is 1 all are.
void append(TrailLog& log, Model& model, std::size_t degree, double share, std::mt19937& random) {
  std::bernoulli_distribution is_fresh(share);
  std::vector<std::uint8_t> fresh(degree);
  for (std::uint32_t i = 0; i < degree; ++i) {
    fresh[i] = is_fresh(random);
    if (fresh[i] != 0) model.origins.push_back({model.expansions, i});
  }
  log.append(fresh);
  ++model.expansions;
}

void expect_same(const TrailLog& log, const Model& model, std::uint64_t stride = 1) {
  for (std::uint64_t number = 1; number < model.origins.size(); number += stride) {
    const TrailLog::Origin origin = log.origin(number);
    ASSERT_EQ(origin.expansion, model.origins[number].expansion) << number;
    ASSERT_EQ(origin.successor, model.origins[number].successor) << number;
  }
}

TEST(TrailLog, FindsTheOriginOfStatesWhoseExpansionsAreInAFile) {
  std::string problem;
  const auto file = SpillFile::make(testing::TempDir(), problem);
  ASSERT_TRUE(file) << problem;
  std::mt19937 random(12);
  TrailLog log;
  Model model;
  for (int i = 0; i < 60'000; ++i) {
    append(log, model, random() % 9, 0.4, random);
    if (i % 25'000 != 24'999) continue;
    const std::uint64_t before = log.bytes();
    log.spill(*file);
    EXPECT_LT(log.bytes(), before / 2);
  }
  expect_same(log, model, 7);
}

TEST(TrailLog, FindsTheOriginOfEveryStateWhateverTheDegrees) {
  std::mt19937 random(11);
  for (const double share : {0.02, 0.3, 0.9}) {
    TrailLog log;
    Model model;
    for (int i = 0; i < 1500; ++i) {
      static constexpr std::size_t odd[] = {0, 1, 31, 32, 33, 63, 64, 65, 1023, 1024, 1025};
      const std::size_t degree = random() % 20 == 0 ? odd[random() % std::size(odd)] : random() % 6;
      append(log, model, degree, share, random);
    }
    ASSERT_GT(model.origins.size(), 300u);
    expect_same(log, model);
  }
}

TEST(TrailLog, TakesAnExpansionOfVeryManySuccessors) {
  std::mt19937 random(12);
  TrailLog log;
  Model model;
  for (const std::size_t degree : {3u, 100'000u, 0u, 40'000u, 2u})
    append(log, model, degree, 0.1, random);
  expect_same(log, model, 101);
}

// Blocks without a fresh state begin with the same number as the next.
TEST(TrailLog, SkipsLongRunsInWhichNothingIsFresh) {
  std::mt19937 random(13);
  TrailLog log;
  Model model;
  for (int round = 0; round < 5; ++round) {
    for (int i = 0; i < 700; ++i) append(log, model, 3, 0.0, random);
    append(log, model, 2, 1.0, random);
    for (int i = 0; i < 255; ++i) append(log, model, 0, 0.0, random);
  }
  EXPECT_EQ(model.origins.size(), 11u);
  expect_same(log, model);
}

TEST(TrailLog, FindsEachStateWhileItGrows) {
  std::mt19937 random(14);
  TrailLog log;
  Model model;
  for (int i = 0; i < 600; ++i) {
    append(log, model, 1 + random() % 3, 0.5, random);
    if (model.origins.size() == 1) continue;
    const TrailLog::Origin last = log.origin(model.origins.size() - 1);
    ASSERT_EQ(last.expansion, model.origins.back().expansion);
    ASSERT_EQ(last.successor, model.origins.back().successor);
  }
}

TEST(TrailLog, NeedsFarLessThanFourBytesAState) {
  std::mt19937 random(15);
  TrailLog log;
  Model model;
  for (int i = 0; i < 100'000; ++i) append(log, model, 4, 0.25, random);
  EXPECT_LT(log.bytes(), 3 * model.origins.size());
}

}  // namespace
}  // namespace panoptes
