// SPDX-License-Identifier: Apache-2.0
// Sequences that are one step, and steps of two processes, from a model to a verdict.
#include <gtest/gtest.h>

#include "search/check.hpp"
#include "support/model.hpp"

namespace panoptes {
namespace {

using Texts = std::vector<std::string>;

// "2 states, 1 transitions", and every error with the texts of its steps.
Texts verdict_of(const std::string& text, const CheckOptions& options = {},
                 const test::Setup& setup = {.minimise = false}) {
  const test::Compiled compiled = test::compile(text, setup);
  const Verdict verdict = test::check(compiled, options);
  Texts result{fmt::format("{} states, {} transitions", verdict.states, verdict.transitions)};
  for (const ErrorReport& error : verdict.errors) {
    std::string steps;
    for (const TrailStep& step : error.trail.steps)
      steps += (steps.empty() ? "" : "; ") + compiled.program.rules[step.rule].text;
    result.push_back(fmt::format("{} after {}", to_string(error.description.kind), steps));
  }
  for (const DeadStatement& dead : verdict.dead_code)
    result.push_back("dead: " + compiled.program.protocol.statements[dead.statement].text);
  return result;
}

constexpr char late[] =
    "var x : 0..7; proc p { atomic { x = 1; if :: x = 2 :: x = 3 fi; x = x + 1 } "
    "atomic { x = x + 2; assert(x != 6); x = 0 } }";

TEST(Atomic, TrailsHaveEveryStepOfASequence) {
  const Texts wanted{"4 states, 4 transitions",
                     "assertion after x = 1; x = 3; x = x + 1; x = x + 2; assert(x != 6)"};
  EXPECT_EQ(verdict_of(late), wanted);
  for (const Order order : {Order::depth, Order::scatter}) {
    CheckOptions options;
    options.search = ExhaustiveSearch{.order = order};
    EXPECT_EQ(verdict_of(late, options), wanted);
  }
  CheckOptions walks;
  walks.search = RandomWalks{.count = 50};
  EXPECT_EQ(verdict_of(late, walks).at(1), wanted[1]);
}

TEST(Atomic, OthersMoveWhereASequenceWaits) {
  EXPECT_EQ(verdict_of("var x : 0..1, y : 0..3; proc p { atomic { y = 1; (x == 1); y = 2 } } "
                       "proc q { x = 1 }"),
            Texts{"5 states, 5 transitions"});
}

// More than there is room for: nothing is proved, and nothing is called wrong.
TEST(Atomic, ASequenceThatIsTooLongEndsTheSearchAsShortMemoryDoes) {
  const Verdict verdict = test::check(test::compile(
      "var x, y; proc p { atomic { do :: (x < 400) -> y = 0; "
      "do :: (y < 400) -> y++ :: (y == 400) -> break od; x++ :: (x == 400) -> break od } }"));
  EXPECT_EQ(verdict.stop, Stop::memory);
  EXPECT_EQ(verdict.promise, Promise::partial);
  EXPECT_TRUE(verdict.errors.empty());
}

TEST(Atomic, LivelocksHaveWholeSequencesInTheirCycle) {
  CheckOptions options;
  options.search = ExhaustiveSearch{Order::breadth, WholeGraph{}};
  const test::Compiled compiled = test::compile(
      "channel c[1]; proc p var x : 0..3; { c!m; do :: atomic { x = 1; x = 2 } od } proc q { c?m }",
      {.minimise = false});
  const Verdict verdict = test::check(compiled, options);
  ASSERT_EQ(verdict.errors.size(), 1u);
  EXPECT_EQ(verdict.errors[0].description.kind, ErrorKind::livelock);
  EXPECT_EQ(verdict.errors[0].cycle.steps.size(), 2u);
}

TEST(Rendezvous, MovesBothInOneStep) {
  EXPECT_EQ(verdict_of("channel c[0]; proc p { c!m(3) } proc q var x; { c?m(x); assert(x == 3) }"),
            Texts{"3 states, 2 transitions"});
}

TEST(Rendezvous, WaitsForOneWhoTakesTheMessage) {
  EXPECT_EQ(verdict_of("channel c[0]; proc p { c!m } proc q { c?n }"),
            (Texts{"1 states, 0 transitions", "deadlock after ", "dead: c!m", "dead: c?n"}));
}

TEST(Rendezvous, IsForAnyReceiverThatIsThere) {
  EXPECT_EQ(verdict_of("channel c[0]; proc p { c!m } proc q[i : 0..1] { end: c?m }"),
            Texts{"3 states, 2 transitions"});
}

TEST(Rendezvous, LeavesToDefaultWhatNoOtherReceiveTakes) {
  EXPECT_EQ(verdict_of("channel c[0]; var x : 0..2; proc p { c!m; c!n } "
                       "proc q { do :: c?m -> x = 1 :: c?default -> x = 2; break od }"),
            Texts{"5 states, 4 transitions"});
}

TEST(Rendezvous, ShowsAnAssertionTheSendAndThenTheReceive) {
  const std::string protocol = "channel c[0]; proc p { c!m; c!m } proc q { c?m; c?m } ";
  EXPECT_EQ(verdict_of(protocol + "assert { c!m; c?m; c!m; c?m }"),
            Texts{"3 states, 2 transitions"});
  EXPECT_EQ(verdict_of(protocol + "assert { c!m; c!m; c?m; c?m }"),
            (Texts{"1 states, 1 transitions", "assertion after c!m", "dead: c!m", "dead: c?m"}));
}

// A loop of calls in which nothing happens is a step without a statement.
TEST(EndlessLoops, MayCallProceduresThatDoNothing) {
  EXPECT_EQ(verdict_of("proc p { do :: act() od } procedure act() { }"),
            Texts{"1 states, 1 transitions"});
}

// A round may pass the way to it: each trail ends where it first comes back, and can be replayed.
TEST(EndlessSequences, HaveTrailsThatEndWhereTheyComeBack) {
  const Verdict verdict = test::check(
      test::compile("channel c[1]; proc p { atomic { do :: act() :: skip; c!m od } } proc q { c!m }"
                    "procedure act() { skip; if :: c?m :: skip fi }",
                    {.minimise = false}));
  std::size_t endless = 0;
  for (const ErrorReport& error : verdict.errors)
    endless += error.description.kind == ErrorKind::endless_atomic && error.trail.ends_in_failure;
  EXPECT_GE(endless, 2u);
}

}  // namespace
}  // namespace panoptes
