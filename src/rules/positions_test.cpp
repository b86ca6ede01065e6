// SPDX-License-Identifier: Apache-2.0
#include "rules/positions.hpp"

#include <gtest/gtest.h>

#include "support/model.hpp"

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
    for (const Place& place : positions.of(process))
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
  const StateId merged = compiled_.program.rules[rule("a!x")].target;
  ASSERT_EQ(merged, compiled_.program.rules[rule("a!y")].target);
  EXPECT_EQ(position_text(compiled_.program, 0, merged, {}, compiled_.sources), "4:11|5:11");
  EXPECT_EQ(
      position_text(compiled_.program, 0, compiled_.program.protocol.processes[0].automaton.end, {},
                    compiled_.sources),
      "end");
}

}  // namespace
}  // namespace panoptes
