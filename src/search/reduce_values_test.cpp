// SPDX-License-Identifier: Apache-2.0
// Searches that forget values nobody will read: the same errors as short, in fewer states.
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "support/model.hpp"

namespace panoptes {
namespace {

using test::compile;
using test::Compiled;
using test::model_text;

Verdict check_with(const Compiled& compiled, bool values, CheckOptions options = {}) {
  options.reduce.values = values;
  return test::check(compiled, options);
}

// Errors by what makes them one, how long their trails are, and whether there are shorter ones.
std::vector<std::string> errors_and_depths(const Verdict& verdict) {
  std::vector<std::string> texts;
  for (const auto* list : {&verdict.errors, &verdict.warnings})
    for (const ErrorReport& error : *list) {
      std::string members;
      for (const Member& member : error.members) members += fmt::format(" {}", member.number);
      texts.push_back(fmt::format("{} [{}] in{} at {}{}", to_string(error.key.kind),
                                  fmt::join(error.key.parts, ","), members, error.depth,
                                  error.is_shortest ? "" : " or less"));
    }
  std::sort(texts.begin(), texts.end());
  texts.push_back(fmt::format("{}, {} dead", to_string(verdict.promise), verdict.dead_code.size()));
  return texts;
}

TEST(ValueReduction, KeepsEveryGroupOfErrorsOfEveryModelAndTheirLengths) {
  std::uint64_t models = 0, smaller = 0;
  for (const std::string& name : test::model_names())
    for (const TimeoutPolicy timeouts : {TimeoutPolicy::empty, TimeoutPolicy::lock}) {
      const Compiled compiled = compile(model_text(name), {.timeouts = timeouts});
      const Verdict whole = check_with(compiled, false), reduced = check_with(compiled, true);
      EXPECT_EQ(errors_and_depths(reduced), errors_and_depths(whole)) << name;
      EXPECT_EQ(reduced.fired, whole.fired) << name;
      EXPECT_EQ(reduced.passed, whole.passed) << name;
      EXPECT_LE(reduced.states, whole.states) << name;
      ++models;
      smaller += reduced.states < whole.states;
    }
  EXPECT_GT(smaller * 4, models) << "it should be worth something";
}

// What a sender sets back by hand need not be.
TEST(ValueReduction, SetsBackWhatWasSetBackByHand) {
  const std::string by_hand = model_text("sliding_window");
  const std::string line = "     number = 0\n";
  std::string without = by_hand, still = by_hand;
  ASSERT_NE(by_hand.find(line), std::string::npos);
  still.replace(by_hand.find(line), line.size(), "     number = number\n");
  without.replace(by_hand.find(line), line.size(), "     skip\n");
  const std::uint64_t states = check_with(compile(by_hand), true).states;
  EXPECT_GT(check_with(compile(still), false).states, check_with(compile(by_hand), false).states);
  EXPECT_EQ(check_with(compile(still), true).states, states);
  EXPECT_LT(check_with(compile(without), true).states, states) << "not even the step is there";
}

// The first value is dead when the error happens; the trail has it all the same.
TEST(ValueReduction, ShowsTheValuesAsWritten) {
  const Compiled compiled = compile(
      "channel c[2]; sink d; proc p var x; { c?m(x); d!n(x); c?m(x); d!a; assert(0) }\n"
      "proc q { if :: c!m(5) :: c!m(6) fi; c!m(7) }",
      {.minimise = false});
  const Verdict verdict = check_with(compiled, true);
  ASSERT_EQ(verdict.errors.size(), 1u);
  const ErrorReport& error = verdict.errors[0];
  EXPECT_TRUE(error.is_shortest);
  EXPECT_EQ(read(compiled.program.layout.variables[0], error.trail.last), 7);
  EXPECT_LT(verdict.states, check_with(compiled, false).states);
}

TEST(ValueReduction, FindsSequencesThatDoNotEndWhereTheyDo) {
  for (const std::string body : {"do :: x = 1 od", "do :: x = x + 1 od", "do :: x = 1; y = x od",
                                 "x = 7; do :: y = 1 - y; x = y :: d!m; break od"}) {
    const Compiled compiled =
        compile("sink d; proc p var x : 0..7 wraps, y : 0..1 wraps; { d!a; atomic { d!b; " + body +
                " }; d!e }");
    const Verdict whole = check_with(compiled, false);
    ASSERT_EQ(whole.errors.size(), 1u) << body;
    EXPECT_EQ(whole.errors[0].key.kind, ErrorKind::endless_atomic) << body;
    EXPECT_EQ(errors_and_depths(check_with(compiled, true)), errors_and_depths(whole)) << body;
  }
}

// The way through a sequence is made of states that were searched.
TEST(ValueReduction, MakesTrailsThroughIndivisibleSequences) {
  const Compiled compiled = compile(
      "sink d; proc p var x, y;\n"
      "{ atomic { if :: x = 1 :: x = 2 fi; d!m(x); if :: y = 1 :: y = 2 fi; d!n };\n"
      "  d!a; assert(y == 1) }");
  const Verdict whole = check_with(compiled, false), reduced = check_with(compiled, true);
  ASSERT_EQ(whole.errors.size(), 1u);
  EXPECT_EQ(errors_and_depths(reduced), errors_and_depths(whole));
  EXPECT_EQ(reduced.errors[0].trail.steps.size(), whole.errors[0].trail.steps.size());
  EXPECT_LT(reduced.states, whole.states);
}

TEST(ValueReduction, GoesWithAnyOrderStoreAndNumberOfThreads) {
  const Compiled compiled = compile(model_text("dining_philosophers"));
  const Verdict one = check_with(compiled, true);
  const Verdict whole = check_with(compiled, false);
  for (const Storage& storage :
       {Storage{ExactStates{}}, Storage{CompactStates{}}, Storage{Fingerprints{}}})
    for (const Order order : {Order::breadth, Order::depth})
      for (const unsigned threads : {1u, 2u})
        for (const StepperKind stepper : {StepperKind::native, StepperKind::interpreter}) {
          CheckOptions options;
          options.search = ExhaustiveSearch{.order = order, .storage = storage};
          options.threads = threads;
          options.stepper = stepper;
          const Verdict verdict = check_with(compiled, true, options);
          EXPECT_EQ(verdict.states, one.states);
          EXPECT_EQ(verdict.transitions, one.transitions);
          EXPECT_EQ(verdict.errors.size(), whole.errors.size());
        }
  CheckOptions both;
  both.reduce.internal = true;
  const Verdict internal = check_with(compiled, false, both);
  EXPECT_LT(check_with(compiled, true, both).states, std::min(one.states, internal.states));
}

// The graph of such a search is another one, so nothing is said about its cycles.
TEST(ValueReduction, LeavesCyclesUnknown) {
  CheckOptions options;
  options.search = ExhaustiveSearch{.storage = WholeGraph{}};
  const Verdict verdict =
      check_with(compile("sink d; proc p var x; { do :: x = 1 od }"), true, options);
  ASSERT_TRUE(verdict.graph);
  EXPECT_FALSE(verdict.graph->is_complete);
}

}  // namespace
}  // namespace panoptes
