// SPDX-License-Identifier: Apache-2.0
// Steps forwards and backwards, and what is remembered of them.
#include "session/walk.hpp"

#include <gtest/gtest.h>

#include "session/breakpoint.hpp"
#include "support/program.hpp"

namespace panoptes {
namespace {

std::string texts(const Program& program, const Walk& walk) {
  std::string out;
  for (const EnabledStep& step : walk.enabled())
    out += program.rules[step.rule].text + (step.fails() ? " fails; " : "; ");
  return out;
}

TEST(Walks, ListEveryStepInTheOrderOfTheRules) {
  const test::Compiled compiled = test::compile(
      "channel a[1]; var n;\n"
      "proc p { do :: a!x :: assert(n == 1) :: n = 7 / n od }\n"
      "proc q { do :: a?x :: a?timeout od }\n");
  Walk walk(compiled.program, ReceptionPolicy::blocked);
  EXPECT_EQ(texts(compiled.program, walk),
            "a!x; assert(n == 1) fails; n = 7 / n fails; a?timeout; ");
  walk.take(0);
  EXPECT_EQ(texts(compiled.program, walk), "assert(n == 1) fails; n = 7 / n fails; a?x; ");
}

TEST(Walks, KeepWhatLiesAheadUntilAnotherStepIsTaken) {
  const test::Compiled compiled =
      test::compile("var n; proc p { do :: n = n + 1 :: n = n + 2 od }\n");
  Walk walk(compiled.program, ReceptionPolicy::blocked);
  const auto n = [&] { return read(compiled.program.layout.variables[0], walk.state()); };
  for (int i = 0; i < 4; ++i) walk.take(1);
  EXPECT_EQ(n(), 8);
  walk.go_to(1);
  EXPECT_EQ(n(), 2);
  EXPECT_EQ(walk.length(), 4u);
  walk.take(1);  // the same
  EXPECT_EQ(walk.length(), 4u);
  walk.take(0);  // another
  EXPECT_EQ(walk.length(), 3u);
  EXPECT_EQ(n(), 5);
  EXPECT_EQ(walk.rules(), (std::vector<RuleId>{1, 1, 0}));
  walk.go_to(1);
  EXPECT_EQ(walk.rules(), std::vector<RuleId>{1});
  walk.restart();
  EXPECT_EQ(walk.length(), 0u);
  EXPECT_EQ(n(), 0);
}

TEST(Walks, SayWhatIsWrongWithAState) {
  const test::Compiled compiled =
      test::compile("channel a[1]; proc p { a!x } proc q { a?x; a?x }\n");
  Walk walk(compiled.program, ReceptionPolicy::blocked);
  EXPECT_TRUE(walk.findings().empty());
  walk.take(0);
  walk.take(0);
  ASSERT_EQ(walk.findings().size(), 1u);
  EXPECT_EQ(walk.findings()[0].kind, ErrorKind::deadlock);
  EXPECT_TRUE(walk.enabled().empty());
}

// Both options are one behind their first statement; a walk knows which it has taken, forwards and
// backwards, and only that stops at a breakpoint.
TEST(Walks, KnowWhereTheyAreInTheText) {
  const test::Compiled compiled = test::compile(
      "channel a[2], b[1];\n"
      "proc p {\n"
      "  if\n"
      "  :: a!x; b?ok\n"
      "  :: a!y; b?ok\n"
      "  fi\n"
      "}\n"
      "proc q { if :: a?x :: a?y fi; b!ok }\n");
  const SourceSet& sources = compiled.sources;
  Walk walk(compiled.program, ReceptionPolicy::blocked);
  const auto line = [&] {
    return sources.line_column(text_places(compiled.program, 0, walk.positions().of(0)).at(0)).line;
  };
  const auto stops = [&](std::uint32_t wanted) {
    return stops_at(compiled.program, sources, {"", wanted, {}}, walk.rule(0), walk.state(0),
                    walk.state(1), walk.positions(), 1);
  };
  EXPECT_EQ(line(), 3u);
  walk.take(1);
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(line(), 5u);
    EXPECT_TRUE(stops(5));
    EXPECT_FALSE(stops(4));
    EXPECT_EQ(walk.last_statements().size(), 1u);
    walk.go_to(0);
    EXPECT_EQ(line(), 3u);
    EXPECT_TRUE(walk.last_statements().empty());
    walk.go_to(1);
  }
  walk.restart();
  EXPECT_EQ(line(), 3u);
  walk.take(0);
  EXPECT_EQ(line(), 4u);
  EXPECT_TRUE(stops(4));
  EXPECT_FALSE(stops(5));
}

}  // namespace
}  // namespace panoptes
