// SPDX-License-Identifier: Apache-2.0
// Lines that lose, repeat and reorder messages, and channels that are flushed.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "load/load.hpp"
#include "support/model.hpp"

namespace panoptes {
namespace {

using test::compile;
using test::Compiled;
using Texts = std::vector<std::string>;

// States, transitions, and every error: `kind message after N steps`.
std::string found(const std::string& text, const std::string& faults = "declared") {
  ModelRequest request;
  request.faults = faults;
  request.build.minimise = false;
  const Loaded loaded = load("m", request, [&](const std::string&) { return std::optional(text); });
  if (!loaded.program) return loaded.diagnostics.render(loaded.sources);
  std::string out;
  for (const StepperKind stepper : {StepperKind::interpreter, StepperKind::native}) {
    CheckOptions options;
    options.stepper = stepper;
    options.strict = true;
    const auto verdict = check_program(*loaded.program, loaded.sources, options);
    if (!verdict) return verdict.failure();
    std::string one =
        fmt::format("{} states, {} transitions", verdict->states, verdict->transitions);
    for (const ErrorReport& error : verdict->errors)
      one += fmt::format("; {} {} after {} steps", to_string(error.description.kind),
                         error.description.message, error.trail.steps.size());
    if (!out.empty() && out != one) return out + " but " + one;
    out = one;
  }
  return out;
}

// A message that is lost was sent all the same.
TEST(Lines, ThatLoseMessagesLoseThemWhenTheyAreSent) {
  EXPECT_EQ(found("channel c[1]; proc p { c!m; c!m } proc q { end: do :: c?m od }"),
            "5 states, 4 transitions");
  EXPECT_EQ(found("channel c[1] lossy; proc p { c!m; c!m } proc q { end: do :: c?m od }"),
            "5 states, 7 transitions");
  EXPECT_EQ(found("channel c[1] lossy; proc p { c!m } proc q { c?m }"),
            "4 states, 3 transitions; deadlock  after 1 steps");
  EXPECT_EQ(found("channel c[1] lossy; proc p { c!m; c!m } assert once { c!m }"),
            "3 states, 5 transitions; assertion once c!m after 2 steps");
}

// A line that loses messages never makes a sender wait.
TEST(Lines, ThatLoseMessagesAreNeverFull) {
  EXPECT_EQ(found("channel c[1] = { m }; proc p { c!m } proc q { skip }"),
            "1 states, 0 transitions; deadlock  after 0 steps");
  EXPECT_EQ(found("channel c[1] lossy = { m }; proc p { c!m } proc q { skip }"),
            "2 states, 1 transitions; unread_messages c after 1 steps");
}

TEST(Lines, ComputeTheValuesOfWhatTheyLose) {
  EXPECT_EQ(found("channel c[1] lossy; var x; proc p { c!m(3 / x) } proc q { end: c?m }"),
            "1 states, 2 transitions; division_by_zero  after 1 steps");
}

TEST(Lines, ThatDuplicateMessagesKeepThemWhenTheyAreReceived) {
  EXPECT_EQ(found("channel c[1] = { m(2) }; proc q var x; { c?m(x); c?m(x) }"),
            "2 states, 1 transitions; deadlock  after 1 steps");
  EXPECT_EQ(found("channel c[1] duplicating = { m(2) }; proc q var x; { c?m(x); c?m(x) }"),
            "5 states, 4 transitions; deadlock  after 1 steps; unread_messages c after 2 steps");
}

TEST(Lines, ThatReorderMessagesDeliverAnyThatIsTaken) {
  const std::string reader = "proc q var x; { c?b(x); assert(x == 2); c?a; c?default }";
  EXPECT_EQ(found("channel c[3] = { a, d, b(2) };" + reader),
            "1 states, 0 transitions; unspecified_reception c?a after 0 steps; deadlock  after 0 "
            "steps");
  EXPECT_EQ(found("channel c[3] reordering = { a, d, b(2) };" + reader), "5 states, 4 transitions");
}

// Where there is room, a message that is taken may still come.
TEST(Lines, ThatReorderMessagesHaveUnspecifiedReceptionsWhereNothingHelps) {
  const std::string other = "proc p { c!b; stop: (0) }";
  EXPECT_EQ(found("channel c[2] reordering = { a }; proc q { c?b; c?b }" + other),
            "3 states, 2 transitions; deadlock  after 2 steps");
  EXPECT_EQ(found("channel c[1] reordering = { a }; proc q { c?b; c?b }" + other),
            "1 states, 0 transitions; unspecified_reception c?a after 0 steps; deadlock  after 0 "
            "steps");
  EXPECT_EQ(found("channel c[2] reordering = { a }; proc q { c?d } proc p { end: (0) }"),
            "1 states, 0 transitions; unspecified_reception c?a after 0 steps; deadlock  after 0 "
            "steps");
}

// What is lost needs no room, and who flushes a channel makes some.
TEST(Lines, LeaveNobodyStuckWhoMayStillSend) {
  const std::string lossy =
      "channel c[1] lossy = { busy }; var s; proc p { do :: c?reply :: when (s) c!reply od }"
      " proc q { s = 1; s = 0; end: do :: s = 1; s = 0 od }";
  EXPECT_EQ(found(lossy).find("unspecified"), std::string::npos) << found(lossy);
  EXPECT_NE(found(lossy, "none").find("unspecified"), std::string::npos) << found(lossy, "none");
  const std::string flushed =
      "channel c[1] = { busy }, d[1] = { x }; proc p { do :: c?reply :: d!reply od }"
      " proc q { end: do :: flush d od }";
  EXPECT_EQ(found(flushed).find("unspecified"), std::string::npos) << found(flushed);
}

// Of a family with one lossy member: the others need room all the same.
TEST(Lines, LeaveABroadcastStuckWhereAMemberStaysFull) {
  const std::string text =
      "channel inbox[0..1][1]; channel c[1]; var go : 0..1;"
      " proc p { (go == 1); if :: inbox[*]!m :: c?good fi } proc r { end: do :: inbox[0]?m od }"
      " proc q { inbox[1]!z; c!bad; go = 1; end: do :: skip od }";
  for (const char* faults : {"declared", "lossy:inbox[0]"})
    EXPECT_NE(found(text, faults).find("unspecified_reception c?bad"), std::string::npos)
        << found(text, faults);
}

TEST(Lines, AreWhatTheCommandLineSays) {
  const std::string text =
      "channel c[1] lossy, d[1], e[0..1][1]; proc p { c!m; d!m; e[0]!m; e[1]!m }";
  const auto transitions = [&](const std::string& faults) {
    const std::string all = found(text, faults);
    return all.substr(0, all.find(';'));
  };
  EXPECT_EQ(transitions("declared"), "9 states, 8 transitions");
  EXPECT_EQ(transitions("none"), "5 states, 4 transitions");
  EXPECT_EQ(transitions("lossy"), "31 states, 30 transitions");
  EXPECT_EQ(transitions("none,lossy:d"), "8 states, 7 transitions");
  EXPECT_EQ(transitions("none,lossy:e"), "9 states, 8 transitions");
  EXPECT_EQ(transitions("lossy:e,none:c"), "9 states, 8 transitions");
  EXPECT_EQ(transitions("lossy,none:c,none:d,declared:e"), transitions("none"));
  EXPECT_EQ(transitions("none:e,lossy:e[1]"), transitions("lossy:e[1]"));
  EXPECT_EQ(transitions("lossy,declared:e[1]"), transitions("lossy,none:e[1]"));
  // Named ones alone: the others are what they are declared to be.
  EXPECT_EQ(transitions("lossy:d"), transitions("none,lossy:c,lossy:d"));
  EXPECT_EQ(transitions("declared,lossy:d"), transitions("lossy:d"));
  EXPECT_EQ(transitions("lossy:c"), transitions("declared"));
  EXPECT_EQ(transitions("reordering:c"), transitions("none"));
  EXPECT_EQ(transitions("lossy:e[1],reordering"), "6 states, 5 transitions");
  const auto complains = [&](const std::string& faults, const std::string& text_of) {
    return found(text, faults).find(text_of) != std::string::npos;
  };
  EXPECT_TRUE(complains("lossi",
                        "error: --faults lossi: wanted declared, none, lossy, duplicating or "
                        "reordering, found `lossi`\n  did you mean `lossy`?\n"));
  EXPECT_TRUE(complains("lossy:",
                        "error: --faults lossy:: the name of a channel is missing behind "
                        "`lossy:`\n"));
  EXPECT_TRUE(complains("none,lossy",
                        "error: --faults none,lossy: `none` and `lossy` cannot both be so of all "
                        "channels\n"));
  EXPECT_TRUE(complains("lossy:d,declared:d",
                        "error: --faults lossy:d,declared:d: `lossy` and `declared` cannot both be "
                        "so of `d`\n"));
  EXPECT_TRUE(complains("lossy:line",
                        "error: --faults: no channel is called `line`\n  there are: c, d, e\n"));
  EXPECT_TRUE(complains("lossy:e[2]",
                        "error: --faults: no channel is called `e[2]`\n"
                        "  did you mean `e[0]`?\n"));
  const auto refused = [](const std::string& channel, const std::string& reader) {
    return found(channel + "; proc p { c!m }" + reader, "lossy:c");
  };
  EXPECT_EQ(refused("channel c[0]", " proc q { c?m }"),
            "error: --faults: `c`: a rendezvous has no line that could do something to messages\n"
            "  give the channel slots, or leave out what its line does\n");
  EXPECT_EQ(refused("sink c", ""), "error: --faults: `c` is a sink, and holds nothing\n");
}

TEST(Flush, EmptiesAChannelInOneStep) {
  EXPECT_EQ(found("channel c[3] = { a, b, a }; proc q { flush c; flush c; assert(empty(c)) }"),
            "4 states, 3 transitions");
  EXPECT_EQ(found("channel c[9] = { a(30000), b(-1, 2), a(7), a(1), a(2) };"
                  "proc q { flush c; c?a }"),
            "2 states, 1 transitions; deadlock  after 1 steps");
}

// Arguments of a call right behind it see what it leaves.
TEST(Lines, LeaveBehindWhatACallThenSees) {
  EXPECT_EQ(found("channel c[2] lossy; procedure see(n) { assert(n == 1) } proc p { c!m; "
                  "see(len(c)) } proc q { end: (0); c?m }"),
            "4 states, 4 transitions; assertion  after 2 steps");
  EXPECT_EQ(found("channel c[2] duplicating = { m }; procedure see(n) { assert(n == 1) } proc p { "
                  "c?m; see(len(c)) }"),
            "4 states, 4 transitions; assertion  after 2 steps; unread_messages c after 2 steps");
  EXPECT_EQ(found("channel c[2] = { m }; procedure see(n) { assert(n == 0) } proc p { flush c; "
                  "see(len(c)) }"),
            "3 states, 2 transitions");
}

}  // namespace
}  // namespace panoptes
