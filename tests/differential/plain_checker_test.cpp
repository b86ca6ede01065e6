// SPDX-License-Identifier: Apache-2.0
// The plain checker against answers known beforehand: the numbers of the papers, and one small
// protocol for each rule of the language whose graph can be drawn by hand.
#include "differential/plain_checker.hpp"

#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <vector>

#include "argos/parse.hpp"
#include "base/diagnostic.hpp"
#include "base/source.hpp"

namespace panoptes::differential {

// What a group says, without its counts.
struct Told {
  std::string kind, process, place, message;
  friend bool operator==(const Told&, const Told&) = default;
  friend std::ostream& operator<<(std::ostream& out, const Told& told) {
    return out << told.kind << " / " << told.process << " / " << told.place << " / "
               << told.message;
  }
};

namespace {

using Receptions = PlainOptions::Receptions;
using Timeouts = PlainOptions::Timeouts;

PlainResult check(const std::string& text, const PlainOptions& options = {}) {
  SourceSet sources;
  Diagnostics diagnostics;
  const argos::Model model = argos::parse_text("test.argos", text, sources, diagnostics);
  EXPECT_FALSE(diagnostics.has_errors()) << diagnostics.render(sources);
  if (diagnostics.has_errors()) return {};
  return plain_check(model, sources, options);
}

PlainOptions lock() {
  PlainOptions options;
  options.timeouts = Timeouts::lock;
  return options;
}

PlainOptions receptions(Receptions policy, int capacity = 2) {
  PlainOptions options;
  options.receptions = policy;
  options.default_capacity = capacity;
  return options;
}

std::vector<Told> told(const PlainResult& result) {
  std::vector<Told> all;
  for (const PlainError& error : result.errors)
    all.push_back({error.kind, error.process, error.place, error.message});
  return all;
}

using Errors = std::vector<Told>;

void expect_size(const PlainResult& result, std::uint64_t states, std::uint64_t transitions) {
  EXPECT_TRUE(result.complete);
  EXPECT_EQ(result.states, states);
  EXPECT_EQ(result.transitions, transitions);
}

// ---- the papers ------------------------------------------------------------------------------

const std::string alternating_bit = R"(
proc sender
queue sender[1];
{
  do ::
    receiver!msg1;
    do
    :: sender?ack1 -> break
    :: sender?ack0 -> skip
    :: sender?timeout -> receiver!msg1
    od;
    receiver!msg0;
    do
    :: sender?ack0 -> break
    :: sender?ack1 -> skip
    :: sender?timeout -> receiver!msg0
    od
  od
}
proc receiver
queue receiver[1];
{
  do
  :: receiver?msg1 -> sender!ack1
  :: receiver?msg0 -> sender!ack0
  od
}
)";

TEST(PlainCheckerOnPapers, AlternatingBitOfPaper000) {
  const PlainResult result = check(alternating_bit);
  expect_size(result, 56, 72);
  EXPECT_EQ(told(result), Errors{});
  expect_size(check(alternating_bit, lock()), 8, 8);
}

const std::string appendix_004 = R"(
channel sender[1], receiver[1], link[1], user[1];
proc sender {
  do ::
    link!msg1;
    do
    :: sender?ack1 -> break
    :: sender?ack0 -> skip
    :: sender?timeout -> link!msg1
    od;
    link!msg0;
    do
    :: sender?ack0 -> break
    :: sender?ack1 -> skip
    :: sender?timeout -> link!msg0
    od
  od
}
proc receiver {
  do ::
    do
    :: receiver?msg1 -> link!ack1; user!msg1; break
    :: receiver?msg0 -> link!ack0
    od;
    do
    :: receiver?msg0 -> link!ack0; user!msg0; break
    :: receiver?msg1 -> link!ack1
    od
  od
}
proc user { do :: user?default -> skip od }
proc link {
  do
  :: link?msg0 -> if :: receiver!msg0 :: skip fi
  :: link?msg1 -> if :: receiver!msg1 :: skip fi
  :: link?ack0 -> if :: sender!ack0 :: skip fi
  :: link?ack1 -> if :: sender!ack1 :: skip fi
  od
}
)";

TEST(PlainCheckerOnPapers, AppendixOfPaper004) {
  expect_size(check(appendix_004), 2416, 6864);
  const PlainResult locked = check(appendix_004, lock());
  expect_size(locked, 88, 146);
  EXPECT_EQ(told(locked), Errors{});
}

std::uint64_t steps_to(const PlainResult& result, const std::string& message) {
  for (const PlainError& error : result.errors)
    if (error.message == message) return error.steps;
  return 0;
}

// The printed reports count sends and timeouts: 3, 7 and 14 events. Steps are firings, so receives
// and losses count as well: link!msg1, link?msg1, lost, timeout, link!msg1 for the first.
TEST(PlainCheckerOnPapers, AssertionsOfPaper004) {
  const auto watch = [](const std::string& body) {
    return check(appendix_004 + "assert { " + body + " }", lock());
  };
  const PlainResult first = watch("link!msg1; link!msg0");
  EXPECT_EQ(steps_to(first, "assertion 1 link!msg1"), 5u);
  EXPECT_EQ(steps_to(first, "assertion 1 link!msg0"), 15u);
  const PlainResult second = watch("receiver!msg1; receiver!msg0");
  EXPECT_EQ(steps_to(second, "assertion 1 receiver!msg1"), 13u);
  EXPECT_EQ(steps_to(second, "assertion 1 receiver!msg0"), 23u);
  const PlainResult third = watch("user!msg1; user!msg0");
  EXPECT_EQ(told(third), (Errors{{"assertion", "", "", "assertion 1 user!msg1"}}));
  EXPECT_EQ(steps_to(third, "assertion 1 user!msg1"), 26u);
  EXPECT_EQ(told(watch("do :: user!msg1; user!msg0 od")), Errors{});
}

