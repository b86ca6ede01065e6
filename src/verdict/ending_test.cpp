// SPDX-License-Identifier: Apache-2.0
#include "verdict/ending.hpp"

#include <gtest/gtest.h>

namespace panoptes {
namespace {

constexpr StorePromise exact{};
constexpr StorePromise good_hashes{.may_omit = true, .expected_omissions = 0.001};
constexpr StorePromise few_bits{.may_omit = true, .expected_omissions = 3.0};

std::string claim(const Ending& ending, const StorePromise& store) {
  const Conclusion found = conclusion_of(ending, store);
  return std::string(to_string(found.promise)) + ", " + std::string(to_string(found.stop));
}

TEST(Ending, OfASearchThatHasSeenAllIsAsGoodAsItsStore) {
  EXPECT_EQ(claim({}, exact), "exhaustive, finished");
  EXPECT_EQ(claim({}, good_hashes), "hashed, finished");
  EXPECT_EQ(claim({}, few_bits), "partial, states may have been taken for others");
}

TEST(Ending, IsPartialWhateverWasLeftOut) {
  EXPECT_EQ(claim({.told = Stop::time, .has_waiting = true}, exact), "partial, time limit reached");
  EXPECT_EQ(claim({.had_enough = true, .has_waiting = true}, exact),
            "partial, stopped at the first error");
  EXPECT_EQ(claim({.told = Stop::memory, .has_lost_states = true}, exact),
            "partial, memory limit reached");
  EXPECT_EQ(claim({.dropped = 1}, exact), "partial, memory limit reached");
  EXPECT_EQ(claim({.is_cut_off = true}, exact), "partial, depth limit reached");
  EXPECT_EQ(claim({.deselected = 1}, exact), "partial, successors left out by choice");
  EXPECT_EQ(claim({.unexpanded = 1}, exact), "partial, states with errors were not expanded");
  EXPECT_EQ(claim({.is_folded = true}, exact), "partial, states folded together");
  EXPECT_EQ(claim({.is_sample = true}, exact), "partial, random walks are a sample");
  EXPECT_EQ(claim({.is_cut_off = true, .is_sample = true}, exact),
            "partial, random walks are a sample");
}

// It was told to end, but there was nothing left.
TEST(Ending, ByALimitThatCameTooLateIsNone) {
  EXPECT_EQ(claim({.told = Stop::time}, exact), "exhaustive, finished");
  EXPECT_EQ(claim({.had_enough = true}, exact), "exhaustive, finished");
}

TEST(Ending, SaysHowFarTrailsAreTheShortest) {
  EXPECT_TRUE(has_all_to(7, {}, exact));
  EXPECT_TRUE(has_all_to(7, {.unexpanded = 1, .unexpanded_depth = 7}, exact));
  EXPECT_FALSE(has_all_to(8, {.unexpanded = 1, .unexpanded_depth = 7}, exact));
  EXPECT_FALSE(has_all_to(1, {}, good_hashes));
  EXPECT_FALSE(has_all_to(1, {.dropped = 1}, exact));
  EXPECT_FALSE(has_all_to(1, {.deselected = 1}, exact));
  EXPECT_FALSE(has_all_to(1, {.is_folded = true}, exact));
  EXPECT_FALSE(has_all_to(1, {.is_reduced = true}, exact));
}

}  // namespace
}  // namespace panoptes
