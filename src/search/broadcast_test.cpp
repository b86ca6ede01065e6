// SPDX-License-Identifier: Apache-2.0
// Broadcasts to a family of channels.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "load/load.hpp"
#include "support/model.hpp"

namespace panoptes {
namespace {

// States, transitions, and every error: `kind message after N steps`. Alike for both steppers.
std::string outcome(const std::string& text, OverflowPolicy overflow = OverflowPolicy::wait,
                    const std::string& faults = "declared") {
  ModelRequest request;
  request.faults = faults;
  request.rules.overflow = overflow;
  request.build.minimise = false;
  const Loaded loaded = load("m", request, [&](const std::string&) { return std::optional(text); });
  if (!loaded.program) return loaded.diagnostics.render(loaded.sources);
  std::string out;
  for (const StepperKind stepper : {StepperKind::interpreter, StepperKind::native}) {
    CheckOptions options;
    options.stepper = stepper;
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

const std::string readers = "proc q[i : 0..2] { end: do :: c[i]?m od }";

// One step to the search, three in the trail.
TEST(Broadcast, GoesToAllMembersInOneStep) {
  EXPECT_EQ(outcome("channel c[0..2][1]; proc p { c[*]!m }" + readers), "9 states, 13 transitions");
  EXPECT_EQ(outcome("channel c[0..2][1]; proc p { c[*]!m; assert(0) }" + readers),
            "9 states, 21 transitions; assertion  after 4 steps");
  EXPECT_EQ(outcome("channel c[7..7][1]; proc p { c[*]!m } proc q { c[7]?m }"),
            "3 states, 2 transitions");
  EXPECT_EQ(outcome("sink c[0..2]; proc p { c[*]!m }"), "2 states, 1 transitions");
}

// Where one member is full it waits, and nothing of it has happened.
TEST(Broadcast, HappensAsAWholeOrNotAtAll) {
  EXPECT_EQ(outcome("channel c[0..2][1]; proc f { c[1]!m } proc p { (full(c[1])); c[*]!m }"),
            "3 states, 2 transitions; deadlock  after 2 steps");
  EXPECT_EQ(outcome("channel c[0..2][1]; proc f { c[2]!m; c[2]?m } proc p { (full(c[2])); c[*]!m }"
                    "always (len(c[0]) == len(c[1]));"),
            "6 states, 5 transitions; deadlock  after 2 steps");
}

TEST(Broadcast, IsOneOptionAmongOthers) {
  const std::string full = "channel c[0..1][1] = { m }; var x : 0..3;";
  EXPECT_EQ(outcome(full + "proc p { if :: c[*]!m :: else fi }"), "2 states, 1 transitions");
  EXPECT_EQ(outcome("channel c[0..1][1]; proc p { if :: c[*]!m -> assert(0) :: else fi }"),
            "2 states, 2 transitions; assertion  after 3 steps");
  EXPECT_EQ(outcome("channel c[0..1][1]; var x; proc p { if :: when (x) c[*]!m :: else fi }"),
            "2 states, 1 transitions");
  EXPECT_EQ(
      outcome(full + "proc p { do :: c[*]!m :: c[0]?m; c[1]?m; x++ :: (x == 2) -> break od }"),
      "17 states, 17 transitions; out_of_range  after 18 steps");
}

// Each line loses on its own, and keeps nobody waiting.
TEST(Broadcast, IsLostByEachMemberOnItsOwn) {
  EXPECT_EQ(outcome("channel c[0..2][1] lossy; proc p { c[*]!m }"), "9 states, 8 transitions");
  EXPECT_EQ(outcome("channel c[0..2][1] lossy = { m }; proc p { c[*]!m }"),
            "2 states, 1 transitions");
  const std::string text = "channel c[0..2][1]; proc f { c[0]!m } proc p { (full(c[0])); c[*]!m }";
  EXPECT_EQ(outcome(text, OverflowPolicy::wait, "lossy:c[0]"),
            "5 states, 4 transitions; deadlock  after 1 steps");
  EXPECT_EQ(outcome(text, OverflowPolicy::wait, "lossy:c[1]"),
            "3 states, 2 transitions; deadlock  after 2 steps");
}

TEST(Broadcast, OverflowsWhereThatIsAnError) {
  EXPECT_EQ(outcome("channel c[0..2][1]; proc f { c[1]!m } proc p { (full(c[1])); c[*]!m }",
                    OverflowPolicy::error),
            "3 states, 3 transitions; overflow c[1]!m after 4 steps");
}

TEST(Broadcast, SendsTheSameToAll) {
  EXPECT_EQ(outcome("channel c[0..1][2]; proc p { c[*]!m(len(c[0]) + 2 * full(c[1])) }"
                    "proc q[i : 0..1] { var x; c[i]?m(x); assert(x == 0) }"),
            "10 states, 13 transitions");
  EXPECT_EQ(outcome("channel c[0..1][1]; var x; proc p { c[*]!m(1 / x) }"),
            "1 states, 1 transitions; division_by_zero  after 1 steps");
}

TEST(Broadcast, IsSeenByAssertionsMessageByMessage) {
  EXPECT_EQ(outcome("channel c[0..2][1]; proc p { c[*]!m }" + readers +
                    "assert { c[0]!m; c[1]!m; c[2]!m }"),
            "9 states, 13 transitions");
  EXPECT_EQ(outcome("channel c[0..2][1]; proc p { c[*]!m } assert { c[0]!m; c[2]!m; c[1]!m }"),
            "1 states, 1 transitions; assertion assertion 1 c[1]!m after 2 steps");
}

TEST(Broadcast, IsPartOfALongerSequence) {
  EXPECT_EQ(outcome("channel c[0..2][1]; var x : 0..1; proc p { atomic { x = 1; c[*]!m; x = 0 } }" +
                    readers + "never (x);"),
            "9 states, 13 transitions");
  EXPECT_EQ(outcome("channel c[0..1][1] = { m }; var x : 0..1;"
                    "proc p { atomic { x = 1; c[*]!m; x = 0 } } proc q { c[0]?m; c[1]?m }"),
            "7 states, 8 transitions");
  EXPECT_EQ(outcome("sink c[0..1]; proc p { atomic { do :: c[*]!m od } }"),
            "1 states, 1 transitions; endless_atomic  after 3 steps");
}

TEST(Broadcast, GoesToAFamilyThatIsPassed) {
  EXPECT_EQ(outcome("channel c[0..2][1], d[0..2][1]; procedure tell(channel f, n) { f[*]!m(n) }"
                    "proc p { if :: tell(c, 1) :: tell(d, len(d[0])) fi }"),
            "3 states, 2 transitions");
}

}  // namespace
}  // namespace panoptes