const std::string appendix_003_1 = R"(
queue sender = { };
queue channel = { };
queue receiver = { };
proc sender {
  variable sbit = 1;
  variable rbit = 0;
  if
  :: sender?setup -> channel!okay
  :: channel!setup ->
     if
     :: sender?okay
     :: sender?setup -> sender?okay
     fi
  fi;
  do ::
    channel!msg(sbit);
    do
    :: sender?ack(rbit) ->
       if
       :: (rbit == sbit) -> sbit +% 2; break
       :: (rbit != sbit) -> channel!msg(sbit)
       fi
    od
  od
}
proc receiver {
  variable ebit = 1;
  variable rbit = 0;
  if
  :: receiver?setup -> channel!r_okay
  :: channel!r_setup ->
     if
     :: receiver?okay
     :: receiver?setup -> receiver?okay
     fi
  fi;
  do
  :: receiver?msg(rbit) ->
     channel!ack(rbit);
     if
     :: (rbit == ebit) -> ebit +% 2
     :: (rbit != ebit) -> skip
     fi
  od
}
proc channel {
  variable tbit = 0;
  do
  :: channel?setup -> receiver!setup
  :: channel?okay -> receiver!okay; break
  :: channel?r_setup -> sender!setup
  :: channel?r_okay -> sender!okay; break
  od;
  do
  :: channel?msg(tbit) -> receiver!msg(tbit)
  :: channel?ack(tbit) ->
     if
     :: skip
     :: tbit +% 2
     fi;
     sender!ack(tbit)
  od
}
)";

TEST(PlainCheckerOnPapers, AppendixOneOfPaper003) {
  const PlainResult result = check(appendix_003_1);
  EXPECT_EQ(result.states, 176u);
  ASSERT_EQ(result.errors.size(), 1u);
  EXPECT_EQ(result.errors[0].kind, "deadlock");
  EXPECT_EQ(result.errors[0].place, "13:25,35:27,49:3");
}

TEST(PlainCheckerOnPapers, AppendixTwoOfPaper003) {
  const PlainResult result = check(R"(
queue sender = { };
queue receiver = { };
proc sender {
  receiver!msg1;
  do :: sender?ack1 -> break :: sender?ack0 -> skip od;
  if :: receiver!msg0 :: skip fi;
  do :: sender?ack0 -> break :: sender?ack1 -> skip od
}
proc receiver {
  do
  :: receiver?msg1 -> sender!ack1
  :: receiver?msg0 -> sender!ack0; break
  od
}
)");
  EXPECT_EQ(result.states, 10u);
  ASSERT_EQ(told(result), (Errors{{"deadlock", "", "8:3,11:3", ""}}));
}

// A answers m1 with m2 or m3, B expects m3.
TEST(PlainCheckerOnPapers, ExampleOneOfPaper003) {
  const PlainResult result = check(R"(
queue A = { };
queue B = { };
process A { if :: A?m1 -> B!m2 :: A?m1 -> B!m3 fi }
process B { A!m1; B?m3 }
)");
  expect_size(result, 7, 6);
  EXPECT_EQ(told(result), (Errors{{"deadlock", "", "end,5:19", ""},
                                  {"unspecified_reception", "B", "5:19", "B?m2"}}));
}

// Either side may switch on, only B switches off, nobody gives way when both switch on.
const std::string connection_002 = R"(
channel AtoB[1], BtoA[1];
proc A {
  off: if :: AtoB!ON -> skip :: BtoA?ON fi;
  on: BtoA?OFF -> goto off
}
proc B {
  off: if :: BtoA!ON -> skip :: AtoB?ON fi;
  on: BtoA!OFF -> goto off
}
)";

TEST(PlainCheckerOnPapers, ConnectionOfPaper002) {
  const PlainResult result = check(connection_002);
  EXPECT_EQ(result.errors.size(), 2u);
  EXPECT_EQ(told(result), (Errors{{"deadlock", "", "5:7,9:7", ""},
                                  {"unspecified_reception", "A", "5:7", "BtoA?ON"}}));
  EXPECT_EQ(told(check(connection_002, receptions(Receptions::any))),
            (Errors{{"deadlock", "", "5:7,9:7", ""},
                    {"unspecified_reception", "A", "5:7", "BtoA?ON"},
                    {"unspecified_reception", "B", "9:7", "AtoB?ON"}}));
}

TEST(PlainCheckerOnPapers, SplitAndMergeOfPaper004) {
  const PlainResult result = check(R"(
#define N 128
#define size 16
channel in[size] = { mesg(256), mesg(13), mesg(4555) };
channel large[size], small[size];
proc split var cargo; {
  do
  :: in?mesg(cargo) ->
     if
     :: (cargo >= N) -> large!mesg(cargo)
     :: (cargo < N) -> small!mesg(cargo)
     fi
  od
}
proc merge var cargo; {
  do ::
    if
    :: large?mesg(cargo)
    :: small?mesg(cargo)
    fi;
    in!mesg(cargo)
  od
}
)");
  EXPECT_TRUE(result.complete);
  EXPECT_EQ(told(result), Errors{});
}

