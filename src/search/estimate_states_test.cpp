// SPDX-License-Identifier: Apache-2.0
#include "search/estimate_states.hpp"

#include <gtest/gtest.h>

#include "support/model.hpp"

namespace panoptes {
namespace {

// The levels of so many counters that each count to `most`, and how many states that is.
std::vector<std::uint64_t> counters(unsigned count, unsigned most) {
  std::vector<std::uint64_t> sizes = {1};
  for (unsigned i = 0; i < count; ++i) {
    std::vector<std::uint64_t> next(sizes.size() + most);
    for (std::size_t d = 0; d < sizes.size(); ++d)
      for (unsigned step = 0; step <= most; ++step) next[d + step] += sizes[d];
    sizes = std::move(next);
  }
  std::vector<std::uint64_t> known;
  for (const std::uint64_t size : sizes) known.push_back((known.empty() ? 0 : known.back()) + size);
  return known;
}

// What is known of a space when a share of it was seen.
std::vector<std::uint64_t> seen(std::vector<std::uint64_t> known, double share) {
  const double all = static_cast<double>(known.back());
  while (static_cast<double>(known.back()) > share * all) known.pop_back();
  return known;
}

TEST(EstimatedStates, AreThoseOfCountersWithinTheRange) {
  for (const auto& [count, most] : {std::pair(3u, 40u), {6u, 15u}, {8u, 7u}, {12u, 4u}}) {
    const auto known = counters(count, most);
    const auto all = static_cast<double>(known.back());
    for (const double share : {0.05, 0.2, 0.5, 0.9}) {
      const auto estimate = estimate_states(seen(known, share));
      ASSERT_TRUE(estimate) << count << " counters to " << most << ", " << share;
      EXPECT_LE(estimate->low, all) << count << " counters to " << most << ", " << share;
      EXPECT_GE(estimate->high, all) << count << " counters to " << most << ", " << share;
      EXPECT_LE(estimate->low, estimate->states);
      EXPECT_LE(estimate->states, estimate->high);
      // Where half was seen, it is near.
      if (share >= 0.5) {
        EXPECT_NEAR(estimate->states / all, 1, 0.5);
      }
    }
  }
}

// A model cut at every level from a thirtieth of its states on: where there is an estimate, the
// truth is within its range.
void holds_for_model(const std::string& name, const std::string& definitions) {
  const test::Compiled compiled = test::compile(test::model_text(name, definitions));
  CheckOptions options;
  const Verdict whole = test::check(compiled, options);
  std::vector<std::uint64_t> known = {1};
  std::size_t estimates = 0;
  for (std::uint64_t depth = 1; depth < whole.depth; ++depth) {
    options.limits.depth = depth;
    known.push_back(test::check(compiled, options).states);
    if (30 * known.back() < whole.states) continue;
    const auto estimate = estimate_states(known);
    if (!estimate) continue;
    ++estimates;
    EXPECT_LE(estimate->low, static_cast<double>(whole.states)) << name << ", depth " << depth;
    EXPECT_GE(estimate->high, static_cast<double>(whole.states)) << name << ", depth " << depth;
  }
  EXPECT_GT(estimates, whole.depth / 4) << name;
}

TEST(EstimatedStates, AreThoseOfModelsWithinTheRange) {
  holds_for_model("dining_philosophers", "");
  holds_for_model("two_phase_commit", "#define N 3\n");
  holds_for_model("sliding_window", "#define WINDOW 2\n");
}

// Levels that double for ever say nothing of an end, and few levels nothing at all.
TEST(EstimatedStates, AreNoneWhereNobodyKnows) {
  std::vector<std::uint64_t> doubling;
  for (unsigned d = 0; d < 40; ++d) doubling.push_back((std::uint64_t{2} << d) - 1);
  EXPECT_FALSE(estimate_states(doubling));
  EXPECT_FALSE(estimate_states({1, 3, 6}));
  EXPECT_FALSE(estimate_states({}));
}

// Levels between two samples share what became known between them.
TEST(EstimatedStates, AreTakenFromSamples) {
  std::vector<SearchSample> samples(3);
  samples[0] = {0.001, 1, 1, 0, 0};
  samples[1] = {0.002, 7, 4, 0, 3};
  samples[2] = {0.003, 9, 4, 0, 3};
  EXPECT_EQ(known_by_level(samples), (std::vector<std::uint64_t>{1, 3, 5, 7}));
  EXPECT_TRUE(known_by_level({}).empty());
}

}  // namespace
}  // namespace panoptes
