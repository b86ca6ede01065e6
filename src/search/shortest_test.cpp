// SPDX-License-Identifier: Apache-2.0
#include "search/shortest.hpp"

#include <gtest/gtest.h>

#include "support/model.hpp"

namespace panoptes {
namespace {

// Whoever is first is done with first, so the one that fails at once comes last.
constexpr const char* fails_late =
    "sink c;\n"
    "proc first var x; { c!a; x = 1; c!a; x = 2; c!a; x = 3 }\n"
    "proc second { assert(0) }\n"
    "proc third { c!b; c!b; assert(0) }\n";

CheckOptions by_order(bool shortest) {
  CheckOptions options;
  options.reduce = {.internal = true, .order = true};
  options.shortest = shortest;
  return options;
}

std::vector<std::uint64_t> lengths_of(const Verdict& verdict) {
  std::vector<std::uint64_t> lengths;
  for (const ErrorReport& error : verdict.errors) lengths.push_back(error.search_step_count());
  return lengths;
}

bool are_shortest(const Verdict& verdict) {
  return std::ranges::all_of(verdict.errors,
                             [](const ErrorReport& error) { return error.is_shortest; });
}

TEST(Shortest, TrailsAreFoundByASecondSearch) {
  const test::Compiled compiled = test::compile(fails_late);
  const Verdict plain = test::check(compiled), reduced = test::check(compiled, by_order(false));
  const Verdict again = test::check(compiled, by_order(true));
  EXPECT_FALSE(are_shortest(reduced));
  EXPECT_FALSE(reduced.shortest);
  EXPECT_TRUE(are_shortest(again));
  EXPECT_EQ(lengths_of(again), lengths_of(plain));
  ASSERT_TRUE(again.shortest);
  EXPECT_EQ(again.shortest->ended, Stop::finished);
  EXPECT_EQ(again.states, reduced.states) << "what it has seen is no part of the reduced graph";
  EXPECT_EQ(again.promise, Promise::exhaustive);
}

TEST(Shortest, NothingIsSearchedForWhereThereIsNothingToShorten) {
  EXPECT_FALSE(
      test::check(test::compile("sink c; proc p { c!a } proc q { c!b }"), by_order(true)).shortest);
  CheckOptions plain = by_order(true);
  plain.reduce = {};
  EXPECT_FALSE(test::check(test::compile(fails_late), plain).shortest) << "they are the shortest";
}

TEST(Shortest, TrailsOfADepthFirstSearchAreFoundToo) {
  const test::Compiled compiled = test::compile(fails_late);
  CheckOptions deep;
  deep.search = ExhaustiveSearch{.order = Order::depth};
  EXPECT_FALSE(are_shortest(test::check(compiled, deep)));
  deep.shortest = true;
  const Verdict again = test::check(compiled, deep);
  EXPECT_TRUE(are_shortest(again));
  EXPECT_EQ(lengths_of(again), lengths_of(test::check(compiled)));
}

TEST(Shortest, IsNotSaidWhereThereIsNoTimeLeft) {
  CheckOptions options = by_order(true);
  const test::Compiled compiled = test::compile(fails_late);
  Verdict found = test::check(compiled, by_order(false));
  options.limits.seconds = 10.0;
  options.clock = [] { return 11.0; };
  std::string problem;
  const auto verdict = with_shortest_trails(compiled.program, compiled.sources, options, 1.0,
                                            std::move(found), problem);
  ASSERT_TRUE(verdict && verdict->shortest);
  EXPECT_EQ(verdict->shortest->ended, Stop::time);
  EXPECT_FALSE(are_shortest(*verdict));
}

// Six counters that are done one after the other, and a plain graph of more than a million states.
TEST(Shortest, IsNotSaidWhereThereIsTooLittleMemory) {
  const test::Compiled compiled = test::compile(
      "proc count[i : 0..5] var n : 0..9; { do :: (n < 9) -> n++ :: (n == 9) -> break od }\n"
      "channel c[1];\n"
      "proc last { c?go; assert(0) }\n"
      "proc first var n : 0..30; { do :: (n < 30) -> n++ :: (n == 30) -> break od; c!go }\n");
  CheckOptions options = by_order(true);
  options.limits.memory_bytes = 2u << 20;
  const Verdict verdict = test::check(compiled, options);
  ASSERT_FALSE(verdict.errors.empty());
  ASSERT_TRUE(verdict.shortest);
  EXPECT_EQ(verdict.shortest->ended, Stop::memory);
  EXPECT_FALSE(are_shortest(verdict));
  EXPECT_EQ(verdict.promise, Promise::exhaustive) << "of what it found first";
}

TEST(Shortest, IsNotSaidWhereSomebodyInterruptsIt) {
  CheckOptions options = by_order(true);
  std::atomic<bool> interrupted{true};
  const test::Compiled compiled = test::compile(fails_late);
  Verdict found = test::check(compiled, by_order(false));
  ASSERT_FALSE(found.errors.empty());
  options.interrupted = &interrupted;
  std::string problem;
  const auto verdict = with_shortest_trails(compiled.program, compiled.sources, options, 0.0,
                                            std::move(found), problem);
  ASSERT_TRUE(verdict && verdict->shortest);
  EXPECT_EQ(verdict->shortest->ended, Stop::interrupted);
  EXPECT_FALSE(are_shortest(*verdict));
}

}  // namespace
}  // namespace panoptes
