// SPDX-License-Identifier: Apache-2.0
#include "report/columns.hpp"

#include <gtest/gtest.h>

#include "support/model.hpp"

namespace panoptes {
namespace {

// A compiled model and the trail of the first error found in it.
struct Found {
  explicit Found(const std::string& text, const test::Setup& setup = {})
      : compiled(test::compile(text, setup)), error(test::check(compiled).errors.at(0)) {}

  std::string columns() const { return column_report(compiled.program, error.trail); }
  std::string steps() const { return step_report(compiled.program, error.trail, compiled.sources); }

  test::Compiled compiled;
  ErrorReport error;
};

std::string paper_report(const std::string& assertion) {
  return Found(test::model_text("alternating_bit_link", "#define " + assertion + "\n"),
               {.minimise = false, .timeouts = TimeoutPolicy::lock})
      .columns();
}

// As printed in the appendix of the paper on Argos, where `link` is called `channel`.
TEST(Columns, AreThoseOfThePapersFirstAssertion) {
  EXPECT_EQ(paper_report("A1"),
            "queue:  sender  receiver  link     user\n"
            "event:\n"
            "     1                    msg1,\n"
            "     2  tau,\n"
            "     3                    [msg1],\n");
}

TEST(Columns, AreThoseOfThePapersSecondAssertion) {
  EXPECT_EQ(paper_report("A2"),
            "queue:  sender  receiver  link   user\n"
            "event:\n"
            "     1                    msg1,\n"
            "     2          msg1,\n"
            "     3                    ack1,\n"
            "     4                           msg1,\n"
            "     5  tau,\n"
            "     6                    msg1,\n"
            "     7          [msg1],\n");
}

TEST(Columns, ShowValuesAndBracketWhatIsNeverReceived) {
  const Found found(
      "channel a[3], b[1]; sink log;\n"
      "proc p { a!m(1, -2); a!n; log!done(3); b?never }\n"
      "proc q { a?m(_, _) }\n");
  EXPECT_EQ(found.columns(),
            "queue:  a          b  log\n"
            "event:\n"
            "     1  m(1, -2),\n"
            "     2  [n],\n"
            "     3                done(3),\n");
}

// What a line did to messages is no matter of their order.
TEST(Columns, MarkWhatLinesDidAndWhatWasFlushed) {
  const std::string twice = "proc q { end1: c?m(_); end2: c?m(_); assert(0) }\n";
  EXPECT_EQ(Found("channel c[1] duplicating; proc p { c!m(1) }\n" + twice).columns(),
            "queue:  c\n"
            "event:\n"
            "     1  m(1),\n"
            "     2  copy m(1) of 1,\n");
  EXPECT_EQ(Found("channel c[1] duplicating = { m(1) };\n" + twice).columns(),
            "queue:  c\n"
            "event:\n"
            "     1  copy m(1),\n");
  EXPECT_EQ(Found("channel c[2] reordering, d[1] lossy;\n"
                  "proc p { c!m(1); c!m(2); d!x }\n"
                  "proc q var n; { c?m(n); assert(n == 1); c?m(n) }\n")
                .columns(),
            "queue:  c                 d\n"
            "event:\n"
            "     1  [m(1)],\n"
            "     2  m(2),\n"
            "     3  takes m(2) of 2,\n");
  EXPECT_EQ(Found("channel d[1] lossy; proc p { d!x(1); d!y; assert(!full(d)) }").columns(),
            "queue:  d\n"
            "event:\n"
            "     1  [x(1)],\n"
            "     2  lost y,\n");
  EXPECT_EQ(Found("channel c[2], d[3] = { k };\n"
                  "proc p { d!x; d!y(1); c!m }\n"
                  "proc q { c?m; d?k; flush d; flush d; assert(0) }\n")
                .columns(),
            "queue:  c   d\n"
            "event:\n"
            "     1      [x],\n"
            "     2      [y(1)],\n"
            "     3  m,\n"
            "     4      flush x y(1),\n");
}

TEST(Columns, SayWhatTheyDoNotShow) {
  const auto undrawn = [](const std::string& text) {
    const Found found(text);
    return undrawn_text(found.compiled.program, found.error.trail);
  };
  EXPECT_EQ(undrawn("channel c[1]; proc p { c!m; assert(0) } proc q { c?m }"), "");
  EXPECT_EQ(undrawn("channel c[1]; proc p var x; { c!m; x = 1; assert(0) }"),
            "an internal step is not shown (--steps lists it, --chart text draws more)\n");
  EXPECT_EQ(undrawn("channel c[1]; proc p var x; { c!m; x = 1; assert(x); assert(0) }"),
            "2 internal steps are not shown (--steps lists them, --chart text draws more)\n");
}

TEST(Columns, OfATrailWithoutEventsAreTheHeadingAlone) {
  EXPECT_EQ(Found("channel c[1]; proc p { skip; c?m }").columns(), "queue:  c\nevent:\n");
}

TEST(Columns, LeaveOutIdleChannelsWhereThereAreVeryMany) {
  const Found found("channel c[0..8][1]; proc p { c[3]!m; c[7]!m; c[3]?never }");
  EXPECT_EQ(found.columns(),
            "queue:  c[3]  c[7]\n"
            "event:\n"
            "     1  [m],\n"
            "     2        [m],\n");
}

TEST(Steps, NameProcessLineActionAndNextState) {
  const Found found(
      "channel c[1];\n"
      "proc sender\n"
      "  var x;\n"
      "{\n"
      "  do\n"
      "  :: (x < 1) -> c!m(x);\n"
      "     x++\n"
      "  :: (x == 1) -> break\n"
      "  od;\n"
      "done:\n"
      "  assert(x == 0)\n"
      "}\n"
      "proc q { end: do :: c?m(_) od }\n");
  EXPECT_EQ(found.steps(),
            "     1  sender  line 6   (x < 1)         -> 6:17\n"
            "     2  sender  line 6   c!m(x): m(0)    -> 7:6\n"
            "     3  sender  line 7   x = x + 1       -> 5:3\n"
            "     4  sender  line 8   (x == 1)        -> done\n"
            "     5  sender  line 11  assert(x == 0)  fails\n");
}

TEST(Steps, SayWhichMessageItWasWhereTheStatementDoesNot) {
  EXPECT_EQ(
      Found("channel c[3], d[2] = { k, l(2) };\n"
            "proc p var x = 1, n; { c!m(x + 1); c!m(1); c!d; c?m(n); c?default; c?d; flush d;\n"
            "  flush d; assert(0) }\n")
          .steps(),
      "     1  p  line 2  c!m(x + 1): m(2)  -> 2:36\n"
      "     2  p  line 2  c!m(1)            -> 2:44\n"
      "     3  p  line 2  c!d               -> 2:49\n"
      "     4  p  line 2  c?m(n): m(2)      -> 2:57\n"
      "     5  p  line 2  c?default: m(1)   -> 2:68\n"
      "     6  p  line 2  c?d               -> 2:73\n"
      "     7  p  line 2  flush d: k l(2)   -> 3:3\n"
      "     8  p  line 3  flush d           -> 3:12\n"
      "     9  p  line 3  assert(0)         fails\n");
}

TEST(Steps, HaveTheWholeStateBelowThemWhereAsked) {
  const Found found(
      "channel c[1]; var total;\n"
      "proc sender var x = 1; { c!m(x); done: assert(x == 0) }\n"
      "proc q { end: do :: c?m(total) od }\n");
  EXPECT_EQ(step_report(found.compiled.program, found.error.trail, found.compiled.sources,
                        {.below = StepListing::Below::state}),
            "     0  at the start\n"
            "          sender at 2:26, q at 3:15 (end:)\n"
            "          total = 0, sender.x = 1\n"
            "          in channels: nothing\n"
            "     1  sender  line 2  c!m(x): m(1)    -> done\n"
            "          sender at done, q at 3:15 (end:)\n"
            "          total = 0, sender.x = 1\n"
            "          in channels: c: m(1)\n"
            "     2  sender  line 2  assert(x == 0)  fails\n");
}

}  // namespace
}  // namespace panoptes
