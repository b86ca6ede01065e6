// SPDX-License-Identifier: Apache-2.0
// What temporal properties say of small protocols, with and without fairness; what a run looks like
// that violates one; and when nothing is known.
#include "search/temporal.hpp"

#include <gtest/gtest.h>

#include <atomic>

#include "step/interpreter.hpp"
#include "support/model.hpp"
#include "support/sample.hpp"
#include "verdict/moments.hpp"

namespace panoptes {
namespace {

CheckOptions options_for_runs() {
  CheckOptions options;
  options.search = ExhaustiveSearch{.storage = WholeGraph{}};
  return options;
}

Verdict verdict_on_runs(const std::string& text, const CheckOptions& options = options_for_runs()) {
  return test::check(test::compile(text), options);
}

// The properties that are there, "holds" each, or "3 + 2": the steps of a run that violates it and
// of its cycle; "unknown".
std::vector<std::string> answers(const std::string& text,
                                 const CheckOptions& options = options_for_runs()) {
  const Verdict verdict = verdict_on_runs(text, options);
  std::vector<std::string> result;
  for (const PropertyReport& property : verdict.properties) {
    result.emplace_back(to_string(property.answer));
    for (const ErrorReport& error : verdict.errors)
      if (is_of_run(error.finding.kind) && error.description.message == property.name)
        result.back() = fmt::format("{} + {}", error.trail.steps.size(), error.cycle.steps.size());
  }
  return result;
}

std::string answer(const std::string& text, const CheckOptions& options = options_for_runs()) {
  const auto all = answers(text, options);
  return all.size() == 1 ? all[0] : fmt::format("{} properties", all.size());
}

const std::string counter = "var x : 0..2; proc p { do :: x = (x + 1) % 3 od } ";

TEST(Temporal, ARunThatGoesRoundHasWhatIsOnTheWay) {
  EXPECT_EQ(answer(counter + "ltl { [] <> x == 2 }"), "holds");
  EXPECT_EQ(answer(counter + "ltl { <> [] x == 2 }"), "0 + 3");
  EXPECT_EQ(answer(counter + "ltl { x == 0 && X x == 1 && X X x == 2 && X X X x == 0 }"), "holds");
  EXPECT_EQ(answer(counter + "ltl { [] (x == 1 -> X x == 2) }"), "holds");
  EXPECT_EQ(answer(counter + "ltl { [] (x == 1 -> X x == 0) }"), "2 + 3");
  EXPECT_EQ(answer(counter + "ltl { x < 2 U x == 2 }"), "holds");
  EXPECT_EQ(answer(counter + "ltl { x < 1 U x == 2 }"), "1 + 3");
  EXPECT_EQ(answer(counter + "ltl { x < 3 W x == 7 }"), "holds");
  EXPECT_EQ(answer(counter + "ltl { x == 7 R x < 3 }"), "holds");
  EXPECT_EQ(answer(counter + "ltl { x == 0 leads to x == 2 }"), "holds");
  EXPECT_EQ(answer(counter + "ltl { [] (x == 1 <-> !(x == 0 || x == 2)) }"), "holds");
}

// A run that ends stays where it is.
TEST(Temporal, ARunThatEndsStaysThere) {
  const std::string text = "var x : 0..2; proc p { x = 1; x = 2 } ";
  EXPECT_EQ(answer(text + "ltl { <> [] x == 2 }"), "holds");
  EXPECT_EQ(answer(text + "ltl { [] <> x == 1 }"), "2 + 0");
  EXPECT_EQ(answer(text + "ltl { [] X x > 0 }"), "holds");
  EXPECT_EQ(answer(text + "ltl { X X X X x == 2 }"), "holds");
}

TEST(Temporal, AnEventIsOfTheMomentBehindItsStep) {
  const std::string text = "channel c[1]; proc p { c!a; c!b } proc q { c?a; c?b } ";
  EXPECT_EQ(answer(text + "ltl { !sent(c!a) && X sent(c!a) && X X received(c?a) }"), "holds");
  EXPECT_EQ(answer(text + "ltl { X X sent(c!a) }"), "4 + 0");
  EXPECT_EQ(answer(text + "ltl { [] (sent(c!a) -> len(c) == 1) }"), "holds");
  EXPECT_EQ(answer(text + "ltl { [] <> received(c?b) }"), "4 + 0");
  EXPECT_EQ(answer(text + "ltl { sent(c!b) leads to received(c?b) }"), "holds");
  EXPECT_EQ(answer(text + "ltl { ! received(c?b) U received(c?a) }"), "holds");
}

TEST(Temporal, ARendezvousIsSentAndReceivedAtOnce) {
  const std::string text = "channel c[0]; proc p { do :: c!a od } proc q { do :: c?a od } ";
  EXPECT_EQ(answer(text + "ltl { X [] (sent(c!a) && received(c?a)) }"), "holds");
}

// What happens in an indivisible sequence has happened when it is over; which way it took is told.
TEST(Temporal, AnIndivisibleSequenceIsOneMoment) {
  const std::string text =
      "channel c[2]; proc p { do :: atomic { c!a; if :: c!b :: skip fi } -> "
      "do :: c?a :: c?b :: empty(c) -> break od od } ";
  EXPECT_EQ(answer(text + "ltl { X sent(c!a) }"), "holds");
  EXPECT_EQ(answer(text + "ltl { X sent(c!b) }").substr(0, 2), "2 ");  // both of one sequence
  EXPECT_EQ(answer(text + "ltl { [] (sent(c!b) -> sent(c!a)) }"), "holds");
  EXPECT_EQ(answer(text + "ltl { X (!sent(c!b) -> len(c) == 1) }"), "holds");
}

// The same successor by two ways, of which only one sends.
TEST(Temporal, WaysThroughASequenceAreToldApartByWhatHappens) {
  const std::string text = "sink c; proc p { do :: atomic { if :: c!b :: c!a fi } od } ";
  EXPECT_EQ(answer(text + "ltl { [] <> sent(c!a) }").substr(0, 1), "0");
  EXPECT_EQ(answer(text + "ltl { [] <> sent(c!b) }").substr(0, 1), "0");
  EXPECT_EQ(answer(text + "ltl { X [] (sent(c!a) || sent(c!b)) }"), "holds");
}

TEST(Temporal, FamiliesOfPropertiesAreOneError) {
  const Verdict verdict = verdict_on_runs(
      "var x[3] : 0..1; proc p[i : 0..2] { do :: x[i] = 1 - x[i] od } "
      "ltl once[i : 0..2] { <> x[i] == 1 }");
  ASSERT_EQ(verdict.properties.size(), 3u);
  for (const PropertyReport& property : verdict.properties)
    EXPECT_EQ(property.answer, Outcome::violated) << property.name;
  std::size_t groups = 0;
  for (const ErrorReport& error : verdict.errors) groups += error.finding.kind == ErrorKind::ltl;
  EXPECT_EQ(groups, 1u);
}

// ---- fairness

const std::string spins_beside = "var x : 0..1; proc p { do :: skip od } proc q { x = 1 } ";

TEST(Temporal, WeakFairnessIsForWhoCanAlwaysMove) {
  EXPECT_EQ(answer(spins_beside + "ltl { <> x == 1 }"), "0 + 1");
  EXPECT_EQ(answer(spins_beside + "ltl { <> x == 1 } fair weak;"), "holds");
  EXPECT_EQ(answer(spins_beside + "ltl { <> x == 1 } fair strong;"), "holds");
  EXPECT_EQ(answer(spins_beside + "ltl { <> [] x == 0 } fair weak;"), "1 + 1");
}

// q can move again and again, but not all the time.
TEST(Temporal, StrongFairnessIsForWhoCanMoveAgainAndAgain) {
  const std::string text =
      "var free : 0..1 = 1, x : 0..1; proc p { do :: free = 1 - free od } "
      "proc q { (free == 1) -> x = 1 } ltl { <> x == 1 } ";
  EXPECT_EQ(answer(text), "0 + 2");
  EXPECT_EQ(answer(text + "fair weak;"), "0 + 2");
  EXPECT_EQ(answer(text + "fair strong;"), "holds");
}

// One more constraint must not hide a cycle in a part of the component.
TEST(Temporal, StrongFairnessFindsWhatIsLeftOfAComponent) {
  const std::string text =
      "var free : 0..2, x : 0..1; proc p { do :: free = 0 :: free = 1 :: free = 2 od } "
      "proc q { (free == 1) -> x = 1 } ltl { <> x == 1 } ";
  EXPECT_EQ(answer(text + "fair strong;"), "0 + 1");
}

TEST(Temporal, AFairLineCarriesInTheEnd) {
  const std::string text =
      "channel c[1] lossy; proc p { do :: empty(c) -> c!m od } proc q { do :: c?m od } "
      "ltl { [] <> received(c?m) } ";
  EXPECT_EQ(answer(text + "fair weak;").substr(0, 1), "0");
  EXPECT_EQ(answer(text + "fair weak, lines;"), "holds");
  EXPECT_EQ(answer(text + "fair strong;"), "holds");
  EXPECT_EQ(answer(text + "fair lines;"), "holds");  // with a message in it, only q can move
}

// What is sent to a full line is lost, and no wonder: if nobody takes anything from it any more,
// the run in which it is lost for ever is a fair one.
TEST(Temporal, AFullLineOwesNothing) {
  const std::string text =
      "channel c[1] lossy; proc p { do :: c!m od } proc q { c?m } ltl { [] <> received(c?m) } ";
  EXPECT_EQ(answer(text + "fair lines;"), "1 + 1");
  EXPECT_EQ(answer(text + "fair strong;"), "3 + 1");
  // An indivisible sequence is judged by how the line was when it began.
  const std::string at_once =
      "channel c[1] lossy; proc p { do :: atomic { c!m; c!m } od } proc q { c?m } "
      "ltl { [] <> received(c?m) } ";
  EXPECT_NE(answer(at_once + "fair strong;"), "holds");
  // Where the line has room, it owes.
  const std::string with_room =
      "channel c[2] lossy; proc p { do :: len(c) < 2 -> c!m od } proc q { do :: c?m od } "
      "ltl { [] <> received(c?m) } ";
  EXPECT_EQ(answer(with_room + "fair weak;").substr(0, 1), "0");
  EXPECT_EQ(answer(with_room + "fair strong;"), "holds");
}

// A step that fails is one that a process could take; runs that end in one are not judged.
TEST(Temporal, FailingStepsEndRunsAndCountAsEnabled) {
  const std::string text = "var x : 0..1; proc p { do :: x == 0 -> x = 1 :: x == 1 -> x = 0 od } ";
  EXPECT_EQ(answer("proc p { assert(1 == 0) } ltl { <> 1 == 0 }"), "holds");
  EXPECT_EQ(answer(text + "proc q { assert(1 == 0) } ltl { <> [] x == 0 }"), "0 + 4");
  EXPECT_EQ(answer(text + "proc q { assert(1 == 0) } ltl { <> [] x == 0 } fair weak;"), "holds");
}

TEST(Temporal, NothingIsKnownOfAGraphThatIsNotThere) {
  CheckOptions options;
  EXPECT_EQ(answer(counter + "ltl { [] <> x == 2 }", options), "unknown");
  EXPECT_EQ(verdict_on_runs(counter + "ltl { [] <> x == 2 }", options).outcome, Outcome::unknown);
  options = options_for_runs();
  options.limits.depth = 1;
  EXPECT_EQ(answer(counter + "ltl { [] <> x == 2 }", options), "unknown");
  EXPECT_EQ(verdict_on_runs(counter + "ltl { [] <> x == 2 }", options).outcome, Outcome::unknown);
}

// Many promises take an automaton that nobody has room for.
TEST(Temporal, AFormulaMayBeTooLarge) {
  std::string always;
  for (int i = 0; i < 11; ++i) always += fmt::format("{}[] <> x[{}] == 1", i > 0 ? " && " : "", i);
  const std::string text =
      "var x[11] : 0..1; proc p { x[0] = 1 } ltl { (" + always + ") -> [] <> x[0] == 0 }";
  const std::vector<PropertyReport> properties = verdict_on_runs(text).properties;
  ASSERT_EQ(properties.size(), 1u);
  EXPECT_EQ(properties[0].answer, Outcome::unknown);
  EXPECT_NE(properties[0].reason.find("the automaton of its negation would have too many"),
            std::string::npos)
      << properties[0].reason;
}

// ---- on the fly, and by several threads

CheckOptions options_on_the_fly() {
  CheckOptions options;
  options.search = ExhaustiveSearch{.follows_runs = true};
  return options;
}

TEST(Temporal, RunsAreFollowedWithoutAGraph) {
  const CheckOptions options = options_on_the_fly();
  EXPECT_EQ(answer(counter + "ltl { [] <> x == 2 }", options), "holds");
  EXPECT_EQ(answer(counter + "ltl { <> [] x == 2 }", options), "0 + 3");
  EXPECT_EQ(answer(counter + "ltl { [] (x == 1 -> X x == 0) }", options), "2 + 3");
  EXPECT_EQ(answer("var x : 0..2; proc p { x = 1; x = 2 } ltl { [] <> x == 1 }", options), "2 + 0");
  EXPECT_EQ(answer(spins_beside + "ltl { <> x == 1 }", options), "0 + 1");
  EXPECT_EQ(answer(spins_beside + "ltl { <> x == 1 } fair weak;", options), "holds");
  EXPECT_EQ(answer(spins_beside + "ltl { <> [] x == 0 } fair weak;", options), "1 + 1");
  EXPECT_EQ(answer("proc p { assert(1 == 0) } ltl { <> 1 == 0 }", options), "holds");
}

TEST(Temporal, WhoFollowsRunsSaysWhatItCannot) {
  CheckOptions options = options_on_the_fly();
  const std::string strong = counter + "ltl { [] <> x == 2 } fair strong;";
  EXPECT_EQ(answer(strong, options), "unknown");
  EXPECT_EQ(verdict_on_runs(strong, options).properties.at(0).reason,
            "strong fairness takes the whole graph");
  EXPECT_EQ(answer(counter + "ltl { [] <> x == 2 } fair lines;", options), "unknown");
  options.limits.depth = 1;
  EXPECT_EQ(answer(counter + "ltl { [] <> x == 2 }", options), "unknown");
}

TEST(Temporal, WhoGivesUpSaysWhy) {
  const test::Compiled compiled = test::compile(
      "var x[4] : 0..9; proc p[i : 0..3] { do :: x[i] = (x[i] + 1) % 10 od } ltl { [] x[0] < 10 }");
  const auto reason = [&](const Deadline& deadline) {
    Interpreter interpreter(compiled.program);
    std::string problem;
    const auto found =
        follow_runs(compiled.program, interpreter, {}, compiled.sources, problem, deadline);
    return found->properties.at(0).reason;
  };
  const std::atomic<bool> no = false, yes = true;
  EXPECT_EQ(reason(Deadline([] { return -1.0; }, &no)), "there was no time to look at all runs");
  EXPECT_EQ(reason(Deadline([] { return 1.0; }, &yes)),
            "it was interrupted before it had looked at all runs");
}

// One error is enough: the rest need not be seen.
TEST(Temporal, WhoFollowsRunsEndsWithTheFirstError) {
  CheckOptions options = options_on_the_fly();
  options.explore.first_error_only = true;
  const std::string text =
      "var x[4] : 0..30; proc p[i : 0..3] { do :: x[i] = (x[i] + 1) % 31 od } "
      "ltl { <> x[0] == 1 }";
  const Verdict verdict = verdict_on_runs(text, options);
  EXPECT_EQ(verdict.outcome, Outcome::violated);
  EXPECT_LT(verdict.states, 31u * 31 * 31);
}

// Levels of many chunks, so that all of them have something to do: what is told does not depend on
// who does it.
TEST(TemporalThreads, FindTheSameRuns) {
  const std::string text =
      "var x[3] : 0..24, done : 0..1; proc p[i : 0..2] { do :: x[i] = (x[i] + 1) % 25 od } "
      "proc q { do :: (x[0] == 20 && x[1] == 20) -> done = 1 - done od } ";
  const std::vector<std::string> properties = {
      "ltl { <> x[1] == 3 }", "ltl { [] <> x[1] == 3 } fair weak;",
      "ltl { <> done == 1 } fair weak;", "ltl { <> [] done == 0 } fair strong;",
      "ltl a { [] x[0] < 24 } ltl b { <> x[2] == 24 }"};
  bool has_few = true;  // every day one number of threads for each, in turn
  for (const std::string& property : properties) {
    CheckOptions options = options_for_runs();
    options.stepper = StepperKind::interpreter;
    const std::vector<std::string> alone = answers(text + property, options);
    for (const unsigned threads : {2u, 4u}) {
      if ((threads == 2) != has_few && !test::has_all_samples()) continue;
      options.threads = threads;
      EXPECT_EQ(answers(text + property, options), alone) << property << threads;
    }
    has_few = !has_few;
  }
}

TEST(Temporal, WhatDoesNotViolateIsNotReported) {
  const test::Compiled compiled = test::compile(counter + "ltl { [] <> x == 2 }");
  std::string problem;
  EXPECT_FALSE(report_violation(compiled.program, 0, {{}, {0, 0, 0}}, compiled.sources, problem));
  EXPECT_NE(problem, "");
}

}  // namespace
}  // namespace panoptes
