// SPDX-License-Identifier: Apache-2.0
#include "protocol/ranges.hpp"

#include <gtest/gtest.h>

#include "rules/layout.hpp"
#include "support/protocol.hpp"

namespace panoptes {
namespace {

using test::protocol_of;

// The range inferred for the variable `x` of a process with this body.
Interval range_of_x(const std::string& body, const std::string& declaration = "var x;") {
  const Protocol protocol =
      protocol_of("channel a, b; proc p " + declaration + " { " + body + " } proc q { a!m(9) }");
  for (const Variable& variable : protocol.variables)
    if (variable.name == "x") return variable.range;
  return {};
}

TEST(Ranges, HoldTheInitialValueAndEverythingAssigned) {
  EXPECT_EQ(range_of_x("(x == 0)"), (Interval{0, 0}));
  EXPECT_EQ(range_of_x("x = 5; x = -3"), (Interval{-3, 5}));
  EXPECT_EQ(range_of_x("x = 5", "var x = 2;"), (Interval{2, 5}));
  EXPECT_EQ(range_of_x("do :: x = (x + 1) % 4 od"), (Interval{0, 3}));
  EXPECT_EQ(range_of_x("do :: x +% 2 od"), (Interval{0, 1}));
  EXPECT_EQ(range_of_x("do :: x = 3 - x od"), (Interval{0, 3}));
}

TEST(Ranges, AreBoundedByTestsOnTheWay) {
  EXPECT_EQ(range_of_x("do :: (x < 10) -> x++ :: (x == 10) -> x = 0 od"), (Interval{0, 10}));
  EXPECT_EQ(range_of_x("do :: (x > -3) -> x-- :: (x == -3) -> break od"), (Interval{-3, 0}));
  EXPECT_EQ(range_of_x("do :: (x != 6 && x >= 0) -> x++ od"), (Interval{0, 6}));
  EXPECT_EQ(range_of_x("do :: (!(x > 4)) -> x++ od"), (Interval{0, 5}));
  EXPECT_EQ(range_of_x("do :: (3 > x || x == 7) -> x++ od"), (Interval{0, 3}));
  EXPECT_EQ(range_of_x("do :: x++ -> assert(x <= 20) od"), (Interval{0, 21}));
}

TEST(Ranges, OfACounterWithoutATestAreThoseItIsDeclaredWith) {
  EXPECT_EQ(range_of_x("do :: x++ od"), short_integer);
  EXPECT_EQ(range_of_x("do :: x++ od", "var x : 0..7;"), (Interval{0, 7}));
  EXPECT_EQ(range_of_x("do :: x = x * x + 3 od"), short_integer);
  EXPECT_EQ(range_of_x("do :: x = x - 1 od", "var x : -5..5 = 5;"), (Interval{-5, 5}));
}

// Nothing comes behind a step that always fails, and going round there makes no range larger.
TEST(Ranges, GrowByNothingThatAlwaysFails) {
  EXPECT_EQ(range_of_x("x = 3; do :: x = 0 + x :: skip od", "var x : 0..2;"), (Interval{0, 0}));
}

TEST(Ranges, OfReceivedValuesAreThoseOfTheMessagesSent) {
  EXPECT_EQ(range_of_x("a?m(x); b!n(x)"), (Interval{0, 9}));
  EXPECT_EQ(range_of_x("a?m(x)", "var x : 5..20;"), (Interval{5, 9}));
  EXPECT_EQ(range_of_x("a?m(x)", "var x : 0..3;"), (Interval{0, 0}));  // 9 is an error
  EXPECT_EQ(range_of_x("a?never(x)"), (Interval{0, 0}));
}

TEST(Ranges, OfMessageFieldsAreTheHullOfAllSends) {
  const Protocol protocol = protocol_of(
      "channel c[3] = { m(-4, 1) };\n"
      "proc p var x; { x = 7; c!m(x, 0); c!m(2); if :: (x == 0) -> c!m(100, 100) :: skip fi }\n"
      "proc q { c?m(_, _) }");
  const auto& sort = protocol.channels[0].sort;
  ASSERT_EQ(sort.size(), 2u);
  EXPECT_EQ(sort[0].values, (std::vector<Interval>{{-4, 7}, {0, 1}}));
  EXPECT_EQ(sort[1].values, (std::vector<Interval>{{2, 2}}));
}

TEST(Ranges, OfMessageFieldsWrapToSixteenBits) {
  const Protocol protocol =
      protocol_of("channel c; proc p var x = 30000; { c!m(x * 2) } proc q { c?m(_) }");
  EXPECT_EQ(protocol.channels[0].sort[0].values, (std::vector<Interval>{short_integer}));
}

// Any process may act in between: what one has tested, another may have changed.
TEST(Ranges, OfSharedVariablesHoldForAllProcesses) {
  const Protocol protocol = protocol_of(
      "var n, limit = 5;\n"
      "proc p[i : 0..1] { do :: (n < limit) -> n = n + 1 od }\n"
      "proc q { limit = 3 }");
  EXPECT_EQ(protocol.variables[1].range, (Interval{3, 5}));
  EXPECT_EQ(protocol.variables[0].range, short_integer);  // test and increment are two steps
  const Protocol guarded = protocol_of("var n; proc p { do :: (n == 0) -> n = 1 :: n = 0 od }");
  EXPECT_EQ(guarded.variables[0].range, (Interval{0, 1}));
}

TEST(Ranges, OfParametersIncludeZero) {
  const Protocol protocol = protocol_of(
      "channel c; procedure send(v) { c!m(v); c!m(v) } proc p var x = 6; { skip; send(x); x = 5; "
      "send(x + 1) }\n"
      "proc q { do :: c?m(_) od }");
  ASSERT_EQ(protocol.variables[1].name, "send.v");
  EXPECT_EQ(protocol.variables[1].range, (Interval{0, 6}));
  EXPECT_EQ(protocol.channels[0].sort[0].values, (std::vector<Interval>{{6, 6}}));
}

TEST(Ranges, FollowLengthsOfChannels) {
  EXPECT_EQ(range_of_x("x = len(a); x = full(b)"), (Interval{0, 2}));
}

TEST(Ranges, IgnoreWhatCanNeverHappen) {
  EXPECT_EQ(range_of_x("if :: (x == 1) -> x = 1000 :: x = 2 fi"), (Interval{0, 2}));
  EXPECT_EQ(range_of_x("if :: (0) -> x = 1000 :: skip fi"), (Interval{0, 0}));
  EXPECT_EQ(range_of_x("x = 1; assert(x == 0); x = 1000"), (Interval{0, 1}));
}

TEST(Ranges, OfQuotientsAndRemainders) {
  EXPECT_EQ(range_of_x("a?m(x); x = x / 2; x = -x % 5; x = 7 / (x - 2)"), (Interval{-7, 9}));
  EXPECT_EQ(range_of_x("do :: x = (x * 31 + 7) % 100 od"), (Interval{0, 99}));
  EXPECT_EQ(range_of_x("x = 1 % 0"), (Interval{0, 0}));  // never gets a value
}

// Two counters that chase each other still come to an end, whatever the constants.
TEST(Ranges, AreFoundInFiniteTime) {
  std::string text = "var x, y = 1; proc p { do :: (x < y) -> x = x + 1 :: y = y + x od }\n";
  text += "proc q var z; { do";
  for (int i = 0; i < 300; ++i) text += fmt::format(" :: (z == {}) -> z = {}", 7 * i, 7 * i + 1);
  const Protocol protocol = protocol_of(text + " :: z = z + y od }");
  for (const Variable& variable : protocol.variables) EXPECT_EQ(variable.range, short_integer);
}

// Very many variables and states share one interval per variable: coarse, but it ends.
TEST(Ranges, OfAVeryLargeProcessAreCoarserButRight) {
  std::string text = "proc p var x0";
  for (int i = 1; i < 1100; ++i) text += fmt::format(", x{}", i);
  text += "; { x1 = 5; x1 = x1";
  for (int i = 2; i < 1000; ++i) text += fmt::format("; x{} = x{} - 1", i, i - 1);
  const Protocol protocol = protocol_of(text + " }", {.minimise = false});
  for (std::size_t i = 0; i < 1000; ++i) {
    const std::int64_t value = i == 0 ? 0 : 6 - static_cast<std::int64_t>(i);
    ASSERT_TRUE(protocol.variables[i].range.contains(0)) << i;
    ASSERT_TRUE(protocol.variables[i].range.contains(value)) << i;
  }
}

// The sender of the paper on backward execution takes 37 bits with inferred ranges; sixteen bits
// for each variable and value would be six times as many.
TEST(Ranges, LetTheSetupHandshakeFitThirtySevenBits) {
  const Protocol protocol = protocol_of(test::model_text("setup_handshake"), {.minimise = false});
  for (const Variable& variable : protocol.variables)
    EXPECT_EQ(variable.range, (Interval{0, 1})) << variable.name;
  for (const Channel& channel : protocol.channels)
    for (const MessageType& type : channel.sort)
      for (const Interval& value : type.values)
        EXPECT_EQ(value, (Interval{0, 1})) << channel.name << " " << type.name;
}

// A process that assigns to elements of an array.
TEST(Ranges, AreOneForAllElementsOfAnArray) {
  Protocol protocol = protocol_of("var i : 0..2, a, b, c, d; proc p { i = 2; a = 1; d = 5 }");
  Expressions& pool = protocol.expressions;
  auto& states = protocol.processes[0].automaton.states;
  for (ControlState& state : states)
    for (Transition& t : state.transitions)
      if (t.assignments.front().variable == 1)
        t.assignments = {{1, pool.constant(70'000), pool.variable(0), 3}};
  for (Variable& variable : protocol.variables) variable.declared = {INT32_MIN, INT32_MAX};
  infer_ranges(protocol);
  for (VariableId v = 1; v < 4; ++v) EXPECT_EQ(protocol.variables[v].range, (Interval{0, 70'000}));
  EXPECT_EQ(protocol.variables[4].range, (Interval{0, 5}));
  // What reads one of them can have any of their values.
  for (ControlState& state : states)
    for (Transition& t : state.transitions)
      if (t.assignments.front().variable == 4)
        t.assignments = {{4, pool.element(1, 3, pool.variable(0))}};
  infer_ranges(protocol);
  EXPECT_EQ(protocol.variables[4].range, (Interval{0, 70'000}));
}

// What is assigned to one element that an index chooses may leave any of them as it is.
TEST(Ranges, HoldWhatAnElementKeeps) {
  Protocol protocol =
      protocol_of("var i; proc p { var a[2]; i = 1; a[i] = 2; a[0] = a[0] - 2; a[1] = a[0] }");
  infer_ranges(protocol);
  EXPECT_EQ(protocol.variables[1].range, (Interval{-2, 2}));
  EXPECT_EQ(protocol.variables[2].range, (Interval{-2, 2}));
}

}  // namespace
}  // namespace panoptes
