// SPDX-License-Identifier: Apache-2.0
// Procedures: entering and leaving them is part of the steps beside.
#include "protocol/compose.hpp"

#include <gtest/gtest.h>

#include "support/protocol.hpp"

namespace panoptes {
namespace {

using test::build;
using test::first_shape;
using test::protocol_of;

// The shape of a process with variables x, y and channels a, b; `procedures` come first.
std::string shape_of(const std::string& procedures, const std::string& body) {
  return first_shape("channel a, b; sink s; " + procedures + " proc p var x, y; { " + body + " }");
}

std::vector<std::string> variable_names(const Protocol& protocol) {
  std::vector<std::string> names;
  for (const Variable& variable : protocol.variables) names.push_back(variable.name);
  return names;
}

TEST(Procedures, AreInlinedAndTheirCallsAreNoSteps) {
  EXPECT_EQ(shape_of("procedure twice() { a!m; a!m }", "a!first; twice(); a!last"),
            "0 a!first -> 1\n"
            "1 a!m -> 2\n"
            "2 a!m -> 3\n"
            "3 a!last -> 4\n"
            "4 end\n");
}

TEST(Procedures, SeeTheElementsThatTheStepBeforeTheCallHasAssigned) {
  const auto shape = [](const std::string& body) {
    return first_shape("channel c; procedure send(v) { c!m(v) } proc p var a[2] : 0..3, x; { " +
                       body + " }");
  };
  // The same element, another one, and perhaps the one.
  EXPECT_EQ(shape("a[x] = 3; send(a[x])"),
            "0 a[x] = 3 {a[x] = 3, send.v = 3} -> 1\n"
            "1 c!m(v) {send.v = 0} -> 2\n"
            "2 end\n");
  EXPECT_EQ(shape("a[0] = 3; send(a[1])"),
            "0 a[0] = 3 {a[0] = 3, send.v = a[1]} -> 1\n"
            "1 c!m(v) {send.v = 0} -> 2\n"
            "2 end\n");
  EXPECT_EQ(shape("a[x] = 3; send(a[1])"),
            "0 a[x] = 3 {a[x] = 3, send.v = (x == 1) * 3 + !(x == 1) * a[1]} -> 1\n"
            "1 c!m(v) {send.v = 0} -> 2\n"
            "2 end\n");
  EXPECT_EQ(shape("a[0] = 3; send(a[x])"),
            "0 a[0] = 3 {a[0] = 3, send.v = (0 == x) * 3 + !(0 == x) * a[x]} -> 1\n"
            "1 c!m(v) {send.v = 0} -> 2\n"
            "2 end\n");
}

TEST(Procedures, HaveTheirParametersSetAndResetByTheStepsBeside) {
  EXPECT_EQ(shape_of("procedure send(v) { a!m(v); b!m(v) }", "x = 2; send(x + y); y = 0"),
            "0 x = 2 {x = 2, send.v = 2 + y} -> 1\n"
            "1 a!m(v) -> 2\n"
            "2 b!m(v) {send.v = 0} -> 3\n"
            "3 y = 0 {y = 0} -> 4\n"
            "4 end\n");
}

TEST(Procedures, SeeWhatTheStepBeforeTheCallHasReceived) {
  EXPECT_EQ(shape_of("procedure send(v) { b!m(v) }", "a?m(x); send(x + 1)"),
            "0 a?m(x) {x = a.value1, send.v = a.value1 + 1} -> 1\n"
            "1 b!m(v) {send.v = 0} -> 2\n"
            "2 end\n");
}

// An argument reads the channel as it is after the step before the call.
TEST(Procedures, SeeTheChannelAsTheStepBeforeTheCallLeavesIt) {
  const std::string send = "procedure send(v) { b!m(v) }";
  EXPECT_EQ(shape_of(send, "a!m; send(len(a))"),
            "0 a!m {send.v = len(a) + 1} -> 1\n1 b!m(v) {send.v = 0} -> 2\n2 end\n");
  EXPECT_EQ(shape_of(send, "a?m; send(empty(a))"),
            "0 a?m {send.v = len(a) + -1 == 0} -> 1\n1 b!m(v) {send.v = 0} -> 2\n2 end\n");
  EXPECT_EQ(shape_of(send, "a?default; send(full(a))"),
            "0 a?default {send.v = len(a) + -1 == 2} -> 1\n1 b!m(v) {send.v = 0} -> 2\n2 end\n");
  EXPECT_EQ(shape_of(send, "a!m; send(len(b))"),
            "0 a!m {send.v = len(b)} -> 1\n1 b!m(v) {send.v = 0} -> 2\n2 end\n");
  EXPECT_EQ(shape_of(send, "s!m; send(len(s))"),
            "0 s!m {send.v = len(s)} -> 1\n1 b!m(v) {send.v = 0} -> 2\n2 end\n");
}

TEST(Procedures, PassParametersOnToOthers) {
  EXPECT_EQ(shape_of("procedure inner(w) { b!m(w) } procedure outer(v) { a!m(v); inner(v + 1) }",
                     "x = 1; outer(x)"),
            "0 x = 1 {x = 1, outer.v = 1} -> 1\n"
            "1 a!m(v) {inner.w = outer.v + 1} -> 2\n"
            "2 b!m(w) {outer.v = 0, inner.w = 0} -> 3\n"
            "3 end\n");
}

TEST(Procedures, NeedNoVariableForAConstant) {
  const Protocol protocol = protocol_of(
      "channel a; procedure send(v) { a!m(v + 1) } proc p { send(6) } proc q { a?m(_) }");
  EXPECT_EQ(variable_names(protocol), std::vector<std::string>{});
  ASSERT_EQ(protocol.channels[0].sort.size(), 1u);
  EXPECT_EQ(protocol.channels[0].sort[0].values, (std::vector<Interval>{{7, 7}}));
}

TEST(Procedures, NeedAVariableForAConstantTheyAssignTo) {
  EXPECT_EQ(shape_of("procedure count(v) { a!m; v--; b!m(v) }", "x = 0; count(3)"),
            "0 x = 0 {x = 0, count.v = 3} -> 1\n"
            "1 a!m -> 2\n"
            "2 v = v - 1 {count.v = count.v - 1} -> 3\n"
            "3 b!m(v) {count.v = 0} -> 4\n"
            "4 end\n");
  EXPECT_EQ(shape_of("procedure take(v) { if :: a?m(v) :: b?m fi }", "x = 0; take(3)"),
            "0 x = 0 {x = 0, take.v = 3} -> 1\n"
            "1 a?m(v) {take.v = 0} -> 2 | b?m {take.v = 0} -> 2\n"
            "2 end\n");
}

TEST(Procedures, WrapTheirArgumentsToSixteenBits) {
  const Protocol protocol = protocol_of(
      "channel a; procedure send(v) { a!m(v) } proc p { send(70000) } proc q { a?m(_) }");
  EXPECT_EQ(protocol.channels[0].sort[0].values, (std::vector<Interval>{{4464, 4464}}));
}

TEST(Procedures, KeepTheLabelsAndLoopsOfEachCallApart) {
  EXPECT_EQ(shape_of("procedure wait() { L: if :: a?m -> goto L :: a?n fi }", "wait(); wait()"),
            "0 L: a?m -> 0 | a?n -> 1\n"
            "1 L: a?m -> 1 | a?n -> 2\n"
            "2 end\n");
}

TEST(Procedures, ThatAProcessStartsWithHaveTheirParametersSetInTheInitialState) {
  const Protocol protocol = protocol_of(
      "channel a; procedure send(v) { a!m(v); v = 0 } proc p var x = 5; { send(x + 1); x = 0 }",
      {.minimise = false});
  const Automaton& automaton = protocol.processes[0].automaton;
  ASSERT_EQ(automaton.initial_assignments.size(), 1u);
  EXPECT_EQ(protocol.variables[automaton.initial_assignments[0].variable].name, "send.v");
  EXPECT_EQ(to_text(protocol.expressions, automaton.initial_assignments[0].value, protocol.names()),
            "x + 1");
}

TEST(Procedures, BelongToTheProcessThatCallsThem) {
  const Protocol protocol = protocol_of(
      "channel a; procedure send(v) { a!m(v); a!n(v) } proc p[i : 0..1] var x = i; { send(x) }");
  EXPECT_EQ(variable_names(protocol), (std::vector<std::string>{"x", "send.v", "x", "send.v"}));
  EXPECT_EQ(protocol.variables[1].process, 0u);
  EXPECT_EQ(protocol.variables[3].process, 1u);
}

// ---- calls in guard position -------------------------------------------------------------------

TEST(CallsAsGuards, LendTheFirstStatementWithTheParametersAlreadySet) {
  EXPECT_EQ(shape_of("procedure send(v) { a!m(v); b!m(v) }", "if :: send(x) :: a?n fi; x = 0"),
            "0 a!m(v) {send.v = x} -> 1 | a?n -> 2\n"
            "1 b!m(v) {send.v = 0} -> 2\n"
            "2 x = 0 {x = 0} -> 3\n"
            "3 end\n");
  // The message sent by the guard has the argument's value, not what the parameter was before.
  const Protocol protocol = protocol_of(
      "channel a, b; procedure send(v) { a!m(v); b!m(v) }\n"
      "proc p var x = 7; { do :: send(x) -> break :: (x == 0) od }\n"
      "proc q { a?m(_); b?m(_) }");
  EXPECT_EQ(protocol.channels[0].sort[0].values, (std::vector<Interval>{{7, 7}}));
}

TEST(CallsAsGuards, LendAllOptionsOfTheFirstStatement) {
  EXPECT_EQ(shape_of("procedure wait(v) { if :: a?m(v) :: (v > 1) -> b!n(v) fi }",
                     "if :: wait(x) :: a?k fi"),
            "0 a?m(v) {wait.v = 0} -> 2 | (v > 1) {wait.v = x} -> 1 | a?k -> 2\n"
            "1 b!n(v) {wait.v = 0} -> 2\n"
            "2 end\n");
}

TEST(CallsAsGuards, OfTheOnlyOptionAreJumpedTo) {
  EXPECT_EQ(shape_of("procedure send() { a!m; b!m }", "do :: send() od"),
            "0 a!m -> 1\n1 b!m -> 0\n2 end\n");
}

TEST(CallsAsGuards, OfAnEmptyProcedureAreSkips) {
  EXPECT_EQ(shape_of("procedure nothing(v) { }", "if :: nothing(x) :: a?m fi; b!m"),
            "0 nothing() -> 1 | a?m -> 1\n1 b!m -> 2\n2 end\n");
}

// Two copies of one procedure in the same choice: each jump stays in its own copy.
TEST(CallsAsGuards, OfTheSameProcedureKeepTheirJumpsApart) {
  const Protocol protocol = protocol_of(
      "channel c;\n"
      "procedure p(v) { if :: L: goto M :: c!never fi; skip; M: c!m(v) }\n"
      "proc q { if :: p(1) :: p(2) fi }",
      {.minimise = false});
  EXPECT_EQ(test::shape(protocol, protocol.processes[0].automaton),
            "0 goto M -> 1 | c!never -> 1 | goto M -> 2 | c!never -> 2\n"
            "1 M: L: c!m(v) -> 3\n"
            "2 M: L: c!m(v) -> 3\n"
            "3 end\n");
}

// ---- limits and mistakes -----------------------------------------------------------------------

TEST(Procedures, CannotCallThemselves) {
  EXPECT_EQ(build("procedure f() { g() } procedure g() { f() } proc p { f() }").shown(),
            "m:1:39: error: procedure `f` calls itself\n"
            "  procedure f() { g() } procedure g() { f() } proc p { f() }\n"
            "                                        ^~~\n"
            "  recursion is not possible: procedures are inlined\n"
            "m:1:11: note: declared here\n"
            "  procedure f() { g() } procedure g() { f() } proc p { f() }\n"
            "            ^\n");
}

// n procedures, each calling the next with an argument made of its own.
std::string chain(int n, const std::string& argument) {
  std::string text = "channel c, d = { start(1) }; procedure p0(v) { c!m(v) }\n";
  for (int i = 1; i < n; ++i)
    text += fmt::format("procedure p{}(v) {{ p{}({}) }}\n", i, i - 1, argument);
  return text + fmt::format("proc q var x; {{ d?start(x); p{}(x) }} proc r {{ c?m(_) }}", n - 1);
}

TEST(Procedures, MayCallEachOtherAHundredDeep) {
  EXPECT_EQ(protocol_of(chain(100, "v")).processes[0].automaton.states.size(), 3u);
  const test::Built built = build(chain(101, "v"));
  ASSERT_EQ(built.diagnostics.error_count(), 1u);
  EXPECT_EQ(built.diagnostics.all()[0].message, "more than 100 calls inside each other");
}

// Each argument is twice as large as the one before: 2^60 nodes if it were written out.
TEST(Procedures, WhoseArgumentsGrowWithoutBoundAreAnError) {
  EXPECT_TRUE(build(chain(8, "v + v")).protocol);
  const test::Built built = build(chain(60, "v + v"));
  EXPECT_FALSE(built.protocol);
  EXPECT_NE(built.shown().find("the arguments of the calls here are too large together"),
            std::string::npos)
      << built.shown();
}

TEST(Procedures, ThatInlineToTooManyStatesAreAnError) {
  std::string text = "channel c; procedure p0() { c!m; c!m }\n";
  for (int i = 1; i < 40; ++i)
    text += fmt::format("procedure p{0}() {{ p{1}(); p{1}() }}\n", i, i - 1);
  const test::Built built = build(text + "proc q { p39() } proc r { c?m }");
  EXPECT_FALSE(built.protocol);
  EXPECT_NE(built.shown().find("more than 200000 control states"), std::string::npos)
      << built.shown();
}

}  // namespace
}  // namespace panoptes
