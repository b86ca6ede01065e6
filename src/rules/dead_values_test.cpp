// SPDX-License-Identifier: Apache-2.0
// Where variables are live, and what is done to those that are not.
#include "rules/dead_values.hpp"

#include <gtest/gtest.h>

#include "rules/values.hpp"
#include "support/program.hpp"
#include "support/table.hpp"

namespace panoptes {
namespace {

// The control states of its process where a variable is live, by number: "0 2".
std::string live_at(const std::string& text, const std::string& name,
                    const std::vector<VariableId>& watched = {}) {
  const test::Compiled compiled = test::compile(text, {.minimise = false});
  const Program& program = compiled.program;
  VariableId v = 0;
  while (variable_name(program.protocol, v) != name) ++v;
  const ProcessId process = program.protocol.variables[v].process;
  const auto states = live_variables(program, watched)[process == none ? 0 : process];
  std::string result;
  for (StateId s = 0; s < states.size(); ++s)
    if (states[s][v]) result += (result.empty() ? "" : " ") + std::to_string(s);
  return result;
}

TEST(Live, FromWhereItIsWrittenToWhereItIsRead) {
  EXPECT_EQ(live_at("sink d; proc p var x; { x = 1; d!a; d!m(x); d!b }", "p.x"), "1 2");
  EXPECT_EQ(live_at("sink d; proc p var x; { d!a; d!m(x); x = 1; d!b }", "p.x"), "0 1")
      << "the initial value";
  EXPECT_EQ(live_at("sink d; proc p var x; { d!a; x = 1; d!b }", "p.x"), "") << "never read";
  EXPECT_EQ(live_at("sink d; proc p var x; { x = 1; d!a; if :: (x == 1) -> d!b :: d!c fi }", "p.x"),
            "1 2")
      << "a guard";
  EXPECT_EQ(live_at("sink d; proc p var x; { x = 1; if :: d!b -> d!m(x) :: d!c fi; d!e }", "p.x"),
            "1 2")
      << "on one of two ways";
  EXPECT_EQ(live_at("sink d; proc p var x; { x = 1; d!a; assert(x == 1); d!b }", "p.x"), "1 2");
}

TEST(Live, AcrossTheEndOfALoop) {
  EXPECT_EQ(live_at("sink d; proc p var x; { do :: d!m(x); d!a; x = 1; d!b od }", "p.x"), "0 3");
  EXPECT_EQ(live_at("channel c[1]; sink d; proc p var x; { do :: c?m(x); d!n(x); d!a od }\n"
                    "proc q { do :: c!m(1) :: c!m(2) od }",
                    "p.x"),
            "1");
}

TEST(Live, InGuardsOfReceives) {
  EXPECT_EQ(live_at("channel c[1]; sink d;\n"
                    "proc p var x; { x = 1; d!a; if :: c?m when (x == 1) :: c?n fi; d!b }\n"
                    "proc q { c!m }",
                    "p.x"),
            "1 2");
}

TEST(Live, NotToComputeWhatIsDead) {
  const std::string ends = "; d!a od }";
  EXPECT_EQ(live_at("sink d; proc p var x; { do :: x = x + 1" + ends, "p.x"), "");
  EXPECT_EQ(live_at("sink d; proc p var x, y; { do :: x = x + 1; y = x" + ends, "p.x"), "");
  EXPECT_EQ(live_at("sink d; proc p var x, y; { do :: x = x + 1; y = 8 / x" + ends, "p.x"), "0 1 2")
      << "it can fail";
  EXPECT_EQ(live_at("sink d; proc p var x : 0..7; { do :: x = x + 1" + ends, "p.x"), "0 1")
      << "it can leave its range";
}

TEST(Live, WholeArraysThatAreReadSomewhere) {
  const std::string text =
      "sink d; proc p var a[2], i : 0..1; { a[0] = 1; a[1] = 1; i = 1; d!a; d!m(a[i]); d!b }";
  EXPECT_EQ(live_at(text, "p.a[0]"), "1 2 3 4");
  EXPECT_EQ(live_at(text, "p.a[1]"), "2 3 4");
  EXPECT_EQ(live_at(text, "p.i"), "3 4");
}

TEST(Live, WhereSeveralProcessesOrErrorsLookAtIt) {
  const std::string all = "0 1 2";
  EXPECT_EQ(live_at("var s; sink d; proc p { s = 1; d!a } proc q { d!m(s) }", "s"), all);
  EXPECT_EQ(live_at("var s; sink d; proc p { s = 1; d!a } proc q { d!m }", "s"), "");
  EXPECT_EQ(live_at("proc p var x; { x = 1; x = 2 } always (p.x < 3);", "p.x"), all);
  EXPECT_EQ(live_at("proc p var x; { x = 1; x = 2 }", "p.x", {0}), all) << "a cost";
  EXPECT_EQ(live_at("proc p var x; { x = 1; x = 2 }", "p.x"), "");
}

// Whether a sequence has come back to where it was is seen with all values.
TEST(Live, EverywhereOnRoundsInsideIndivisibleSequences) {
  const std::string text =
      "sink d; proc p var x; { atomic { d!a; do :: x = 1; d!b :: d!c; break od }; d!e }";
  EXPECT_EQ(live_at(text, "p.x"), "0 1 2") << "the round, and the way there";
}

std::string value_of(const Program& program, RuleId rule, std::size_t assignment) {
  const Protocol& protocol = program.protocol;
  return to_text(protocol.expressions, program.rules[rule].assignments[assignment].value,
                 protocol.names());
}

TEST(Reset, GivesTheStepBehindWhichAValueIsDeadTheInitialOne) {
  const test::Compiled compiled = test::compile(
      "channel c[1]; sink d; proc p var x = 3; { c?m(x); d!n(x); c?m(x); d!b }\n"
      "proc q { c!m(1); c!m(2) }",
      {.minimise = false});
  const auto reset = with_dead_values_reset(compiled.program);
  ASSERT_TRUE(reset);
  ASSERT_EQ(reset->rules.size(), compiled.program.rules.size());
  EXPECT_EQ(value_of(*reset, 0, 0), value_of(compiled.program, 0, 0)) << "live";
  EXPECT_EQ(compiled.program.rules[1].assignments.size(), 0u);
  EXPECT_EQ(value_of(*reset, 1, 0), "3") << "read for the last time";
  EXPECT_EQ(value_of(*reset, 2, 0), "3") << "received, but dead at once";
  EXPECT_EQ(reset->initial, compiled.program.initial);
}

TEST(Reset, LetsAValueFailThatNobodyWillRead) {
  const test::Compiled compiled = test::compile(
      "sink d; proc p var x : 0..3, y; { if :: y = 0 :: y = 1 fi; do :: x = y + 3; d!a od }");
  const auto reset = with_dead_values_reset(compiled.program);
  ASSERT_TRUE(reset);
  bool can_fail = false;
  for (const Rule& rule : reset->rules)
    for (const Assignment& a : rule.assignments)
      can_fail = can_fail || reset->protocol.expressions.can_fail(a.value);
  EXPECT_TRUE(can_fail);
}

TEST(Reset, IsNoProgramOfItsOwnWhereNothingIsDead) {
  EXPECT_FALSE(
      with_dead_values_reset(test::compile("sink d; proc p { do :: d!a :: d!b od }").program));
  EXPECT_FALSE(with_dead_values_reset(
      test::compile("sink d; proc p var x : 0..7 wraps; { do :: d!m(x); x = x + 1 od }").program));
}

// Somebody else's step takes what was read there: its variables are forgotten in that step.
TEST(Reset, ComesWithStepsThatAreNotTheProcessesOwn) {
  const test::Compiled compiled = test::compile(
      "channel c[0]; sink d; proc p var x; { x = 1; c!m(x); d!a } proc q var y; { c?m(y); d!b }",
      {.minimise = false});
  const auto reset = with_dead_values_reset(compiled.program);
  ASSERT_TRUE(reset);
  for (RuleId id = 0; id < reset->rules.size(); ++id) {
    if (reset->rules[id].moves.size() < 2) continue;
    ASSERT_EQ(reset->rules[id].assignments.size(), 2u);
    for (std::size_t a = 0; a < 2; ++a) EXPECT_EQ(value_of(*reset, id, a), "0");
  }
}

// An element is written, and which one is not known: all of them are forgotten behind that.
TEST(Reset, OfArraysComesBehindWhatIsAssigned) {
  test::Table table;
  table.process("p", 3);
  const VariableId a = table.array("a", 2, {0, 3}), i = table.variable("i", {0, 1});
  Expressions& pool = table.pool();
  table.rule({{0, 0, 1}}, "index").assignments = {{i, pool.constant(1)}};
  table.rule({{0, 1, 2}}, "element").assignments = {{a, pool.constant(2), pool.variable(i), 2}};
  const Program program = table.make();
  const auto reset = with_dead_values_reset(program);
  ASSERT_TRUE(reset);
  const auto& assignments = reset->rules[1].assignments;
  ASSERT_EQ(assignments.size(), 4u);
  EXPECT_EQ(assignments[0], program.rules[1].assignments[0]);
  for (std::size_t k = 1; k < 4; ++k) {
    EXPECT_EQ(assignments[k].index, none);
    EXPECT_EQ(value_of(*reset, 1, k), "0");
  }
}

}  // namespace
}  // namespace panoptes