// ---- statements and states -------------------------------------------------------------------

TEST(PlainChecker, GivesEveryStatementOneStepAndSkipsNone) {
  expect_size(check("proc p { var x; x = 1; skip; x = 2; goto out; x = 3; out: skip }"), 3, 2);
  expect_size(check("proc p { }"), 1, 0);
}

TEST(PlainChecker, MakesGuardsPartOfTheirChoice) {
  expect_size(check("proc p { var x; if :: x = 1; x = 5 :: x = 2; x = 5 fi }"), 4, 4);
}

TEST(PlainChecker, TakesSkipAmongSeveralOptionsAsAStep) {
  expect_size(check("proc p { var x; if :: skip :: x = 1 fi }"), 3, 2);
  expect_size(check("proc p { var x; do :: break :: x = 1 od }"), 4, 4);
}

TEST(PlainChecker, TakesASingleOptionAsAPlainStatement) {
  expect_size(check("proc p { var x; if :: skip fi; if x = 1 fi; do break od }"), 2, 1);
}

TEST(PlainChecker, LendsTheOptionsOfANestedChoice) {
  // x = 1 and x = 2 are steps of the outer state, x = 4 follows both.
  expect_size(check("proc p { var x; if :: if :: x = 1 :: x = 2 fi; x = 4 :: x = 3 fi }"), 5, 5);
  // A nested loop goes round in a state of its own.
  expect_size(check("proc p { var x; if :: do :: x = 1 :: break od :: x = 3 fi }"), 5, 5);
}

TEST(PlainChecker, JumpsToANestedChoiceWithoutAlternative) {
  expect_size(check("proc p { var x; do :: do :: x = 1; break od; break od }"), 2, 1);
}

TEST(PlainChecker, TurnsACycleOfJumpsIntoOneStateThatStays) {
  expect_size(check("proc p { do :: skip od }"), 1, 1);
  expect_size(check("proc p { do :: do :: skip; skip od od }"), 1, 1);
  expect_size(check("proc p { var x; x = 1; a: goto b; b: skip; goto a }"), 2, 2);
}

TEST(PlainChecker, GivesALabelledGuardAStateOfItsOwn) {
  // The choice is passed once; afterwards x = 1 - x has no alternative.
  const PlainResult result =
      check("proc p { var x : 0..1; if :: here: x = 1 - x :: x = 0 fi; goto here }");
  expect_size(result, 3, 4);
}

TEST(PlainChecker, BreaksOutOfTheInnermostLoop) {
  expect_size(check("proc p { var x; do :: do :: break od; x = 1; break od; x = 2 }"), 3, 2);
}

TEST(PlainChecker, CountsAlikeOptionsTwice) {
  expect_size(check("proc p { var x; if :: x = 1 :: x = 1 fi }"), 2, 2);
}

TEST(PlainChecker, CountsAChangeOnceForEachReachedState) {
  const PlainResult result = check("proc p { var x : 0..3 wraps; do :: x++ od }");
  expect_size(result, 4, 4);
  EXPECT_EQ(result.depth, 3u);
}

// ---- procedures ------------------------------------------------------------------------------

TEST(PlainChecker, SetsParametersOnTheWayInAndClearsThemOnTheWayOut) {
  const std::string text = R"(
procedure twice(n) { x = n; x = n * 2 }
var x;
proc p { x = 3; twice(x + 1); x = 0 }
)";
  // (x, n): (0,0) (3,4) (4,4) (8,0) (0,0) at the end
  expect_size(check(text), 5, 4);
}

TEST(PlainChecker, LetsAGuardSeeTheParametersOfItsCall) {
  const std::string text = R"(
var x;
procedure wait(n) { (x == n); x = x + n }
proc p { if :: wait(0) :: wait(1) fi }
)";
  // Only wait(0) can start: (0,0) test -> (0,0) inside -> (0,0) at the end.
  expect_size(check(text), 3, 2);
}

TEST(PlainChecker, StartsWithTheParametersOfAFirstCallSet) {
  expect_size(check("procedure f(n) { assert(n == 7) } proc p { f(7) }"), 2, 1);
  EXPECT_EQ(told(check("procedure f(n) { assert(n == 7) } proc p { f(7) }")), Errors{});
}

TEST(PlainChecker, WrapsParametersToSixteenBits) {
  EXPECT_EQ(told(check("procedure f(n) { assert(n == -32768) } proc p { f(32768) }")), Errors{});
}

TEST(PlainChecker, TakesAnEmptyProcedureForSkip) {
  expect_size(check("procedure f() { } proc p { var x; f(); x = 1; f() }"), 2, 1);
  expect_size(check("procedure f() { } proc p { var x; if :: f() :: x = 1 fi }"), 3, 2);
}

TEST(PlainChecker, InlinesACallInGuardPositionOnce) {
  // A call that a label leads to and the same call as a guard share one copy of the body.
  expect_size(check(R"(
var x : 0..1;
procedure f() { x = 1; x = 0 }
proc p { do :: here: f(); goto here :: x = 1; break od }
)"),
              4, 4);
}

TEST(PlainChecker, GivesEveryCallItsOwnLabels) {
  expect_size(check(R"(
var x;
procedure f() { goto out; x = 9; out: x = 1 }
proc p { f(); f() }
)"),
              3, 2);
}

// ---- variables and expressions ---------------------------------------------------------------

