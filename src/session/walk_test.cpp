// SPDX-License-Identifier: Apache-2.0
// Steps forwards and backwards, and what is remembered of them.
#include "session/walk.hpp"

#include <gtest/gtest.h>

#include "support/model.hpp"

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

}  // namespace
}  // namespace panoptes
