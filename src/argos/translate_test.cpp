// SPDX-License-Identifier: Apache-2.0
// What a body becomes. Shapes are read as test::shape() writes them.
#include "argos/translate.hpp"

#include <gtest/gtest.h>

#include "support/protocol.hpp"

namespace panoptes {
namespace {

using test::build;
using test::first_shape;
using test::protocol_of;

// The shape of a process with this body; it has channels a, b, c and variables x, y.
std::string body(const std::string& text) {
  return first_shape("channel a, b, c;\nproc p var x, y; { " + text + " }");
}

struct Sizes {
  std::size_t raw, transit_free, minimised;
  friend bool operator==(const Sizes&, const Sizes&) = default;
};

Sizes sizes(const std::string& text, std::size_t process = 0) {
  const Automaton automaton = protocol_of(text).processes[process].automaton;
  return {automaton.raw_size, automaton.transit_free_size, automaton.states.size()};
}

// ---- statements --------------------------------------------------------------------------------

TEST(Translation, GivesEveryStatementAState) {
  EXPECT_EQ(body("a!m; a?m(x); b?default; b?timeout; x = y; x++; (x > 1); assert(y)"),
            "0 a!m -> 1\n"
            "1 a?m(x) {x = a.value1} -> 2\n"
            "2 b?default -> 3\n"
            "3 b?timeout -> 4\n"
            "4 x = y {x = y} -> 5\n"
            "5 x = x + 1 {x = x + 1} -> 6\n"
            "6 (x > 1) -> 7\n"
            "7 assert(y) -> 8\n"
            "8 end\n");
}

TEST(Translation, MakesAConditionAndItsStatementOneStep) {
  EXPECT_EQ(body("when (x > 0) a!m; when (x) a?timeout; when (y) (x == 1); when (x) x = y"),
            "0 when (x > 0) a!m if x > 0 -> 1\n"
            "1 when (x) a?timeout if x -> 2\n"
            "2 when (y) (x == 1) -> 3\n"
            "3 when (x) x = y {x = y} -> 4\n"
            "4 end\n");
}

TEST(Translation, MakesAJumpWithAConditionAStep) {
  EXPECT_EQ(
      body("do :: when (x) break od; when (y) skip; if :: when (x) goto out :: a!m fi; out: b!m"),
      "0 when (x) break -> 1\n"
      "1 when (y) skip -> 2\n"
      "2 when (x) goto out -> 3 | a!m -> 3\n"
      "3 out: b!m -> 4\n"
      "4 end\n");
}

TEST(Translation, LetsAReceiveLookAtWhatItReceives) {
  EXPECT_EQ(body("a!m(1, 2); a?m(x) when (x == y); a?m(== x, y); when (y) a?m(x, x) when (x)"),
            "0 a!m(1, 2) -> 1\n"
            "1 a?m(x) when (x == y) if a.value1 == y {x = a.value1} -> 2\n"
            "2 a?m(== x, y) if a.value1 == x {y = a.value2} -> 3\n"
            "3 when (y) a?m(x, x) when (x) if y if a.value2 {x = a.value2} -> 4\n"
            "4 end\n");
}

TEST(Translation, LooksAtAConditionForTheMemberThatIsMeant) {
  EXPECT_EQ(
      first_shape("channel ring[0..1];\nproc p var x; { when (x < 2) ring[x]?m(x) when (x) }"),
      "0 when (x < 2) ring[x]?m(x) when (x) if x == 0 if x < 2 if ring[0].value1 "
      "{x = ring[0].value1} -> 1 | "
      "when (x < 2) ring[x]?m(x) when (x) if x == 1 if x < 2 if ring[1].value1 "
      "{x = ring[1].value1} -> 1 | "
      "when (x < 2) ring[x]?m(x) when (x) if x < 0 || x > 1 if x < 2 -> 1\n"
      "1 end\n");
}

TEST(Translation, LendsAnElseAsAnyOtherGuard) {
  EXPECT_EQ(body("if :: a?m :: if :: b?m :: else -> b!n fi :: else -> skip fi; c!m"),
            "0 a?m -> 2 | b?m -> 2 | else -> 1 | else -> 2\n"
            "1 b!n -> 2\n"
            "2 c!m -> 3\n"
            "3 end\n");
}

// Where it depends on the state which element is meant, the order of the targets counts.
TEST(Translation, AssignsToElements) {
  const auto shape = [](const std::string& body) {
    return first_shape("channel c[2], d[0..1]; proc p var a[2] : 0..3, x; { " + body + " }");
  };
  EXPECT_EQ(shape("a[1] = a[x + 1]; a[x]++; c?m(a[0], a[1]); c?m(a[1], a[x])"),
            "0 a[1] = a[x + 1] {a[1] = a[x + 1]} -> 1\n"
            "1 a[x] = a[x] + 1 {a[x] = a[x] + 1} -> 2\n"
            "2 c?m(a[0], a[1]) {a[0] = c.value1, a[1] = c.value2} -> 3\n"
            "3 c?m(a[1], a[x]) {a[1] = c.value1, a[x] = c.value2} -> 4\n"
            "4 end\n");
  // An index without a value is an error, once.
  EXPECT_EQ(shape("d[a[x]]!m"),
            "0 d[a[x]]!m if x >= 0 && x < 2 && a[x] == 0 -> 1 | "
            "d[a[x]]!m if x >= 0 && x < 2 && a[x] == 1 -> 1 | "
            "d[a[x]]!m if a[x] < 0 || a[x] > 1 -> 1\n"
            "1 end\n");
}

TEST(Translation, OfAnEmptyProcessIsItsEnd) {
  EXPECT_EQ(body(""), "0 end\n");
  EXPECT_EQ(body("skip; skip"), "0 end\n");
}

TEST(Translation, PutsTheGuardsOfOptionsIntoTheStateOfTheirChoice) {
  EXPECT_EQ(body("if :: a?m -> b!n :: a?k :: (x) -> x = 0 fi; c!m"),
            "0 a?m -> 1 | a?k -> 3 | (x) -> 2\n"
            "1 b!n -> 3\n"
            "2 x = 0 {x = 0} -> 3\n"
            "3 c!m -> 4\n"
            "4 end\n");
}

TEST(Translation, RepeatsALoopUntilItIsLeft) {
  EXPECT_EQ(body("do :: a?m -> b!n :: a?k -> break :: a?j -> goto out od; c!m; out: c!n"),
            "0 a?m -> 1 | a?k -> 2 | a?j -> 3\n"
            "1 b!n -> 0\n"
            "2 c!m -> 3\n"
            "3 out: c!n -> 4\n"
            "4 end\n");
}

TEST(Translation, LetsABreakLeaveTheInnermostLoop) {
  EXPECT_EQ(body("do :: a?m -> do :: b?m :: b?n -> break od; c!m :: a?n -> break od"),
            "0 a?m -> 1 | a?n -> 3\n"
            "1 b?m -> 1 | b?n -> 2\n"
            "2 c!m -> 0\n"
            "3 end\n");
}

TEST(Translation, MakesTwoRulesOfTwoOptionsThatAreAlike) {
  EXPECT_EQ(body("if :: a?m :: a?m fi"), "0 a?m -> 1 | a?m -> 1\n1 end\n");
}

// ---- transit states ----------------------------------------------------------------------------

TEST(Translation, MakesOneStepOfSeveralAssignments) {
  const Protocol protocol =
      test::protocol_of("var x, y, z; proc p { z = 1, y = x, x = y + z }", {.minimise = false});
  const Transition& step = protocol.processes[0].automaton.states[0].transitions[0];
  EXPECT_EQ(step.text, "z = 1, y = x, x = y + z");
  std::vector<VariableId> variables;
  for (const Assignment& assignment : step.assignments) variables.push_back(assignment.variable);
  EXPECT_EQ(variables, (std::vector<VariableId>{0, 1, 2}));
}

TEST(TransitStates, Vanish) {
  EXPECT_EQ(body("skip; a!m; skip; goto there; b!m; there: skip; c!m"),
            "0 a!m -> 1\n"
            "1 there: c!m -> 2\n"
            "2 end\n");
}

TEST(TransitStates, AreNoneWhereAJumpIsOneOfSeveralOptions) {
  EXPECT_EQ(body("if :: skip :: goto out fi; a!m; out: b!m"),
            "0 skip -> 1 | goto out -> 2\n"
            "1 a!m -> 2\n"
            "2 out: b!m -> 3\n"
            "3 end\n");
  EXPECT_EQ(body("do :: break :: skip od; a!m"),
            "0 break -> 1 | skip -> 0\n"
            "1 a!m -> 2\n"
            "2 end\n");
}

TEST(TransitStates, AreOnlyOptionsThatJump) {
  EXPECT_EQ(body("if :: skip fi; a!m; do :: break od; b!m"),
            "0 a!m -> 1\n"
            "1 b!m -> 2\n"
            "2 end\n");
}

TEST(TransitStates, ThatGoRoundInCirclesBecomeOneStateThatSpins) {
  EXPECT_EQ(body("a!m; do :: skip od"), "0 a!m -> 1\n1 skip -> 1\n2 end\n");
  // Its text is that of the first statement.
  EXPECT_EQ(body("L: goto M; b!m; M: skip; goto L"), "0 L: M: goto M -> 0\n1 end\n");
  EXPECT_EQ(body("do :: do :: skip od od"), "0 skip -> 0\n1 end\n");
  // A way into the middle of the circle leads to the same state.
  EXPECT_EQ(body("if :: a?m -> goto L :: a?n -> goto M fi; L: skip; M: goto L"),
            "0 a?m -> 1 | a?n -> 1\n"
            "1 L: M: skip -> 1\n"
            "2 end\n");
}

TEST(TransitStates, PassTheirLabelsOnInTheOrderOfTheText) {
  EXPECT_EQ(body("one: skip; two: three: a!m; end_here: skip"),
            "0 two: three: one: a!m -> 1\n"
            "1 end end_here:\n");
  EXPECT_EQ(body("do :: a?m od; a!m"), "0 a?m -> 0\n1 end\n");
}

TEST(TransitStates, PassOnThatTheProcessMayStop) {
  EXPECT_EQ(body("end: skip; do :: a?m od"), "0* end: a?m -> 0\n1 end\n");
}

// A state is called by its own label first, then by one that was passed on, else by its place.
TEST(ControlStates, AreNamedByLabelOrPlace) {
  const Protocol protocol = protocol_of(
      "channel a;\n"
      "proc p {\n"
      "  passed: skip;\n"
      "  own: a!m;\n"
      "  waits: skip;\n"
      "  a!m;\n"
      "  a!m\n"
      "}\n",
      {.minimise = false});
  std::vector<std::string> names;
  for (const ControlState& state : protocol.processes[0].automaton.states)
    names.push_back(state.name);
  EXPECT_EQ(names, (std::vector<std::string>{"own", "waits", "7:3", "end"}));
}

TEST(ControlStates, AreLabelledWhereAJumpOrALoopComesBack) {
  const Protocol protocol = protocol_of(
      "channel a; proc p { a!one; L: a!two; M: a!three; do :: a!four :: a!five -> goto L od }",
      {.minimise = false});
  std::vector<bool> labelled;
  for (const ControlState& state : protocol.processes[0].automaton.states)
    labelled.push_back(state.is_labelled);
  EXPECT_EQ(labelled, (std::vector<bool>{false, true, false, true, false}));
}

// ---- structures in guard position --------------------------------------------------------------

TEST(Guards, ThatAreChoicesLendTheirOptions) {
  EXPECT_EQ(body("if :: if :: a?m -> b!one :: a?n fi; b!two :: a?k fi; c!m"),
            "0 a?m -> 1 | a?n -> 2 | a?k -> 3\n"
            "1 b!one -> 2\n"
            "2 b!two -> 3\n"
            "3 c!m -> 4\n"
            "4 end\n");
}

TEST(Guards, ThatAreLoopsLendTheirOptionsAndRepeatAsLoops) {
  EXPECT_EQ(body("if :: do :: a?m :: a?n -> break od; b!two :: a?k fi; c!m"),
            "0 a?m -> 1 | a?n -> 2 | a?k -> 3\n"
            "1 a?m -> 1 | a?n -> 2\n"
            "2 b!two -> 3\n"
            "3 c!m -> 4\n"
            "4 end\n");
}

TEST(Guards, OfTheOnlyOptionAreJumpedTo) {
  EXPECT_EQ(body("do :: do :: a?m :: a?n -> break od; b!two od"),
            "0 a?m -> 0 | a?n -> 1\n"
            "1 b!two -> 0\n"
            "2 end\n");
  EXPECT_EQ(body("if :: if :: a?m :: a?n fi fi"), "0 a?m -> 1 | a?n -> 1\n1 end\n");
}

TEST(Guards, WithALabelCanAlsoBeJumpedTo) {
  EXPECT_EQ(body("if :: L: a?m -> b!n; goto L :: a?k fi"),
            "0 a?m -> 2 | a?k -> 3\n"
            "1 L: a?m -> 2\n"
            "2 b!n -> 1\n"
            "3 end\n");
  EXPECT_EQ(body("if :: L: if :: a?m -> goto L :: a?n fi :: a?k fi"),
            "0 a?m -> 1 | a?n -> 2 | a?k -> 2\n"
            "1 L: a?m -> 1 | a?n -> 2\n"
            "2 end\n");
}

TEST(Guards, ThatJumpForwardKnowTheirTarget) {
  EXPECT_EQ(body("if :: L: goto M :: a?k -> goto L :: a?m fi; b!m; M: c!m"),
            "0 goto M -> 2 | a?k -> 2 | a?m -> 1\n"
            "1 b!m -> 2\n"
            "2 M: L: c!m -> 3\n"
            "3 end\n");
}

TEST(Guards, WithALabelThatNobodyJumpsToAreReachedAllTheSame) {
  EXPECT_EQ(build("channel a; proc p { if :: L: a!m :: a!n fi } proc q { a?m; a?n }").shown(), "");
}

TEST(Guards, ThatSkipAreAStepOfTheirOwnHoweverDeepTheyStand) {
  EXPECT_EQ(body("if :: if :: skip :: a?m fi; b!two :: a?k fi"),
            "0 skip -> 1 | a?m -> 1 | a?k -> 2\n"
            "1 b!two -> 2\n"
            "2 end\n");
}

// ---- sizes -------------------------------------------------------------------------------------

TEST(Sizes, OfThePapersExampleAreTenSevenAndFour) {
  EXPECT_EQ(sizes(test::model_text("minimisation"), 1), (Sizes{10, 7, 4}));
}

TEST(Sizes, CountStatementsGuardsApartAndTheEnd) {
  EXPECT_EQ(sizes("channel a; proc p { a!m; if :: a!n -> skip :: a!k fi; skip }").raw, 5u);
  EXPECT_EQ(sizes("channel a; proc p { }"), (Sizes{1, 1, 1}));
}

// ---- statements of the source ------------------------------------------------------------------

TEST(Procedures, ArePassedChannelsMessagesAndVariables) {
  EXPECT_EQ(
      first_shape("channel a, b; procedure send(channel c, message m, var v) { c!m(v); v++ }\n"
                  "proc p var x, y; { send(a, one, x); send(b, two, y) }"),
      "0 a!one(v) -> 1\n1 v = v + 1 {x = x + 1} -> 2\n"
      "2 b!two(v) -> 3\n3 v = v + 1 {y = y + 1} -> 4\n4 end\n");
  EXPECT_EQ(
      first_shape("channel r[0..1]; procedure all(channel f, message m) { f[1]!m; other(f) }\n"
                  "procedure other(channel g) { g[0]!n } proc p { all(r, k) }"),
      "0 r[1]!k -> 1\n1 r[0]!n -> 2\n2 end\n");
}

TEST(Procedures, HaveVariablesOfTheirOwn) {
  const Protocol protocol = protocol_of(
      "channel c[4]; procedure p(x) { var t : 0..3 = 1; c!m(t); t = x }\n"
      "proc q { p(2); c?m; p(3) } proc r { p(0) }",
      {.minimise = false});
  std::vector<std::string> names;
  for (const Variable& variable : protocol.variables) names.push_back(variable.name);
  EXPECT_EQ(names, (std::vector<std::string>{"p.t", "p.t"}));
  EXPECT_EQ(protocol.channels[0].sort[0].values, (std::vector<Interval>{{1, 1}}));
}

TEST(Broadcasts, AreASendToEachMember) {
  EXPECT_EQ(first_shape("channel c[0..2][1]; proc p var x; { when (x) c[*]!m(x); x = 1 }"),
            "0 when (x) c[0]!m(x) if x -> 1\n"
            "1 c[1]!m(x) -> 2\n"
            "2 c[2]!m(x) -> 3\n"
            "3 x = 1 {x = 1} -> 4\n"
            "4 end\n");
  EXPECT_EQ(first_shape("channel c[4..4][1]; proc p { c[*]!m }"),
            "0 c[4]!m -> 1\n"
            "1 end\n");
}

TEST(Broadcasts, AreOneStepThatWaitsForRoomInAllMembers) {
  const Protocol protocol = protocol_of(
      "channel c[0..2][1], d[0..1][1] lossy; sink e[0..1];\n"
      "proc p { if :: L: c[*]!m :: d[*]!m fi; e[*]!m }");
  const auto& states = protocol.processes[0].automaton.states;
  const auto transition = [&](std::size_t state, std::size_t number) {
    return states[state].transitions.at(number);
  };
  EXPECT_EQ(protocol.rooms.at(transition(0, 0).room), (std::vector<ChannelId>{1, 2}));
  EXPECT_TRUE(transition(0, 0).ends_inside);
  EXPECT_EQ(transition(0, 1).room, none);  // to d[0]
  EXPECT_TRUE(transition(0, 2).is_fault);
  std::size_t inside = 0, last = 0;
  for (const ControlState& state : states)
    for (const Transition& t : state.transitions) ++(t.ends_inside ? inside : last);
  EXPECT_EQ(inside, 2u + 2u + 1u);
  EXPECT_EQ(last, 1u + 2u + 1u);
  EXPECT_EQ(protocol.statements.size(), 3u);
}

// A value that asks how full a member is was another one before the first send.
TEST(Broadcasts, ComputeTheirValuesOnce) {
  EXPECT_EQ(first_shape("channel c[0..2][2], d; proc p { c[*]!m(len(c[0]), len(d)) }"),
            "0 c[0]!m(len(c[0]), len(d)) {c.m.1 = len(c[0])} -> 1\n"
            "1 c[1]!m(len(c[0]), len(d)) -> 2\n"
            "2 c[2]!m(len(c[0]), len(d)) {c.m.1 = 0} -> 3\n"
            "3 end\n");
}

TEST(Statements, AreOneForAllMembersOfAFamilyAndAllCallsOfAProcedure) {
  const Protocol protocol = protocol_of(
      "channel ring[0..2][1];\n"
      "procedure pass(i) { ring[i]!token }\n"
      "proc node[i : 0..2] { pass(i); pass((i + 1) % 3) }\n");
  ASSERT_EQ(protocol.statements.size(), 1u);
  EXPECT_EQ(protocol.statements[0].owner, "pass");
  EXPECT_EQ(protocol.statements[0].text, "ring[i]!token");
  EXPECT_EQ(protocol.processes.size(), 3u);
  EXPECT_EQ(protocol.processes[2].index, "i");
}

}  // namespace
}  // namespace panoptes
