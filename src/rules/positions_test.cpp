// SPDX-License-Identifier: Apache-2.0
#include "rules/positions.hpp"

#include <gtest/gtest.h>

#include "support/program.hpp"

namespace panoptes {
namespace {

// The two branches of p are merged behind their first statements.
const char* const branches =
    "channel a[2], b[1];\n"
    "proc p {\n"
    "  if\n"
    "  :: a!x; b?ok; b?done\n"
    "  :: a!y; b?ok; b?done\n"
    "  fi\n"
    "}\n"
    "proc q { if :: a?x :: a?y fi; b!ok; b!done }\n";

class PositionsOf : public testing::Test {
 protected:
  std::string at(const Positions& positions, ProcessId process) const {
    std::string out;
    for (const Place& place : text_places(compiled_.program, process, positions.of(process)))
      out += (out.empty() ? "" : "|") + compiled_.sources.line_and_column(place);
    return out;
  }
  std::string lines(const std::vector<StatementId>& statements) const {
    std::string out;
    for (const StatementId statement : statements) {
      const Place place = compiled_.program.protocol.statements[statement].place;
      out += (out.empty() ? "" : "|") + compiled_.sources.line_and_column(place);
    }
    return out;
  }
  RuleId rule(const std::string& text) const {
    for (RuleId id = 0; id < compiled_.program.rules.size(); ++id)
      if (compiled_.program.rules[id].text == text) return id;
    throw std::runtime_error("no rule " + text);
  }

  test::Compiled compiled_ = test::compile(branches);
};

// A label that nobody asked for is that of the run all the same.
TEST(PositionsOfLabels, AreThoseOfTheBranchThatWasTaken) {
  const test::Compiled compiled = test::compile(
      "channel a[1], b[1];\n"
      "proc p { if :: a!x; idle: b?ok :: a!y; waiting: b?ok fi }\n"
      "proc q { if :: a?x :: a?y fi; b!ok }\n");
  const Program& program = compiled.program;
  const auto at = [&](const Positions& positions, StateId state) {
    return position_text(program, 0, state, positions.of(0), compiled.sources);
  };
  const StateId merged = program.rules[0].owner().to;
  EXPECT_EQ(program.rules[1].owner().to, merged);
  for (const auto& [rule, label] : {std::pair(0u, "idle"), std::pair(1u, "waiting")}) {
    Positions positions(program);
    positions.take(rule);
    EXPECT_EQ(at(positions, merged), label);
  }
  EXPECT_EQ(position_text(program, 0, merged, {}, compiled.sources), "idle|waiting");
}

TEST_F(PositionsOf, MergedStatementsAreThoseOfTheBranchThatWasTaken) {
  for (const auto& [sent, line] : {std::pair("a!x", 4), std::pair("a!y", 5)}) {
    Positions positions(compiled_.program);
    EXPECT_EQ(at(positions, 0), "3:3");
    positions.take(rule(sent));
    EXPECT_EQ(at(positions, 0), fmt::format("{}:11", line));
    EXPECT_EQ(lines(positions.statements(rule("b?ok"))), fmt::format("{}:11", line));
    EXPECT_EQ(lines(positions.ahead(0)), fmt::format("{}:11", line));
    positions.take(rule("b?ok"));
    EXPECT_EQ(at(positions, 0), fmt::format("{}:17", line));
    positions.take(rule("b?done"));
    EXPECT_EQ(at(positions, 0), "7:1");
    EXPECT_EQ(at(positions, 1), "8:10");
  }
}

TEST_F(PositionsOf, StatesOfUnknownOriginAreAllTheyMayBe) {
  const StateId merged = compiled_.program.rules[rule("a!x")].owner().to;
  ASSERT_EQ(merged, compiled_.program.rules[rule("a!y")].owner().to);
  EXPECT_EQ(position_text(compiled_.program, 0, merged, {}, compiled_.sources), "4:11|5:11");
  EXPECT_EQ(
      position_text(compiled_.program, 0, compiled_.program.protocol.processes[0].automaton.end, {},
                    compiled_.sources),
      "end");
}

// People take `end` for the closing brace.
TEST(PositionsOfLabels, CalledEndAreShownWithTheirPlace) {
  const test::Compiled compiled =
      test::compile("channel c[1]; proc p { c!a; end: c!b; end_c: c?a }");
  const Program& program = compiled.program;
  std::vector<std::string> words, texts;
  for (StateId s = 0; s < program.control[0].size(); ++s) {
    words.push_back(position_words(program, 0, s, {}, compiled.sources));
    texts.push_back(position_text(program, 0, s, {}, compiled.sources));
  }
  EXPECT_EQ(words, (std::vector<std::string>{"1:24", "1:34 (end:)", "end_c", "end"}));
  EXPECT_EQ(texts, (std::vector<std::string>{"1:24", "end", "end_c", "end"}));
}

TEST(ControlStateNames, TellCopiesApart) {
  const Protocol protocol = test::protocol_of(
      "channel c[1];\nprocedure say() { c!a; c!b }\n"
      "proc p { say(); say() }\nproc q { do :: c?a :: c?b od }\n",
      {.minimise = false});
  EXPECT_EQ(control_state_names(protocol.processes[0]),
            (std::vector<std::string>{"2:19", "2:24", "2:19#2", "2:24#2", "end"}));
}

TEST_F(PositionsOf, ProcessesThatAnotherMovesAreAllTheyMayBe) {
  Rule& sent = compiled_.program.rules[rule("a!x")];
  const StateId merged = compiled_.program.rules[rule("a!y")].owner().to;
  // As if the second process moved the first.
  sent.moves = {{1, 0, 0}, {0, sent.owner().from, merged}};
  sent.origins = {{0, 0, sent.statements}};
  Positions positions(compiled_.program);
  positions.take(rule("a!x"));
  EXPECT_EQ(at(positions, 0), "4:11|5:11");
}

}  // namespace
}  // namespace panoptes
