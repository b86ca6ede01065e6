// SPDX-License-Identifier: Apache-2.0
// Declarations, scopes and families.
#include "argos/names.hpp"

#include <gtest/gtest.h>

#include "support/protocol.hpp"

namespace panoptes {
namespace {

using test::build;
using test::first_shape;
using test::protocol_of;

std::vector<std::string> channel_names(const Protocol& protocol) {
  std::vector<std::string> names;
  for (const Channel& channel : protocol.channels) names.push_back(channel.name);
  return names;
}

// What an error says, without place and caret.
std::string error_of(const std::string& text) {
  const test::Built built = build(text);
  for (const Diagnostic& d : built.diagnostics.all())
    if (d.severity == Severity::error) return d.message;
  return "no error";
}

// ---- channels ----------------------------------------------------------------------------------

TEST(Channels, HaveTheCapacityTheyDeclareElseThatOfTheOptionsElseOfTheirContents) {
  const Protocol protocol =
      protocol_of("channel a[3], b, c = { m, m, m, m }, d[2 * 2 + 1] = { m }; sink s; proc p { }",
                  {.default_capacity = 2});
  std::vector<std::uint32_t> capacities;
  for (const Channel& channel : protocol.channels) capacities.push_back(channel.capacity);
  EXPECT_EQ(capacities, (std::vector<std::uint32_t>{3, 2, 4, 5, 0}));
  EXPECT_EQ(protocol_of("channel a; proc p { }", {.default_capacity = 7}).channels[0].capacity, 7u);
}

TEST(Channels, StartWithTheirContents) {
  const Protocol protocol = protocol_of("channel a[4] = { m(256), n, m(70000, -1) }; proc p { }");
  const auto& contents = protocol.channels[0].contents;
  ASSERT_EQ(contents.size(), 3u);
  EXPECT_EQ(contents[0].values, (std::vector<std::int64_t>{256}));
  EXPECT_EQ(contents[1].values, (std::vector<std::int64_t>{}));
  EXPECT_EQ(contents[2].values, (std::vector<std::int64_t>{4464, -1}));  // in sixteen bits
}

TEST(Channels, RefuseCapacitiesThatMakeNoSense) {
  EXPECT_EQ(error_of("channel c[0]; proc p { }"), "no error");
  EXPECT_EQ(error_of("channel c[0] = { m }; proc p { }"), "1 messages do not fit into 0 slots");
  EXPECT_EQ(error_of("channel c[1 - 3]; proc p { }"), "a capacity of -2 makes no sense");
  EXPECT_EQ(error_of("channel c[4097]; proc p { }"), "a channel has at most 4096 slots");
  EXPECT_EQ(error_of("channel c[1] = { m, m }; proc p { }"), "2 messages do not fit into 1 slot");
  EXPECT_EQ(error_of("var x; channel c[x]; proc p { }"), "a capacity must be constant");
  EXPECT_EQ(error_of("channel c[4096]; proc p { }"), "no error");
}

// ---- variables ---------------------------------------------------------------------------------

TEST(Variables, StartAtZeroOrAtTheEndOfTheirRangeNextToIt) {
  const Protocol protocol =
      protocol_of("var a, b = 3, c : 0..7 = 2, d : 5..9, e : -9..-5, f : -1..1; proc p { }");
  std::vector<std::int64_t> initial;
  for (const Variable& variable : protocol.variables) initial.push_back(variable.initial);
  EXPECT_EQ(initial, (std::vector<std::int64_t>{0, 3, 2, 5, -5, 0}));
  EXPECT_EQ(protocol.variables[0].declared, short_integer);
  EXPECT_EQ(protocol.variables[4].declared, (Interval{-9, -5}));
}

TEST(Variables, RefuseValuesAndRangesThatMakeNoSense) {
  EXPECT_EQ(error_of("var x : 0..7 = 8; proc p { }"), "8 is outside 0..7");
  EXPECT_EQ(error_of("var x = 32768; proc p { }"), "32768 is outside -32768..32767");
  EXPECT_EQ(error_of("var x : 3..2; proc p { }"), "the range 3..2 is empty");
  EXPECT_EQ(error_of("var x : 0..32768; proc p { }"),
            "the range 0..32768 does not fit into 16 bits");
  EXPECT_EQ(error_of("var x; proc p var y = x; { }"), "an initial value must be constant");
}

TEST(Variables, OfAProcessHideSharedOnesOfTheSameName) {
  const Protocol protocol = protocol_of(
      "var x = 1; channel c; proc p var x = 2; { c!m(x) } proc q { c!m(x) } proc r { c?m(_) }",
      {.minimise = false});
  EXPECT_EQ(protocol.channels[0].sort[0].values, (std::vector<Interval>{{1, 2}}));
  EXPECT_EQ(protocol.variables[0].process, none);
  EXPECT_EQ(protocol.variables[1].process, 0u);
}

TEST(Variables, OfOneProcessAreUnknownToOthers) {
  EXPECT_EQ(error_of("proc p var x; { x = 1 } proc q { x = 1 }"), "no variable is called `x` here");
}

// ---- constants ---------------------------------------------------------------------------------

TEST(Constants, AreKnownWhereverAValueIsAskedFor) {
  const Protocol protocol = protocol_of(
      "channel c[two] = { m(most) }; var x : -two..most = true;\n"
      "const two = 2, most = two * 3 + false;\n"
      "proc p[i : 1..two] { (x < most && true) } proc r { c?m }");
  EXPECT_EQ(protocol.channels[0].capacity, 2u);
  EXPECT_EQ(protocol.channels[0].contents[0].values, (std::vector<std::int64_t>{6}));
  EXPECT_EQ(protocol.variables[0].declared, (Interval{-2, 6}));
  EXPECT_EQ(protocol.variables[0].initial, 1);
  EXPECT_EQ(protocol.processes.size(), 3u);
  EXPECT_EQ(first_shape("const n = 3; proc p var x; { x = n }"), "0 x = n {x = 3} -> 1\n1 end\n");
}

TEST(Constants, AreHiddenByWhatAProcessDeclares) {
  const Protocol protocol = protocol_of(
      "const x = 5, i = 6; channel c;\n"
      "proc p[i : 1..1] var x = 2, true = 3; { c!m(x, i, true) } proc r { c?m }",
      {.minimise = false});
  EXPECT_EQ(protocol.channels[0].sort[0].values, (std::vector<Interval>{{2, 2}, {1, 1}, {3, 3}}));
}

TEST(Constants, RefuseWhatIsNone) {
  EXPECT_EQ(error_of("var x; const n = x; proc p { }"), "no variable is called `x` here");
  EXPECT_EQ(error_of("const n = n + 1; proc p { }"), "constant `n` has no value yet here");
  EXPECT_EQ(error_of("const n = m, m = 1; proc p { }"), "constant `m` has no value yet here");
  EXPECT_EQ(error_of("const n = 1; var n; proc p { }"), "`n` is declared twice");
  EXPECT_EQ(error_of("const n = 1; const n = 1; proc p { }"), "`n` is declared twice");
  EXPECT_EQ(error_of("const n = 1; proc p { n = 2 }"), "`n` is constant here");
  EXPECT_EQ(error_of("const n = 1 / 0; proc p { }"), "a constant must be constant");
}

// ---- enumerations ------------------------------------------------------------------------------

TEST(Enumerations, NameTheValuesOfVariables) {
  const Protocol protocol = protocol_of(
      "enum phase { idle, busy, done } enum { other };\n"
      "var s : phase = busy, t : phase, n : other..done = busy; proc p { (s != t) }");
  EXPECT_EQ(protocol.variables[0].declared, (Interval{0, 2}));
  EXPECT_EQ(protocol.variables[0].initial, 1);
  EXPECT_EQ(protocol.variables[2].enumeration, none);
  EXPECT_EQ(protocol.value_text(protocol.variables[1].enumeration, 2), "done");
  EXPECT_EQ(protocol.value_text(protocol.variables[1].enumeration, 3), "3");
  EXPECT_EQ(protocol.value_text(protocol.variables[1].enumeration, -1), "-1");
  EXPECT_EQ(protocol.value_text(none, 0), "0");
}

// By channel and message, what each value is.
std::string value_names(const std::string& text) {
  const Protocol protocol = protocol_of("enum a { x0, x1 } enum b { y0, y1 }" + text);
  std::string result;
  for (const Channel& channel : protocol.channels)
    for (const MessageType& type : channel.sort) {
      result += " " + type.name;
      for (std::size_t i = 0; i < type.values.size(); ++i)
        result +=
            type.enumeration(i) == none ? "-" : protocol.enumerations[type.enumeration(i)].name;
    }
  return result;
}

TEST(Enumerations, NameValuesOfMessagesWhereAllWhoSendOrAllWhoReceiveAgree) {
  EXPECT_EQ(value_names("channel c; proc p { c!m(x1, 1) } proc q var n : 0..1; { c?m(n, n) }"),
            " ma-");
  EXPECT_EQ(value_names("channel c; proc p var s : a; { c!m(s); c!m(2) } proc q { c?m }"), " m-");
  EXPECT_EQ(value_names("channel c; proc p { c!m(1); c!m(0) } proc q var t : b; { c?m(t) }"),
            " mb");
  EXPECT_EQ(value_names("channel c = { m(y1) }; proc q var s : a; { c?m(s) }"), " mb");
  EXPECT_EQ(value_names("procedure send(v) { c!m(v) } channel c;\n"
                        "proc p { send(x1) } proc q { c?m; c?m(_) }"),
            " ma");
}

TEST(Enumerations, RefuseNamesThatAreTaken) {
  EXPECT_EQ(error_of("enum { one } enum { two, one } proc p { }"), "`one` is declared twice");
  EXPECT_EQ(error_of("enum e { one } enum e { two } proc p { }"), "enum `e` is declared twice");
  EXPECT_EQ(error_of("enum { one } const one = 1; proc p { }"), "`one` is declared twice");
  EXPECT_EQ(error_of("enum e { one } var s : f; proc p { }"), "no enum is called `f`");
  EXPECT_EQ(error_of("enum e { one, two } var s : e = 2; proc p { }"), "2 is outside 0..1");
}

// ---- families ----------------------------------------------------------------------------------

TEST(Families, HaveAMemberForEveryIndex) {
  const Protocol protocol = protocol_of(
      "channel ring[-1..1][4];\n"
      "proc node[i : -1..1] var id = i * 2; { ring[i]?m; id = i }\n");
  EXPECT_EQ(channel_names(protocol), (std::vector<std::string>{"ring[-1]", "ring[0]", "ring[1]"}));
  std::vector<std::string> processes;
  for (const Process& process : protocol.processes) processes.push_back(process.name);
  EXPECT_EQ(processes, (std::vector<std::string>{"node[-1]", "node[0]", "node[1]"}));
  for (std::uint32_t i = 0; i < 3; ++i) {
    EXPECT_EQ(protocol.processes[i].declaration, "node");
    EXPECT_EQ(protocol.channels[i].reader(), i);
    EXPECT_EQ(protocol.channels[i].capacity, 4u);
    EXPECT_EQ(protocol.variables[i].initial, 2 * (static_cast<std::int64_t>(i) - 1));
  }
}

TEST(Families, OfChannelsInAFamilyOfProcessesHaveAMemberEach) {
  const Protocol protocol = protocol_of("proc node[i : 0..2] queue box[1]; { box[i]?m }");
  EXPECT_EQ(channel_names(protocol), (std::vector<std::string>{"box[0]", "box[1]", "box[2]"}));
}

TEST(Families, UseAConstantIndexAsIfItWereAName) {
  EXPECT_EQ(first_shape("channel c[0..2]; proc p[i : 1..1] { c[(i + 2) % 3]!m; c[i]?n }"),
            "0 c[0]!m -> 1\n1 c[1]?n -> 2\n2 end\n");
}

TEST(Families, ChooseTheMemberOfAnIndexAtRunTime) {
  EXPECT_EQ(first_shape("channel c[0..1]; proc p var x; { c[x + 1]!m(7) }"),
            "0 c[x + 1]!m(7) if x + 1 == 0 -> 1 | c[x + 1]!m(7) if x + 1 == 1 -> 1 | "
            "c[x + 1]!m(7) if x + 1 < 0 || x + 1 > 1 -> 1\n"
            "1 end\n");
  EXPECT_EQ(first_shape("channel c[0..1]; proc p var x; { (len(c[x]) > 0 && !full(c[1])) }"),
            "0 (len(c[x]) > 0 && !full(c[1])) -> 1\n1 end\n");
}

TEST(Families, FindAnIndexOutOfRangeAtCompileTimeWhereItIsConstant) {
  EXPECT_EQ(error_of("channel c[0..2]; proc p { c[3]!m }"), "there is no `c[3]`");
  EXPECT_EQ(error_of("channel c[0..2]; proc p[i : 0..2] { c[i - 1]!m }"), "there is no `c[-1]`");
  EXPECT_EQ(error_of("channel c[0..2]; proc p { (full(c[5])) }"), "there is no `c[5]`");
  EXPECT_EQ(error_of("channel c[0..2]; proc p { c!m }"), "`c` is a family of channels");
  EXPECT_EQ(error_of("channel c; proc p { c[0]!m }"), "`c` is one channel, not a family");
  EXPECT_EQ(error_of("channel c[0..2]; proc p[i : 0..2] { i = 1 }"), "`i` is constant here");
}

TEST(Families, OfAssertionsHaveAMemberForEveryIndex) {
  const Protocol protocol = protocol_of(
      "channel c[0..1]; proc p { c[0]!m; c[1]!m }\n"
      "assert { c[0]!m }\n"
      "assert order[i : 0..1] { c[i]!m }\n"
      "assert { c[1]!m }\n");
  std::vector<std::string> names;
  for (const Assertion& assertion : protocol.assertions) names.push_back(assertion.name);
  EXPECT_EQ(names,
            (std::vector<std::string>{"assertion 1", "order[0]", "order[1]", "assertion 3"}));
  EXPECT_EQ(protocol.assertions[2].scope, (std::vector<ExternalAction>{{1, true, "m"}}));
}

// ---- limits ------------------------------------------------------------------------------------

TEST(Limits, HoldForEverythingAShortTextCanAskFor) {
  EXPECT_EQ(error_of("proc p[i : 1..1001] { }"), "a family has at most 1000 members");
  EXPECT_EQ(error_of("proc p[i : 1..600] { } proc q[i : 1..600] { }"), "more than 1000 processes");
  EXPECT_EQ(error_of("channel c[0..4000]; proc p { }"), "more than 4000 channels");
  std::string variables = "var a0";
  for (int i = 1; i < 30; ++i) variables += fmt::format(", a{}", i);
  EXPECT_EQ(error_of("proc p[i : 1..1000] " + variables + "; { }"),
            "the protocol has too many variables");
  std::string doubling = "channel c; procedure p0() { c!m }\n";
  for (int i = 1; i < 12; ++i)
    doubling += fmt::format("procedure p{0}() {{ p{1}(); p{1}() }}\n", i, i - 1);
  EXPECT_EQ(error_of(doubling + "proc p[i : 1..1000] { p11() } proc r { c?m }"),
            "the processes need more than 200000 control states");
}

TEST(Limits, HoldForTheTransitionsOfAllMembersOfAFamily) {
  std::string body = "c[x]!m";
  for (int i = 0; i < 9; ++i) body += "; c[x]!m";
  EXPECT_NE(error_of("channel c[0..3999]; proc p[i : 1..100] var x; { " + body + " }")
                .find("needs more than 1000000 transitions"),
            std::string::npos);
}

TEST(Limits, HoldForTheSizeOfAnExpression) {
  std::string sum = "x";
  for (int i = 0; i < 11; ++i) sum = fmt::format("({0} + {0})", sum);  // 2^11 of them
  EXPECT_EQ(error_of("proc p var x; { x = " + sum + " }"), "this expression is too large");
}

}  // namespace
}  // namespace panoptes