Errors checks(const std::string& declarations, const std::string& statements) {
  return told(check(declarations + "proc p { " + statements + " }"));
}

TEST(PlainChecker, WrapsAssignmentsIntoTheRange) {
  EXPECT_EQ(checks("var x;", "x = 32767; x++; assert(x == -32768)"), Errors{});
  EXPECT_EQ(checks("var x : 1..3 wraps;", "x = 4; assert(x == 1); x = 0; assert(x == 3)"),
            Errors{});
  EXPECT_EQ(checks("var x : -2..2 wraps;", "x = 3; assert(x == -2); x = -8; assert(x == 2)"),
            Errors{});
}

TEST(PlainChecker, StartsVariablesAtZeroOrNextToIt) {
  EXPECT_EQ(checks("var x; var y : 2..5; var z : -7..-3; var w : 0..9 = 4;",
                   "assert(x == 0 && y == 2 && z == -3 && w == 4)"),
            Errors{});
}

TEST(PlainChecker, DividesTowardsZeroAndTakesRemaindersThatAreNeverNegative) {
  EXPECT_EQ(checks("",
                   "assert(-7 / 2 == -3); assert(7 / -2 == -3); assert(-7 % 3 == 2);"
                   "assert(7 % -3 == 1); assert(-6 % 3 == 0)"),
            Errors{});
}

TEST(PlainChecker, ComputesInSixtyFourBits) {
  EXPECT_EQ(checks("var x = 32767;", "assert(x * x * x > 32767); assert(x + 1 == 32768)"),
            Errors{});
}

TEST(PlainChecker, DoesNotLookAtTheRightSideWhenTheLeftDecides) {
  EXPECT_EQ(checks("var x;", "assert(x == 0 || 1 / x == 1); assert(!(x != 0 && 1 % x == 0))"),
            Errors{});
}

TEST(PlainChecker, ReportsDivisionByZeroWhereverItHappens) {
  const Errors one = {{"division_by_zero", "p", "1:28", "1:28"}};
  EXPECT_EQ(checks("channel c; var x;", " (1 / x)"), one);
  EXPECT_EQ(checks("channel c; var x;", " x = 1 % x"), one);
  EXPECT_EQ(checks("channel c; var x;", " c!m(1 / x)"), one);
}

TEST(PlainChecker, CountsAFailureAsATransitionWithoutSuccessor) {
  const PlainResult result = check("proc p { var x; if :: x = 1 / x :: x = 1 fi }");
  expect_size(result, 2, 2);
  ASSERT_EQ(result.errors.size(), 1u);
  EXPECT_EQ(result.errors[0].count, 1u);
  EXPECT_EQ(result.errors[0].steps, 1u);
}

TEST(PlainChecker, SharesTopLevelVariables) {
  expect_size(check("var x; proc p { x = 1 } proc q { (x == 1) }"), 3, 2);
}

TEST(PlainChecker, BlocksOnATestThatIsFalse) {
  const PlainResult result = check("proc p { var x; (x); x = 1 }");
  expect_size(result, 1, 0);
  EXPECT_EQ(told(result), (Errors{{"deadlock", "", "1:17", ""}}));
}

TEST(PlainChecker, ReportsAnAssertThatDoesNotHold) {
  const PlainResult result = check("proc p { var x : 0..2 wraps; do :: x++ :: assert(x < 2) od }");
  expect_size(result, 3, 6);
  ASSERT_EQ(told(result), (Errors{{"assertion", "p", "1:30", "1:43"}}));
  EXPECT_EQ(result.errors[0].count, 1u);
  EXPECT_EQ(result.errors[0].steps, 3u);
}

// ---- channels --------------------------------------------------------------------------------

TEST(PlainChecker, BlocksASendToAFullChannel) {
  EXPECT_EQ(check("channel c[1]; proc p { do :: c!m od }").states, 2u);
  EXPECT_EQ(check("channel c[3]; proc p { do :: c!m od }").states, 4u);
  EXPECT_EQ(check("channel c; proc p { do :: c!m od }").states, 3u);
  EXPECT_EQ(check("channel c = { m, m, m }; proc p { do :: c!m od }").states, 1u);
}

TEST(PlainChecker, DoesNotComputeTheValueOfABlockedSend) {
  EXPECT_EQ(told(check("channel c[1] = { m }; proc p { end: c!m(1 / 0) }")), Errors{});
}

TEST(PlainChecker, ReportsAnOverflowWhereThatIsWanted) {
  PlainOptions options;
  options.overflow_is_error = true;
  const PlainResult result = check("channel c[1]; proc p { do :: c!m od }", options);
  expect_size(result, 2, 2);
  EXPECT_EQ(told(result), (Errors{{"overflow", "p", "1:24", "c!m"}}));
}

TEST(PlainChecker, DeliversInOrder) {
  expect_size(check("channel c[2]; proc p { c!a; c!b } proc q { c?a; c?b }"), 6, 6);
  EXPECT_EQ(check("channel c[2]; proc p { c!a; c!b } proc q { c?b; c?a }").errors.size(), 2u);
}

TEST(PlainChecker, KeepsValuesApart) {
  // 0, 1 or 2 in the channel, or none, or nothing sent yet; and x afterwards.
  expect_size(check(R"(
channel c[1];
proc p { if :: c!m(0) :: c!m(1) :: c!m fi }
proc q { var x : 0..7 = 5; c?m(x) }
)"),
              7, 6);
}

