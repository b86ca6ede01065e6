// SPDX-License-Identifier: Apache-2.0
#include "rules/error_table.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "rules/program.hpp"
#include "support/program.hpp"

namespace panoptes {
namespace {

// Each row in a line, with what must hold by control state.
std::vector<std::string> row_lines(const Program& program, ReceptionPolicy policy) {
  const ExpressionNames names{[](VariableId v) { return fmt::format("v{}", v); },
                              [](ChannelId c) { return fmt::format("c{}", c); }};
  const auto text = [&](ExpressionId id) {
    return id == none ? "never" : to_text(program.protocol.expressions, id, names);
  };
  std::vector<std::string> lines;
  for (const StateError& row : program.errors.states) {
    if (!row.counts_under(policy)) continue;
    std::string line(to_string(row.kind));
    if (row.process != none) line += fmt::format(" of p{}", row.process);
    if (row.channel != none) line += fmt::format(" in c{}", row.channel);
    if (row.idle != Idle::nobody)
      line += row.idle == Idle::process ? " where it waits" : " where all wait";
    line += ": " + text(row.predicate);
    for (const auto& [state, predicate] : row.at)
      line += fmt::format("; at {}: {}", state, text(predicate));
    lines.push_back(line);
  }
  return lines;
}

TEST(ErrorTable, HasARowForEachProcessAndChannel) {
  const std::string model =
      "queue c[1]; var x : 0..3;\n"
      "proc p { c!a; c!b; do :: x < 3 -> c!d od }\n"
      "proc q { c?a; if :: c?b :: x == 6 / x -> c?d fi; end: do :: c?default od }\n";
  const Program program = test::compile(model, {.minimise = false}).program;
  const std::vector<std::string> blocked = row_lines(program, ReceptionPolicy::blocked);
  ASSERT_EQ(blocked.size(), 3u);
  EXPECT_EQ(blocked[0],
            "unspecified_reception of p1 in c0 where it waits: never; "
            "at 0: member(tag(c0), 2, 3); "
            "at 1: member(tag(c0), 1, 3) && holds(!(v0 == 6 / v0)); "
            "at 2: member(tag(c0), 1, 2)");
  EXPECT_EQ(row_lines(program, ReceptionPolicy::reading).size(), 3u);
  EXPECT_EQ(row_lines(program, ReceptionPolicy::any).size(), 3u);
}

// That a process is stuck where it could do more than receive depends on what the others can do.
TEST(ErrorTable, LooksAtWhatMayStillCome) {
  const auto blocked = [](const std::string& option, const std::string& others = "skip") {
    const Program program = test::compile(
                                "channel c[1] = { busy }, d[1], e[1]; var s;\n"
                                "proc p { var x; do :: c?reply :: " +
                                    option +
                                    " od }\n"
                                    "proc q { " +
                                    others + " }",
                                {.minimise = false})
                                .program;
    const auto lines = row_lines(program, ReceptionPolicy::blocked);
    return lines[0].starts_with("unspecified_reception of p0 in c0")
               ? lines[0].substr(lines[0].find("at 0: ") + 6)
               : "never";
  };
  EXPECT_EQ(blocked("(x > 0)"), "member(tag(c0), 1) && !(v1 > 0)");
  EXPECT_EQ(blocked("(s > 0)"), "member(tag(c0), 1) && !(v0 > 0)");
  EXPECT_EQ(blocked("(s > 0)", "s = 1"), "never");
  EXPECT_EQ(blocked("d!m"), "member(tag(c0), 1) && full(c1)");
  EXPECT_EQ(blocked("d!m", "d?m"), "never");
  EXPECT_EQ(blocked("d?m", "e!m"), "member(tag(c0), 1)");
  EXPECT_EQ(blocked("d?m", "d!m"), "member(tag(c0), 1) && (!(tag(c1) == 1) && !empty(c1))");
  EXPECT_EQ(blocked("when (x) d?timeout(lock)"), "member(tag(c0), 1) && !(empty(c1) && v1)");
  EXPECT_EQ(blocked("else"), "never");
}

// A broadcast waits for room in all of its channels.
TEST(ErrorTable, LooksForRoomThatMayComeInAFamily) {
  const auto blocked = [](const std::string& reader, const std::string& line = "") {
    const Program program = test::compile("channel c[0..1][1] " + line +
                                              " = { busy };\n"
                                              "proc p { do :: c[0]?reply :: c[*]!m od }\n"
                                              "proc q { " +
                                              reader + "; c[0]!m }",
                                          {.minimise = false})
                                .program;
    const auto lines = row_lines(program, ReceptionPolicy::blocked);
    return lines[0].starts_with("unspecified_reception of p0 in c0")
               ? lines[0].substr(lines[0].find("at 0: ") + 6)
               : "never";
  };
  EXPECT_EQ(blocked("skip"), "member(tag(c0), 1, 2) && !(!full(c1) && !full(c0))");
  EXPECT_EQ(blocked("c[1]?m"), "member(tag(c0), 1, 2) && full(c0)");
}

// A thousand processes have a few thousand expressions, not a million.
TEST(ErrorTable, GrowsWithTheProtocol) {
  const auto of = [](int processes) {
    return test::compile(fmt::format("queue c[1..{0}][1];\n"
                                     "proc p[i : 1..{0}] {{ do :: c[i]!a :: c[i]?a od; c[i]?b }}",
                                     processes))
        .program;
  };
  const Program program = of(300);
  const std::size_t made = program.protocol.expressions.size() - program.errors.first_expression;
  EXPECT_LT(made, 300u * 10);
  EXPECT_LT(program.errors.states.size(), 300u * 5);
}

TEST(ErrorTable, HasTheChecksOfEachRule) {
  const Program program = test::compile(
                              "queue c[1]; var x : 0..3;\n"
                              "proc p { c!a; assert(x > 0); c!b }\n"
                              "proc q { c?a; c?b }\n"
                              "assert { c!a; c!b }\n",
                              {.minimise = false, .overflow = OverflowPolicy::error})
                              .program;
  std::vector<std::string> lines;
  for (RuleId rule = 0; rule < program.rules.size(); ++rule) {
    std::string line = program.rules[rule].text + ":";
    for (const StepCheck& check : program.errors.checks_of(rule))
      line += fmt::format(" {}{}", to_string(check.kind),
                          check.assertion == none ? "" : " of behaviour");
    lines.push_back(line);
  }
  EXPECT_EQ(lines, (std::vector<std::string>{
                       "c!a: overflow assertion of behaviour", "assert(x > 0): assertion",
                       "c!b: overflow assertion of behaviour", "c?a:", "c?b:"}));
  EXPECT_TRUE(program.errors.checks_of(none).empty());
}

}  // namespace
}  // namespace panoptes
