// SPDX-License-Identifier: Apache-2.0
// The table of rules.
#include <gtest/gtest.h>

#include <set>

#include "rules/program.hpp"
#include "support/program.hpp"

namespace panoptes {
namespace {

using test::compile;

// Every rule as "process@source: text [tag] if condition -> target", a line each.
std::string rules_text(const Program& program) {
  std::string out;
  for (RuleId id = 0; id < program.rules.size(); ++id) {
    const Rule& rule = program.rules[id];
    out += fmt::format("{}@{} {}", program.protocol.processes[rule.owner().process].name,
                       rule.owner().from, rule.text);
    if (rule.tag > 0) out += fmt::format(" [{}]", rule.tag);
    for (const ExpressionId condition : rule.conditions)
      if (rule.channel != none || rule.kind == ActionKind::bad_index)
        out += " if " + to_text(program.protocol.expressions, condition, program.protocol.names());
    if (program.class_of(id) > 0) out += " last";
    out += fmt::format(" -> {}\n", rule.owner().to);
  }
  return out;
}

std::string rules_of(const std::string& text, const test::Setup& setup = {}) {
  return rules_text(compile(text, setup).program);
}

TEST(Rules, ComeAsProcessesAreDeclaredAndOptionsWrittenTimeoutsLast) {
  EXPECT_EQ(rules_of("channel a, b;\n"
                     "proc p { do :: a?timeout -> b!x :: a?m :: (1) :: b!y od }\n"
                     "proc q { do :: b?timeout :: b?x :: b?y :: a!m od }"),
            "p@0 a?m [1] -> 0\n"
            "p@0 (1) -> 0\n"
            "p@0 b!y [1] -> 0\n"
            "p@1 b!x [2] -> 0\n"
            "q@0 b?x [2] -> 0\n"
            "q@0 b?y [1] -> 0\n"
            "q@0 a!m [1] -> 0\n"
            "p@0 a?timeout -> 1\n"
            "q@0 b?timeout -> 0\n");
}

TEST(Rules, OfTimeoutsThatSaySoWaitForOthers) {
  const std::string text =
      "channel a, b;\n"
      "proc p { do :: a?timeout(lock) :: a?timeout :: a?timeout(quiet) :: a?timeout(empty) od }\n"
      "proc q { b!m; a!n; b?timeout(quiet) }";
  const test::Compiled compiled = compile(text);
  const Program& program = compiled.program;
  EXPECT_EQ(rules_text(program),
            "q@0 b!m [1] -> 1\n"
            "q@1 a!n [1] -> 2\n"
            "p@0 a?timeout -> 0\n"
            "p@0 a?timeout(empty) -> 0\n"
            "p@0 a?timeout(quiet) last -> 0\n"
            "q@2 b?timeout(quiet) last -> 3\n"
            "p@0 a?timeout(lock) last -> 0\n");
  ASSERT_EQ(program.rounds.size(), 4u);
  EXPECT_TRUE(program.rounds[2].waits_for_exchanges);
  EXPECT_EQ(program.rounds[3].rule_class, 2u);
}

TEST(Rules, OfAnElseAreEnabledWhereNoOtherOfTheirStateIs) {
  const test::Compiled compiled = compile(
      "channel a[1], b[1]; sink s;\n"
      "proc p { var x; do :: a?m(== x) :: b!n :: (x == 1) :: when (x) a?timeout :: else od }\n"
      "proc q { a!m(2); a!k; b?n }");
  const Program& program = compiled.program;
  std::string conditions;
  for (const Rule& rule : program.rules)
    for (const ExpressionId id : rule.conditions)
      if (rule.is_else)
        conditions += to_text(program.protocol.expressions, id, program.protocol.names()) + "\n";
  EXPECT_EQ(conditions,
            "!(tag(a) == 1 && a.value1 == x)\n"
            "full(b)\n"
            "!(x == 1)\n"
            "!(empty(a) && x)\n");
}

TEST(Rules, OfEachControlStateAreFoundThroughIt) {
  const test::Compiled compiled = compile(test::model_text("alternating_bit_link"));
  const Program& program = compiled.program;
  std::vector<int> found(program.rules.size());
  for (ProcessId p = 0; p < program.control.size(); ++p)
    for (StateId s = 0; s < program.control[p].size(); ++s) {
      const ControlInfo& info = program.at(p, s);
      for_each_rule(info, [&](RuleId id) {
        ++found[id];
        EXPECT_EQ(program.rules[id].owner().process, p);
        EXPECT_EQ(program.rules[id].owner().from, s);
      });
    }
  EXPECT_EQ(found, std::vector<int>(program.rules.size(), 1));
}

TEST(Rules, OfLockOnlyTimeoutsAreOfTheClassThatComesLast) {
  const std::string text = "channel a; proc p { do :: a?timeout :: a?m :: a!m od }";
  EXPECT_EQ(rules_of(text, {.timeouts = TimeoutPolicy::lock}),
            "p@0 a?m [1] -> 0\np@0 a!m [1] -> 0\np@0 a?timeout last -> 0\n");
  EXPECT_EQ(rules_of(text), "p@0 a?m [1] -> 0\np@0 a!m [1] -> 0\np@0 a?timeout -> 0\n");
}

// ---- receives ----------------------------------------------------------------------------------

TEST(Receives, BecomeARuleForEveryNumberOfValues) {
  EXPECT_EQ(rules_of("channel a; proc p { do :: a!m :: a!m(1, 2) :: a!k :: a!m(3) od }\n"
                     "proc q var x, y; { do :: a?m(x, y) :: a?k :: a?never :: (x == y) od }"),
            "p@0 a!m [1] -> 0\n"
            "p@0 a!m(1, 2) [2] -> 0\n"
            "p@0 a!k [3] -> 0\n"
            "p@0 a!m(3) [4] -> 0\n"
            "q@0 a?m(x, y) [1] -> 0\n"
            "q@0 a?m(x, y) [2] -> 0\n"
            "q@0 a?m(x, y) [4] -> 0\n"
            "q@0 a?k [3] -> 0\n"
            "q@0 (x == y) -> 0\n");
}

TEST(Receives, AssignTheValuesThereAreAndLeaveTheOtherTargets) {
  const Program program =
      compile(
          "channel a; proc p { do :: a!m :: a!m(1) :: a!m(2, 3) od }\n"
          "proc q var x, y; { do :: a?m(x, y) :: a?m(y, y) :: a?m(_, x) :: (x == y) od }")
          .program;
  std::vector<std::string> assignments;
  for (const Rule& rule : program.rules) {
    if (rule.kind != ActionKind::receive) continue;
    std::string text = rule.text + " ";
    for (const Assignment& a : rule.assignments)
      text += fmt::format("{}={};", program.protocol.variables[a.variable].name,
                          to_text(program.protocol.expressions, a.value, program.protocol.names()));
    assignments.push_back(text);
  }
  EXPECT_EQ(assignments,
            (std::vector<std::string>{"a?m(x, y) ", "a?m(x, y) x=a.value1;",
                                      "a?m(x, y) x=a.value1;y=a.value2;", "a?m(y, y) ",
                                      "a?m(y, y) y=a.value1;", "a?m(y, y) y=a.value2;",
                                      "a?m(_, x) ", "a?m(_, x) ", "a?m(_, x) x=a.value2;"}));
}

TEST(Receives, OfDefaultAreWrittenOutForWhatNoOtherOptionTakes) {
  EXPECT_EQ(
      rules_of("channel a, b; proc p { do :: a!one :: a!two :: a!two(7) :: a!three :: b!one od }\n"
               "proc q { do :: a?default :: a?two :: b?one od }"),
      "p@0 a!one [1] -> 0\n"
      "p@0 a!two [2] -> 0\n"
      "p@0 a!two(7) [3] -> 0\n"
      "p@0 a!three [4] -> 0\n"
      "p@0 b!one [1] -> 0\n"
      "q@0 a?default [1] -> 0\n"
      "q@0 a?default [4] -> 0\n"
      "q@0 a?two [2] -> 0\n"
      "q@0 a?two [3] -> 0\n"
      "q@0 b?one [1] -> 0\n");
}

// A receive from a member chosen at run time takes its message under a condition only.
TEST(Receives, OfDefaultTakeAMessageWhereAConditionalReceiveDoesNot) {
  EXPECT_EQ(rules_of("channel c[0..1]; proc p { c[0]!one; c[0]!two }\n"
                     "proc q var x : 0..1; { do :: c[x]?one :: c[0]?default :: x +% 2 od }"),
            "p@0 c[0]!one [1] -> 1\n"
            "p@1 c[0]!two [2] -> 2\n"
            "q@0 c[x]?one [1] if x == 0 -> 0\n"
            "q@0 c[x]?one if x < 0 || x > 1 -> 0\n"
            "q@0 c[0]?default [1] if !(x == 0) -> 0\n"
            "q@0 c[0]?default [2] -> 0\n"
            "q@0 x = (x + 1) % 2 -> 0\n");
}

// ---- facts about control states ----------------------------------------------------------------

TEST(ControlStateFacts, SayWhatAStateAcceptsAndWhetherItOnlyReceives) {
  const Program program = compile(
                              "channel a, b; proc p { if :: a?x :: b?timeout fi; if :: a?default "
                              ":: b!m fi; end: a?y }\n"
                              "proc q { a!x; a!y }",
                              {.minimise = false})
                              .program;
  const ControlInfo& first = program.at(0, 0);
  EXPECT_TRUE(first.receives_only);
  ASSERT_EQ(first.receptions.size(), 2u);
  EXPECT_EQ(first.receptions[0].accepts, (std::vector<bool>{false, true, false}));
  EXPECT_EQ(first.receptions[1].accepts, (std::vector<bool>{false, false}));
  const ControlInfo& second = program.at(0, 1);
  EXPECT_FALSE(second.receives_only);
  ASSERT_EQ(second.receptions.size(), 1u);
  EXPECT_EQ(second.receptions[0].accepts, (std::vector<bool>{true, true, true}));
  EXPECT_TRUE(program.at(0, 2).may_stop);
  EXPECT_FALSE(program.at(0, 2).is_end);
  EXPECT_TRUE(program.at(0, 3).may_stop);
  EXPECT_TRUE(program.at(0, 3).is_end);
  EXPECT_FALSE(program.at(0, 3).receives_only);
}

// ---- the initial vector ------------------------------------------------------------------------

TEST(InitialVector, IsAllZeroForThePapersProtocol) {
  EXPECT_EQ(compile(test::model_text("alternating_bit")).program.initial, StateWords{0});
}

TEST(InitialVector, HasValuesContentsAndParameters) {
  const Program program = compile(
                              "channel c[2] = { m(4) }; var n = -3;\n"
                              "procedure f(v) { (v > 0) -> n = v }\n"
                              "proc p var x : 2..9 = 7; { f(x + len(c)) }\n"
                              "proc q { do :: c?m(_) :: n = -5 od }")
                              .program;
  std::map<std::string, std::int64_t> values;
  for (VariableId v = 0; v < program.protocol.variables.size(); ++v)
    values[program.protocol.variables[v].name] = read(program.layout.variables[v], program.initial);
  EXPECT_EQ(values, (std::map<std::string, std::int64_t>{{"n", -3}, {"x", 7}, {"f.v", 8}}));
  const std::vector<Message> messages = contents(program.layout.channels[0], program.initial);
  ASSERT_EQ(messages.size(), 1u);
  EXPECT_EQ(messages[0].values, std::vector<std::int64_t>{4});
}

TEST(InitialVector, KnowsThatASinkIsNeverFull) {
  const Program program =
      compile("sink s; procedure f(v) { (v == 0); v = 0 } proc p { f(full(s)) }").program;
  EXPECT_EQ(read(program.layout.variables[0], program.initial), 0);
}

// ---- assertions and footprints -----------------------------------------------------------------

TEST(Rules, MoveTheAssertionsThatNameTheirAction) {
  const Program program = compile(
                              "channel a; proc p { a!m; a!n(1) } proc q { a?m; a?default }\n"
                              "assert one { a!m; a!n } assert two { a?n } assert three { a!k }")
                              .program;
  std::vector<std::string> moves;
  for (const Rule& rule : program.rules) {
    std::string text = rule.text;
    for (const AssertionMove& move : rule.assertion_moves)
      text += " " + program.protocol.assertions[move.assertion].name;
    moves.push_back(text);
  }
  EXPECT_EQ(moves, (std::vector<std::string>{"a!m one", "a!n(1) one", "a?m", "a?default",
                                             "a?default two"}));
}

TEST(Footprints, SayWhatARuleReadsWritesAsksSendsAndReceives) {
  const Program program =
      compile(
          "channel a, b[0..1]; var s;\n"
          "proc p var x, y; { do :: (x > s && full(a)) :: x = y + x :: a!m(s, s) :: b[x]?m(y)\n"
          "  :: a?timeout :: assert(len(a) < y) od } proc q { b[0]!m(1) } assert { a!m }")
          .program;
  const auto names = [&](const std::vector<VariableId>& list) {
    std::string out;
    for (const VariableId v : list) out += program.protocol.variables[v].name;
    return out;
  };
  const auto channel = [&](ChannelId c) {
    return c == none ? std::string("-") : program.protocol.channels[c].name;
  };
  std::vector<std::string> lines;
  for (const Rule& rule : program.rules) {
    if (rule.owner().process != 0) continue;
    const Footprint foot = footprint(program, rule);
    std::string asks;
    for (const ChannelId c : foot.asks) asks += channel(c);
    lines.push_back(fmt::format("{}: reads {}, writes {}, asks {}, to {}, from {}, {}", rule.text,
                                names(foot.reads), names(foot.writes), asks, channel(foot.sends_to),
                                channel(foot.receives_from), foot.assertions.size()));
  }
  EXPECT_EQ(lines, (std::vector<std::string>{
                       "(x > s && full(a)): reads sx, writes , asks a, to -, from -, 0",
                       "x = y + x: reads xy, writes x, asks , to -, from -, 0",
                       "a!m(s, s): reads s, writes , asks , to a, from -, 1",
                       "b[x]?m(y): reads x, writes y, asks , to -, from b[0], 0",
                       "b[x]?m(y): reads x, writes , asks , to -, from -, 0",
                       "assert(len(a) < y): reads y, writes , asks a, to -, from -, 0",
                       "a?timeout: reads , writes , asks a, to -, from -, 0"}));
}

TEST(Rules, RefuseAStartWhoseArgumentsHaveNoValue) {
  Protocol protocol = test::protocol_of(
      "var z; channel c; procedure f(a) { c!m(a) } proc p { f(1 / z) } proc q { c?m }");
  std::string problem;
  EXPECT_FALSE(compile_rules(std::move(protocol), {}, problem));
  EXPECT_EQ(problem, "the arguments of the call that a process starts with have no value");
}

}  // namespace
}  // namespace panoptes