TEST(PlainChecker, AssignsAsManyValuesAsThereAre) {
  EXPECT_EQ(told(check(R"(
channel c[2] = { m(3, 4), m };
proc p {
  var x = 1, y = 2;
  c?m(x);
  assert(x == 3 && y == 2);
  c?m(x, y);
  assert(x == 3 && y == 2)
}
)")),
            Errors{});
  EXPECT_EQ(told(check(R"(
channel c[1] = { m(3, 4, 9) };
proc p { var x, y : 0..7 wraps; c?m(x, x, y); assert(x == 4 && y == 1) }
)")),
            Errors{});
  EXPECT_EQ(told(check(R"(
channel c[1] = { m(3, 4) };
proc p { var x = 1; c?m(_, x); assert(x == 4) }
)")),
            Errors{});
}

TEST(PlainChecker, WrapsValuesToSixteenBitsAtTheSend) {
  EXPECT_EQ(told(check("channel c; proc p { var x; c!m(65537); c?m(x); assert(x == 1) }")),
            Errors{});
}

TEST(PlainChecker, LetsASinkTakeEverythingAndKeepNothing) {
  expect_size(check("sink s; proc p { do :: s!m(1) od }"), 1, 1);
  EXPECT_EQ(told(check("sink s; proc p { s!m; assert(len(s) == 0 && empty(s) && !full(s)) }")),
            Errors{});
}

TEST(PlainChecker, AnswersQuestionsAboutChannels) {
  EXPECT_EQ(told(check(R"(
channel c[2] = { m };
proc p {
  assert(len(c) == 1 && !full(c) && !empty(c));
  c!m;
  assert(len(c) == 2 && full(c));
  c?m; c?m;
  assert(empty(c))
}
)")),
            Errors{});
}

TEST(PlainChecker, TakesByDefaultWhatNoOtherOptionTakes) {
  EXPECT_EQ(told(check(R"(
channel c[2] = { a, b };
proc p { do :: c?a -> skip :: c?default -> break od; assert(empty(c)) }
)")),
            Errors{});
  expect_size(check("channel c[1] = { a }; proc p { if :: c?a :: c?default fi }"), 2, 1);
}

TEST(PlainChecker, TimesOutOnAnEmptyChannelOnly) {
  expect_size(check("channel c[1]; proc p { c?timeout }"), 2, 1);
  EXPECT_EQ(check("channel c[1] = { m }; proc p { end: c?timeout }").states, 1u);
}

TEST(PlainChecker, TimesOutUnderLockOnlyWhenNothingElseCanHappen) {
  const std::string text = "channel c[1]; var x; proc p { c?timeout } proc q { x = 1; x = 2 }";
  EXPECT_EQ(check(text).states, 6u);
  expect_size(check(text, lock()), 4, 3);
}

TEST(PlainChecker, LetsAFailureHoldBackATimeoutUnderLock) {
  const std::string text = "channel c[1]; proc p { end: c?timeout } proc q { assert(0) }";
  expect_size(check(text, lock()), 1, 1);
}

TEST(PlainChecker, LetsSeveralTimeoutsGoOffUnderLock) {
  expect_size(check("channel c[1]; proc p { c?timeout } proc q { c?timeout }", lock()), 4, 4);
}

TEST(PlainChecker, TimesOutWhenItIsQuietWhateverIsComputed) {
  const std::string text =
      "channel c[1], d[1]; var x; proc p { c?timeout(quiet) } proc q { x = 1; d!m; d?m; x = 2 }";
  // Where q can send or receive, p does not time out.
  expect_size(check(text), 10, 11);
  PlainOptions quiet;
  quiet.timeouts = Timeouts::quiet;
  expect_size(check("channel c[1]; var x; proc p { c?timeout } proc q { x = 1; x = 2 }", quiet), 6,
              7);
}

TEST(PlainChecker, LetsATimeoutSayWhichKindItIs) {
  const std::string text =
      "channel c[1]; var x; proc p { c?timeout(lock) } proc q { x = 1; x = 2 }";
  expect_size(check(text), 4, 3);
  EXPECT_EQ(
      check("channel c[1]; var x; proc p { c?timeout(empty) } proc q { x = 1; x = 2 }", lock())
          .states,
      6u);
}

// ---- conditions ------------------------------------------------------------------------------

TEST(PlainChecker, TakesAConditionAndItsStatementInOneStep) {
  expect_size(check("var x; proc p { when (x == 1) x = 2 } proc q { x = 1; x = 0 }"), 5, 4);
  expect_size(check("channel c[1]; proc p { var x : 0..2; do :: when (x < 2) x++ :: when (x == 2) "
                    "break od }"),
              4, 3);
}

TEST(PlainChecker, LooksAtWhatIsReceived) {
  const std::string text = "channel c[2] = { m(1), m(2) }; proc p { var x = 1, y; ";
  expect_size(check(text + "c?m(== x); c?m(y) when (y == x + 1); assert(y == 2) }"), 4, 3);
  expect_size(check(text + "c?m(x) when (x == 2) }"), 1, 0);
  EXPECT_EQ(told(check(text + "c?m(== 2) }")),
            (Errors{{"deadlock", "", "1:55", ""}, {"unspecified_reception", "p", "1:55", "c?m"}}));
}

TEST(PlainChecker, LeavesToDefaultWhatAConditionRefuses) {
  expect_size(
      check("channel c[2] = { m(1), m(2) }; proc p { do :: c?m(== 2) -> break :: c?default od }"),
      3, 2);
}

// ---- else ------------------------------------------------------------------------------------

TEST(PlainChecker, TakesElseWhereNoOtherOptionCanBe) {
  expect_size(check("channel c[1]; proc p { do :: c!m :: else -> break od }"), 3, 2);
  expect_size(check("channel c[1] = { n }; proc p { if :: c?m :: else fi }"), 2, 1);
  EXPECT_EQ(told(check("proc p { var x; if :: (1 / x) :: else fi }")),
            (Errors{{"division_by_zero", "p", "1:17", "1:23"}}));
}

// ---- checks of states ------------------------------------------------------------------------

TEST(PlainChecker, DoesNotCallTheEndADeadlock) {
  EXPECT_EQ(told(check("proc p { skip } proc q { }")), Errors{});
  EXPECT_EQ(told(check("channel c; proc p { end_wait: c?m }")), Errors{});
}

TEST(PlainChecker, PassesEndLabelsOnFromTransitStates) {
  EXPECT_EQ(told(check("channel c; proc p { end: skip; goto out; out: c?m }")), Errors{});
}

TEST(PlainChecker, NamesADeadlockByItsControlStates) {
  const PlainResult result = check("channel c; proc p { here: c?m } proc q { c!n }");
  ASSERT_EQ(told(result), (Errors{{"deadlock", "", "1:27,end", ""},
                                  {"unspecified_reception", "p", "1:27", "c?n"}}));
  EXPECT_EQ(result.errors[0].state, "here,end");
  EXPECT_EQ(result.errors[0].steps, 1u);
}

TEST(PlainChecker, CountsTimeoutsAsReceptions) {
  // q keeps d full, so the timeout never goes off; c and d both hold what p does not take.
  const std::string text = R"(
channel c[1] = { x }, d[1] = { y };
proc p { if :: c?m :: d?timeout fi }
proc q { var n : 0..1 wraps; do :: n++ od }
)";
  const PlainResult result = check(text);
  EXPECT_EQ(told(result), (Errors{{"unspecified_reception", "p", "3:10", "c?x"},
                                  {"unspecified_reception", "p", "3:10", "d?y"}}));
  EXPECT_EQ(result.errors[0].count, 2u);
}

TEST(PlainChecker, FindsUnspecifiedReceptionsByPolicy) {
  EXPECT_EQ(told(check("channel c; proc p { var x; do :: c?m :: x = 0 od } proc q { c!n }")),
            Errors{});
  EXPECT_EQ(told(check("channel c; proc p { var x; do :: c?m :: x = 0 od } proc q { c!n }",
                       receptions(Receptions::reading))),
            (Errors{{"unspecified_reception", "p", "1:28", "c?n"}}));
  const std::string elsewhere =
      "channel c; proc p { var x; do :: x = 0 :: x = 1; break od; c?m } proc q { c!n }";
  EXPECT_EQ(check(elsewhere, receptions(Receptions::any)).errors.size(), 3u);
}

// What others do brings about what p waits for, or does not.
TEST(PlainChecker, FindsProcessesThatAreStuckForEver) {
  const auto is_stuck = [](const std::string& declarations, const std::string& options,
                           const std::string& others = "") {
    const PlainResult result =
        check("channel c[1] = { busy }, d[1], e[1] = { n }; " + declarations +
              " proc p { var own, mine; do :: c?reply " + options +
              " od } proc clock { var t : 0..1; do :: t++ od } " + others);
    return !result.errors.empty() && result.errors.back().kind == "unspecified_reception" &&
           result.errors.back().process == "p";
  };
  EXPECT_TRUE(is_stuck("", ""));
  EXPECT_TRUE(is_stuck("", ":: (own > 0)"));
  EXPECT_FALSE(is_stuck("", ":: (own == 0)"));
  EXPECT_TRUE(is_stuck("var s;", ":: (s > 0)"));
  EXPECT_FALSE(is_stuck("var s;", ":: (s > 0)", "proc q { s = 0 }"));
  EXPECT_TRUE(is_stuck("", ":: d?m"));
  EXPECT_FALSE(is_stuck("", ":: d?m", "proc q { (0); d!m }"));
  EXPECT_TRUE(is_stuck("", ":: d?m", "proc q { (0); d!k }"));
  EXPECT_TRUE(is_stuck("", ":: when (own) d?m", "proc q { (0); d!m }"));
  EXPECT_FALSE(is_stuck("", ":: d?m(own) when (own > 0)", "proc q { (0); d!m(0) }"));
  EXPECT_TRUE(is_stuck("", ":: e!m"));
  EXPECT_FALSE(is_stuck("", ":: e!m", "proc q { (0); e?n }"));
  EXPECT_FALSE(is_stuck("", ":: else"));
  EXPECT_FALSE(is_stuck("", ":: d?timeout(lock)"));
  EXPECT_FALSE(is_stuck("", ":: d?timeout(quiet)"));
  EXPECT_TRUE(is_stuck("", ":: c?timeout(lock)"));
  EXPECT_TRUE(is_stuck("", ":: when (own) d?timeout(lock)"));
}

TEST(PlainChecker, ExcludesEndedProcessesFromAnyReception) {
  EXPECT_EQ(told(check("channel c[2] = { m, n }; proc p { c?m }", receptions(Receptions::any))),
            (Errors{{"unread_messages", "", "", "c"}}));
}

TEST(PlainChecker, CountsStatesOfAReception) {
  const PlainResult result =
      check("channel c; proc p { end: c?m } proc q { var x : 0..2 wraps; c!n; do :: x++ od }");
  ASSERT_EQ(told(result), (Errors{{"unspecified_reception", "p", "1:26", "c?n"}}));
  EXPECT_EQ(result.errors[0].count, 3u);
  EXPECT_EQ(result.errors[0].steps, 1u);
}

TEST(PlainChecker, ReportsMessagesLeftAtTheEnd) {
  EXPECT_EQ(told(check("channel c; proc p { c!m }")), (Errors{{"unread_messages", "", "", "c"}}));
  EXPECT_EQ(told(check("channel c; proc p { c!m; end: c?n }")),
            (Errors{{"unspecified_reception", "p", "1:31", "c?m"}}));
}

// ---- behaviour assertions --------------------------------------------------------------------

TEST(PlainChecker, FollowsAnAssertionInAllItsStatesAtOnce) {
  const std::string text = "channel c[9]; proc p { c!a; c!b; end: c?never }";
  EXPECT_EQ(check(text + "assert { if :: c!a; c!a :: c!a; c!b fi }").errors.size(), 1u);
  EXPECT_EQ(told(check(text + "assert both { if :: c!b; c!a :: c!a; c!a fi }"))[0],
            (Told{"assertion", "", "", "both c!b"}));
}

TEST(PlainChecker, IgnoresWhatIsNotInTheScopeOfAnAssertion) {
  EXPECT_EQ(told(check("channel c; proc p { c!a; c?a; c!b; c?b } assert { c!b }")), Errors{});
  EXPECT_EQ(told(check("channel c; proc p { c!a; c?a } assert { do :: c?a od; c!b }")),
            (Errors{{"assertion", "", "", "assertion 1 end"}}));
}

TEST(PlainChecker, FollowsInternalStepsOfAnAssertionSilently) {
  EXPECT_EQ(told(check("channel c; proc p { c!a; c?a } assert { if :: skip :: c!b fi; c!a }")),
            Errors{});
  EXPECT_EQ(told(check("channel c; proc p { c!a; c?a } assert { do :: c!a :: break od }")),
            Errors{});
}

TEST(PlainChecker, WantsAnAssertionToBeAtItsEndWhenAllProcessesAre) {
  EXPECT_EQ(told(check("channel c; proc p { c!a; c?a } assert { c!a; c!a }")),
            (Errors{{"assertion", "", "", "assertion 1 end"}}));
  EXPECT_EQ(told(check("channel c; proc p { c!a; c?a; end: c?b } assert { c!a; c!a }")), Errors{});
}

TEST(PlainChecker, KeepsTheSetOfAnAssertionInTheState) {
  const std::string text = "sink c; proc p { do :: c!a od }";
  EXPECT_EQ(check(text).states, 1u);
  EXPECT_EQ(check(text + "assert { do :: c!a; c!a; c!a od }").states, 3u);
}

TEST(PlainChecker, ReportsEveryAssertionThatAFiringViolates) {
  const PlainResult result = check(
      "sink c; proc p { c!a } assert { c!b; c!a } assert second { c!b; c!a } assert third { c!a }");
  expect_size(result, 1, 1);
  EXPECT_EQ(told(result), (Errors{{"assertion", "", "", "assertion 1 c!a"},
                                  {"assertion", "", "", "second c!a"}}));
}

TEST(PlainChecker, TakesAMessageReceivedByDefaultForAReceive) {
  EXPECT_EQ(told(check("channel c = { a }; proc p { c?default } assert { c?b; c?a }")),
            (Errors{{"assertion", "", "", "assertion 1 c?a"}}));
}

TEST(PlainChecker, InlinesProceduresInAssertions) {
  EXPECT_EQ(told(check(R"(
procedure round() { c!a; c!b }
sink c;
proc p { c!a; c!b; c!a; c!b }
assert { round(); if :: round() :: c!b fi }
)")),
            Errors{});
}

// ---- families --------------------------------------------------------------------------------

TEST(PlainChecker, PassesATokenRoundARing) {
  const std::string text = R"(
channel ring[0..2][1];
proc node[i : 0..2] {
  if :: (i == 0) -> ring[1]!token :: (i != 0) -> skip fi;
  do :: ring[i]?token -> ring[(i + 1) % 3]!token od
}
)";
  const PlainResult result = check(text);
  EXPECT_EQ(told(result), Errors{});
  const PlainResult watched =
      check(text + "assert once[i : 0..2] { ring[i]!token; ring[i]?token }");
  ASSERT_EQ(watched.errors.size(), 1u);
  EXPECT_EQ(watched.errors[0].message, "once ring!token");
}

TEST(PlainChecker, ReportsMembersThatFailAlikeOnce) {
  const PlainResult failing = check("proc p[i : 0..2] var x; { assert(x > i) }");
  ASSERT_EQ(failing.errors.size(), 1u);
  EXPECT_EQ(failing.errors[0].process, "p");
  EXPECT_EQ(failing.errors[0].count, 3u);
  EXPECT_EQ(failing.errors[0].members, (std::set<std::string>{"p[0]", "p[1]", "p[2]"}));
  // Each of two stops at one of two places.
  const PlainResult stuck =
      check("proc p[i : 0..1] { if :: goto a :: goto b fi; a: (0); b: (0 == 1) }");
  ASSERT_EQ(stuck.errors.size(), 3u);
  EXPECT_EQ(stuck.errors[1].count, 2u);
  EXPECT_EQ(stuck.errors[1].members, (std::set<std::string>{"p[0]", "p[1]"}));
  EXPECT_EQ(stuck.errors[0].members, std::set<std::string>{});
}

TEST(PlainChecker, ReportsAnIndexOutsideItsFamily) {
  const PlainResult result =
      check("channel c[1..2][1]; proc p { var x : 0..3 wraps; do :: x++ :: c[x]!m od }");
  EXPECT_EQ(told(result), (Errors{{"index_out_of_range", "p", "1:50", "1:63"}}));
  EXPECT_EQ(result.errors[0].count, 8u);
}

TEST(PlainChecker, KnowsArrays) {
  const PlainResult counted = check(
      "var a[2] : 0..1, n; proc p { do :: (n < 2) -> a[n] = 1; n++ :: (n == 2) -> break od;"
      " assert(a[0] + a[1] == 2) }");
  EXPECT_EQ(told(counted), Errors{});
  const PlainResult beyond = check("var a[2], n; proc p { a[n] = 1; n = 2; a[n] = 1 }");
  EXPECT_EQ(told(beyond), (Errors{{"index_out_of_range", "p", "1:40", "1:40"}}));
  // The index of a target is that from before the message.
  const PlainResult received =
      check("channel c[1] = { m(1, 1) }; var a[2], n; proc p { c?m(n, a[n]); assert(a[0] == 1) }");
  EXPECT_EQ(told(received), Errors{});
}

TEST(PlainChecker, HoldsValuesToTheirRanges) {
  const char* const text = "proc p { var x : 0..3; do :: x++ od }";
  const PlainResult result = check(text);
  EXPECT_EQ(told(result), (Errors{{"out_of_range", "p", "1:24", "1:30"}}));
  EXPECT_EQ(result.states, 4u);
  PlainOptions options;
  options.ranges_wrap = true;
  EXPECT_EQ(told(check(text, options)), Errors{});
  EXPECT_EQ(told(check("channel c[1] = { m(5) }; proc p { var x : 0..3; c?m(x) }")),
            (Errors{{"out_of_range", "p", "1:49", "1:49"}}));
}

TEST(PlainChecker, KnowsQuantifiers) {
  const PlainResult result = check(
      "var a[3] = { 1, 2, 3 }; proc p { assert(forall (i : 0..1) a[i] < a[i + 1]);"
      " assert(!exists (i : 0..2) a[i] == 0); assert((count (i : 0..2) a[i] != 2) == 2) }");
  EXPECT_EQ(told(result), Errors{});
  const PlainResult failing = check("proc p { assert(forall (i : 0..3) i < 3) }");
  EXPECT_EQ(told(failing), (Errors{{"assertion", "p", "1:10", "1:10"}}));
}

// ---- limits ----------------------------------------------------------------------------------

TEST(PlainChecker, SaysWhenItGaveUp) {
  PlainOptions options;
  options.state_limit = 10;
  const PlainResult result = check("proc p { var x; do :: x++ od }", options);
  EXPECT_FALSE(result.complete);
  EXPECT_EQ(result.states, 10u);
}

// ---- lines, flushes and invariants -----------------------------------------------------------

TEST(PlainChecker, KnowsLinesThatLoseRepeatAndReorder) {
  expect_size(check("channel c[1] lossy; proc p { c!m; c!m } proc q { end: do :: c?m od }"), 5, 7);
  expect_size(check("channel c[1] duplicating = { m(2) }; proc q var x; { c?m(x); c?m(x) }"), 5, 4);
  const PlainResult any =
      check("channel c[3] reordering = { a, d, b(2) }; proc q var x; { c?b(x); c?a; c?default }");
  expect_size(any, 4, 3);
  EXPECT_EQ(told(any), Errors{});
  expect_size(check("channel c[3] = { a, b, a }; proc q { flush c; c?timeout }"), 3, 2);
}

TEST(PlainChecker, SendsToAllMembersInOneStep) {
  const std::string readers = "proc q[i : 0..2] { end: do :: c[i]?m od }";
  expect_size(check("channel c[0..2][1]; proc p { c[*]!m }" + readers), 9, 13);
  expect_size(check("channel c[0..2][1] lossy; proc p { c[*]!m }"), 9, 8);
  expect_size(check("channel c[0..2][1] lossy = { m }; proc p { c[*]!m }"), 2, 1);
  const PlainResult full =
      check("channel c[0..2][1]; proc f { c[1]!m } proc p { (full(c[1])); c[*]!m }");
  expect_size(full, 3, 2);
  EXPECT_EQ(told(full).size(), 1u);
  expect_size(check("channel c[0..1][2]; proc p { c[*]!m(len(c[0])) }"
                    "proc q[i : 0..1] { var x; c[i]?m(x); assert(x == 0) }"),
              10, 13);
}

TEST(PlainChecker, LooksAtInvariantsInEveryState) {
  const PlainResult result = check(
      "var x : 0..3; channel c[1]; proc p var y : 0..1; { x = 2; here: c!m; y = 1 }\n"
      "never two (x == 2 && p@here); always (head(c) != m || p.y); never (6 / x == 7);");
  EXPECT_EQ(told(result), (Errors{{"invariant", "", "", ""},
                                  {"invariant", "", "", "two"},
                                  {"unread_messages", "", "", "c"}}));
}

}  // namespace
}  // namespace panoptes::differential
