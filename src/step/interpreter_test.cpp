// SPDX-License-Identifier: Apache-2.0
#include "step/interpreter.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <random>

#include "step/examine.hpp"
#include "support/program.hpp"

namespace panoptes {
namespace {

using Texts = std::vector<std::string>;
using Values = std::vector<std::int64_t>;

// Walks through a protocol by the texts of its rules.
class Walk {
 public:
  explicit Walk(const std::string& text, const test::Setup& setup = {.minimise = false})
      : compiled_(test::compile(text, setup)), state_{program().layout.words, program().initial} {}

  Program& program() { return compiled_.program; }
  const StateBatch& state() const { return state_; }

  // Every rule that fires here, in order; a failure is followed by what is wrong.
  Texts options() {
    expand();
    Texts texts;
    for (const RuleId rule : successors_.rules) texts.push_back(text_of(rule));
    for (const Finding& finding : findings_)
      texts.push_back(fmt::format("{} fails: {}", text_of(finding.rule), to_string(finding.kind)));
    return texts;
  }

  std::uint32_t failures() {
    expand();
    return successors_.failed[0];
  }

  // Takes the first option with this text.
  Walk& step(const std::string& option) {
    expand();
    for (std::size_t i = 0; i < successors_.size(); ++i)
      if (text_of(successors_.rules[i]) == option) return move_to(i);
    throw std::runtime_error("not enabled: " + option);
  }

  // Takes any option and gives its text.
  std::string random_step(std::mt19937& random) {
    expand();
    const std::size_t i = random() % successors_.size();
    const std::string text = text_of(successors_.rules[i]);
    move_to(i);
    return text;
  }

  std::string channel(const std::string& name) {
    const auto& channels = program().protocol.channels;
    for (ChannelId c = 0; c < channels.size(); ++c)
      if (channels[c].name == name) {
        Texts texts;
        for (const Message& m : contents(program().layout.channels[c], state_[0]))
          texts.push_back(message_text(program().protocol, c, m.tag, m.values));
        return fmt::format("{}", fmt::join(texts, " "));
      }
    return "no such channel";
  }

  std::int64_t variable(const std::string& name) {
    const auto& variables = program().protocol.variables;
    for (VariableId v = 0; v < variables.size(); ++v)
      if (variables[v].name == name) return read(program().layout.variables[v], state_[0]);
    throw std::runtime_error("no such variable: " + name);
  }

  Values variables(const std::string& first, const std::string& second) {
    return {variable(first), variable(second)};
  }

  // What is wrong with this state itself.
  Texts complaints(ReceptionPolicy receptions = ReceptionPolicy::blocked) {
    expand();
    const std::size_t failures = findings_.size();
    examine(program(), state_, successors_, receptions, findings_);
    Texts texts;
    for (std::size_t i = failures; i < findings_.size(); ++i)
      texts.push_back(describe(findings_[i]));
    return texts;
  }

 private:
  void expand() {
    Interpreter interpreter(program());
    findings_.clear();
    interpreter.expand(state_, successors_, findings_);
  }

  Walk& move_to(std::size_t successor) {
    const StateView next = successors_.states[successor];
    state_.words.assign(next.begin(), next.end());
    return *this;
  }

  std::string text_of(RuleId id) {
    const Rule& rule = program().rules[id];
    return program().protocol.processes[rule.owner().process].name + " " + rule.text;
  }

  std::string describe(const Finding& finding) {
    const Protocol& protocol = program().protocol;
    std::string out(to_string(finding.kind));
    if (finding.process != none) out += " " + protocol.processes[finding.process].name;
    if (finding.channel != none) out += " " + protocol.channels[finding.channel].name;
    if (finding.tag != 0)
      out += " " + protocol.channels[finding.channel].sort[finding.tag - 1].name;
    if (finding.assertion != none) out += " " + protocol.assertions[finding.assertion].name;
    return out;
  }

  test::Compiled compiled_;
  StateBatch state_;
  SuccessorBatch successors_;
  std::vector<Finding> findings_;
};

// ---- channels ----------------------------------------------------------------------------------

TEST(Interpreter, SendsToTheTailAndReceivesFromTheHead) {
  Walk walk("channel c[2]; proc p { c!a; c!b(7) } proc q var x; { c?a; c?b(x); (x == 7) }");
  EXPECT_EQ(walk.options(), Texts{"p c!a"});
  walk.step("p c!a");
  EXPECT_EQ(walk.options(), (Texts{"p c!b(7)", "q c?a"}));
  walk.step("p c!b(7)");
  EXPECT_EQ(walk.channel("c"), "a b(7)");
  EXPECT_EQ(walk.options(), Texts{"q c?a"});
  walk.step("q c?a");
  EXPECT_EQ(walk.channel("c"), "b(7)");
  walk.step("q c?b(x)");
  EXPECT_EQ(walk.channel("c"), "");
  EXPECT_EQ(walk.variable("x"), 7);
  walk.step("q (x == 7)");
  EXPECT_EQ(walk.options(), Texts{});
}

TEST(Interpreter, WaitsWithASendUntilThereIsRoom) {
  Walk walk("channel c[1]; proc p { c!a; c!a } proc q { c?a }");
  walk.step("p c!a");
  EXPECT_EQ(walk.options(), Texts{"q c?a"});
  walk.step("q c?a");
  EXPECT_EQ(walk.options(), Texts{"p c!a"});
}

TEST(Interpreter, MakesAnErrorOfASendToAFullChannelWhereAsked) {
  Walk walk("channel c[1]; sink s; proc p { c!a; if :: c!a :: s!a fi } proc q { c?a }",
            {.overflow = OverflowPolicy::error});
  walk.step("p c!a");
  EXPECT_EQ(walk.options(), (Texts{"p s!a", "q c?a", "p c!a fails: overflow"}));
  EXPECT_EQ(walk.failures(), 1u);
}

TEST(Interpreter, LetsASinkForgetEverything) {
  Walk walk("sink s; proc p var x; { do :: (len(s) == 0 && empty(s) && !full(s)) -> s!m(x) od }");
  const StateWords before = walk.state().words;
  for (int i = 0; i < 3; ++i) walk.step("p (len(s) == 0 && empty(s) && !full(s))").step("p s!m(x)");
  EXPECT_EQ(walk.state().words, before);
}

TEST(Interpreter, AnswersQuestionsAboutChannels) {
  Walk walk(
      "channel c[2]; var n; proc p { do :: c!m :: c?m :: n = 100 * len(c) + 10 * full(c) + "
      "empty(c) od }");
  const std::string ask = "p n = 100 * len(c) + 10 * full(c) + empty(c)";
  EXPECT_EQ(walk.step(ask).variable("n"), 1);
  EXPECT_EQ(walk.step("p c!m").step(ask).variable("n"), 100);
  EXPECT_EQ(walk.step("p c!m").step(ask).variable("n"), 210);
}

TEST(Interpreter, TakesAMessageWithAnyNumberOfValues) {
  Walk walk(
      "channel c[3] = { m, m(1), m(1, 2) }; proc p var x = 9, y = 9; { do :: c?m(x, y) :: (x == y) "
      "od }");
  walk.step("p c?m(x, y)");
  EXPECT_EQ(walk.variables("x", "y"), (Values{9, 9}));
  walk.step("p c?m(x, y)");
  EXPECT_EQ(walk.variables("x", "y"), (Values{1, 9}));
  walk.step("p c?m(x, y)");
  EXPECT_EQ(walk.variables("x", "y"), (Values{1, 2}));
}

TEST(Interpreter, LetsTheLastOfEqualTargetsWin) {
  Walk walk("channel c[2] = { m(1, 2, 3), m(4) }; proc p var x; { do :: c?m(x, _, x) :: (x) od }");
  EXPECT_EQ(walk.step("p c?m(x, _, x)").variable("x"), 3);
  EXPECT_EQ(walk.step("p c?m(x, _, x)").variable("x"), 4);
}

TEST(Interpreter, TakesByDefaultWhatNoOtherOptionTakes) {
  Walk walk("channel c[3] = { a, b, a(1) }; proc p { do :: c?default :: c?a od }");
  EXPECT_EQ(walk.options(), Texts{"p c?a"});
  walk.step("p c?a");
  EXPECT_EQ(walk.options(), Texts{"p c?default"});
  walk.step("p c?default");
  EXPECT_EQ(walk.options(), Texts{"p c?a"});
}

// A channel against the obvious model, for slots of many widths, in one word and in several.
TEST(Interpreter, KeepsMessagesInOrderHoweverManyWordsAChannelTakes) {
  for (const int capacity : {1, 2, 5, 16, 40})
    for (const int modulus : {2, 100, 4556, 32767}) {
      Walk walk(
          fmt::format("channel c[{}], d[3]; var before = 77;\n"
                      "proc p var x : 0..{}; {{ do :: c!a(x) :: c!b(x, -x, 5) :: c!n :: d!a :: x = "
                      "(x * 7 + 3) % {} od }}\n"
                      "proc q var r, s; {{ do :: c?a(r) :: c?b(r, s, _) :: c?n :: d?a :: (before + "
                      "r + s == 0) od }}\n"
                      "proc z {{ before = 78 }}",
                      capacity, modulus - 1, modulus));
      std::deque<std::string> model;
      std::mt19937 random(5);
      for (int i = 0; i < 2000; ++i) {
        const std::int64_t x = walk.variable("x");
        const bool was_full = model.size() == static_cast<std::size_t>(capacity);
        const std::string option = walk.random_step(random);
        if (option.starts_with("p c!")) {
          ASSERT_FALSE(was_full) << option;
          model.push_back(option == "p c!n"      ? "n"
                          : option == "p c!a(x)" ? fmt::format("a({})", x)
                                                 : fmt::format("b({}, {}, 5)", x, -x));
        }
        if (option.starts_with("q c?")) {
          ASSERT_FALSE(model.empty()) << option;
          ASSERT_EQ(model.front()[0], option[4]);
          if (model.front()[0] == 'b') {
            ASSERT_EQ(model.front(),
                      fmt::format("b({}, {}, 5)", walk.variable("r"), walk.variable("s")));
          }
          model.pop_front();
        }
        ASSERT_EQ(walk.channel("c"), fmt::format("{}", fmt::join(model, " ")));
        ASSERT_GE(walk.variable("before"), 77);
      }
    }
}

// ---- variables ---------------------------------------------------------------------------------

TEST(Interpreter, WrapsAssignmentsIntoTheRangeOfAVariable) {
  Walk walk(
      "channel c[1] = { m(6) }; proc p var x : 0..3 wraps, y = 32767; { c?m(x); x = x - 7; y++ }");
  EXPECT_EQ(walk.step("p c?m(x)").variable("x"), 2);
  EXPECT_EQ(walk.step("p x = x - 7").variable("x"), 3);
  EXPECT_EQ(walk.step("p y = y + 1").variable("y"), -32768);
}

TEST(Interpreter, WrapsTheValuesOfMessagesToSixteenBits) {
  Walk walk("channel c[1]; proc p var x = 30000; { c!m(x + x) } proc q { c?m(_) }");
  walk.step("p c!m(x + x)");
  EXPECT_EQ(walk.channel("c"), "m(-5536)");
}

TEST(Interpreter, ReadsEverythingBeforeItWritesAnything) {
  // The call's argument is computed from what the receive has just brought; the parameter goes with
  // the step that leaves.
  Walk walk(
      "channel c[1] = { m(6) }, d[1];\n"
      "procedure f(v) { d!m(v, len(d)) }\n"
      "proc p var x = 1; { c?m(x); f(x + x); x = 0 }");
  walk.step("p c?m(x)");
  EXPECT_EQ(walk.variable("f.v"), 12);
  walk.step("p d!m(v, len(d))");
  EXPECT_EQ(walk.channel("d"), "m(12, 0)");
  EXPECT_EQ(walk.variable("f.v"), 0);
}

// ---- timeouts ----------------------------------------------------------------------------------

TEST(Timeouts, AreEnabledWhereTheirChannelIsEmpty) {
  Walk walk("channel c[1]; proc p { do :: c?timeout :: c?m od } proc q { c!m }");
  EXPECT_EQ(walk.options(), (Texts{"q c!m", "p c?timeout"}));
  walk.step("q c!m");
  EXPECT_EQ(walk.options(), Texts{"p c?m"});
}

TEST(Timeouts, ThatOnlyResolveLocksWaitForTheWholeSystem) {
  Walk walk(
      "channel c[1], d[1]; proc p { do :: c?timeout :: c?m od } proc q { d!m } proc r { d?m }",
      {.timeouts = TimeoutPolicy::lock});
  EXPECT_EQ(walk.options(), Texts{"q d!m"});
  walk.step("q d!m");
  EXPECT_EQ(walk.options(), Texts{"r d?m"});
  walk.step("r d?m");
  EXPECT_EQ(walk.options(), Texts{"p c?timeout"});
}

TEST(Timeouts, ThatOnlyResolveLocksAreAllEnabledWhereNothingElseIs) {
  Walk walk("channel c[1], d[1]; proc p { do :: c?timeout od } proc q { do :: d?timeout od }",
            {.timeouts = TimeoutPolicy::lock});
  EXPECT_EQ(walk.options(), (Texts{"p c?timeout", "q d?timeout"}));
}

TEST(Timeouts, ThatOnlyResolveLocksWaitForAFailureToo) {
  Walk walk("channel c[1]; proc p { c?timeout } proc q { assert(0) }",
            {.timeouts = TimeoutPolicy::lock});
  EXPECT_EQ(walk.options(), Texts{"q assert(0) fails: assertion"});
}

// ---- failures ----------------------------------------------------------------------------------

TEST(Failures, OfAnAssertStatementHaveNoSuccessor) {
  Walk walk("proc p var x; { do :: assert(x < 2) :: x++ od }");
  EXPECT_EQ(walk.options(), (Texts{"p assert(x < 2)", "p x = x + 1"}));
  walk.step("p x = x + 1").step("p x = x + 1");
  EXPECT_EQ(walk.options(), (Texts{"p x = x + 1", "p assert(x < 2) fails: assertion"}));
  EXPECT_EQ(walk.failures(), 1u);
}

TEST(Failures, ByDivisionHappenWhereverAnExpressionMayStand) {
  Walk walk(
      "channel c[1]; proc p var x; { if :: (1 / x) :: x = 1 % x :: c!m(1 / x) :: assert(1 / x) :: "
      "(x != 0 && 1 / x) fi }\n"
      "proc q { c?m(_) }");
  EXPECT_EQ(
      walk.options(),
      (Texts{"p (1 / x) fails: division_by_zero", "p x = 1 % x fails: division_by_zero",
             "p c!m(1 / x) fails: division_by_zero", "p assert(1 / x) fails: division_by_zero"}));
  EXPECT_EQ(walk.failures(), 4u);
}

TEST(Failures, ByDivisionDoNotHappenWhereASendMustWait) {
  Walk walk("channel c[1] = { m(1) }; proc p var x; { c!m(1 / x) } proc q { c?m(_) }");
  EXPECT_EQ(walk.options(), Texts{"q c?m(_)"});
}

TEST(Failures, ByIndexHappenOnceForEveryUse) {
  Walk walk(
      "channel c[0..2][1]; proc p var x = 3; { if :: c[x]!m :: c[x - 4]?timeout :: (len(c[x])) :: "
      "x = full(c[x + 1]) fi }");
  EXPECT_EQ(walk.options(),
            (Texts{"p c[x]!m fails: index_out_of_range", "p (len(c[x])) fails: index_out_of_range",
                   "p x = full(c[x + 1]) fails: index_out_of_range",
                   "p c[x - 4]?timeout fails: index_out_of_range"}));
}

TEST(Failures, ByIndexDoNotHappenInsideTheFamily) {
  Walk walk("channel c[0..2][1]; proc p var x = 2; { if :: c[x]!m :: (len(c[x]) == 0) fi }");
  EXPECT_EQ(walk.options(), (Texts{"p c[x]!m", "p (len(c[x]) == 0)"}));
  walk.step("p c[x]!m");
  EXPECT_EQ(walk.channel("c[2]"), "m");
}

TEST(Failures, OfSeveralAssertionsByOneFiringAreOneTransition) {
  Walk walk(
      "channel c[2]; proc p { c!m; c!m } proc q { c?m; c?m }\n"
      "assert one { c!m } assert two { c!m; c?m } assert three { c!m; c!m }");
  walk.step("p c!m");
  EXPECT_EQ(walk.options(), (Texts{"q c?m", "p c!m fails: assertion", "p c!m fails: assertion"}));
  EXPECT_EQ(walk.failures(), 1u);
}

TEST(Failures, AreNoDeadlock) {
  Walk walk("proc p { assert(0) }");
  EXPECT_EQ(walk.complaints(), Texts{});
}

// ---- batches -----------------------------------------------------------------------------------

TEST(Batches, KeepTheSuccessorsAndFailuresOfEachStateTogether) {
  Walk walk("proc p var x; { do :: x = (x + 1) % 3 :: (x == 1) :: assert(x != 2) od }");
  StateBatch batch{walk.program().layout.words, {}};
  for (int i = 0; i < 3; ++i) {
    batch.push_back(walk.state()[0]);
    walk.step("p x = (x + 1) % 3");
  }
  Interpreter interpreter(walk.program());
  SuccessorBatch successors;
  std::vector<Finding> findings;
  interpreter.expand(batch, successors, findings);
  EXPECT_EQ(successors.first, (Buffer<std::uint32_t>{0, 2, 5, 6}));
  EXPECT_EQ(successors.failed, (Buffer<std::uint32_t>{0, 0, 1}));
  EXPECT_EQ(successors.size(), 6u);
  EXPECT_EQ(successors.states.size(), 6u);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].source, 2u);
  // A second batch replaces the first.
  batch.words.resize(batch.width);
  interpreter.expand(batch, successors, findings);
  EXPECT_EQ(successors.first, (Buffer<std::uint32_t>{0, 2}));
}

// ---- wrong ranges ------------------------------------------------------------------------------

TEST(WrongRanges, OfAVariableThrowBeforeTheNeighbourIsTouched) {
  Walk walk("proc p var x; { x = 1; x = 2; x = 3 }");
  walk.program().layout.variables[0].maximum = 2;
  walk.step("p x = 1").step("p x = 2");
  EXPECT_THROW(walk.options(), InternalFault);
}

TEST(WrongRanges, OfAMessageThrowToo) {
  Walk walk("channel c[1]; proc p var x; { x = 3; c!m(x) } proc q { c?m(_) }");
  walk.step("p x = 3");
  walk.program().layout.channels[0].tags[0][0].minimum = 4;
  try {
    walk.options();
    FAIL() << "nothing was thrown";
  } catch (const InternalFault& fault) {
    EXPECT_STREQ(fault.what(),
                 "a message to c got the value 3, which its inferred range does not hold");
  }
}

// ---- complaints about states -------------------------------------------------------------------

TEST(Deadlocks, AreStatesInWhichNothingMovesAndSomeMayNotStop) {
  Walk walk("channel c[1]; proc p { c?m } proc q { skip }");
  EXPECT_EQ(walk.complaints(), Texts{"deadlock"});
}

TEST(Deadlocks, AreNoneAtTheEndOrAtLabelsThatBeginWithEnd) {
  EXPECT_EQ(Walk("channel c[1]; proc p { skip } proc q { end_idle: c?m }").complaints(), Texts{});
  EXPECT_EQ(Walk("channel c[1]; proc p { skip } proc q { ending: c?m }").complaints(), Texts{});
  EXPECT_EQ(Walk("channel c[1]; proc p { (0) } proc q { end_idle: c?m }").complaints(),
            Texts{"deadlock"});
  EXPECT_EQ(Walk("channel c[1]; proc q { bend: c?m }").complaints(), Texts{"deadlock"});
}

// q can only receive; r can also send; s reads elsewhere.
const char* const receptions =
    "channel a[1] = { x }, b[1] = { x }, c[1] = { x }, d[1];\n"
    "proc q { do :: a?y :: a?timeout od }\n"
    "proc r { do :: b?y :: d!m od }\n"
    "proc s { d?m; d?m; c?y }\n";

TEST(UnspecifiedReceptions, OfBlockedProcessesAreThoseThatCanDoNothingElse) {
  EXPECT_EQ(Walk(receptions).complaints(ReceptionPolicy::blocked),
            Texts{"unspecified_reception q a x"});
}

TEST(UnspecifiedReceptions, OfReadingProcessesAreThoseOfStatesThatReadTheChannel) {
  EXPECT_EQ(Walk(receptions).complaints(ReceptionPolicy::reading),
            (Texts{"unspecified_reception q a x", "unspecified_reception r b x"}));
}

TEST(UnspecifiedReceptions, OfAnyStateAreThoseOfEveryChannelTheProcessReads) {
  EXPECT_EQ(Walk(receptions).complaints(ReceptionPolicy::any),
            (Texts{"unspecified_reception q a x", "unspecified_reception r b x",
                   "unspecified_reception s c x"}));
}

TEST(UnspecifiedReceptions, AreNoneWhereAnotherChannelCanBeRead) {
  Walk walk(
      "channel a[1] = { x }, b[1] = { y }; proc q { do :: a?y :: b?y od } proc r { a!y; b!x }");
  EXPECT_EQ(walk.complaints(), Texts{});
  EXPECT_EQ(walk.complaints(ReceptionPolicy::reading), Texts{"unspecified_reception q a x"});
}

TEST(UnspecifiedReceptions, AreNoneOfProcessesThatHaveEnded) {
  Walk walk("channel a[1] = { x }; proc q { if :: skip :: a?y fi }");
  EXPECT_EQ(walk.complaints(ReceptionPolicy::any), Texts{"unspecified_reception q a x"});
  walk.step("q skip");
  EXPECT_EQ(walk.complaints(ReceptionPolicy::any), Texts{"unread_messages a"});
}

TEST(UnspecifiedReceptions, AreNoneWhereDefaultTakesTheMessage) {
  EXPECT_EQ(Walk("channel a[1] = { x }; proc q { do :: a?y :: a?default od }")
                .complaints(ReceptionPolicy::any),
            Texts{});
}

TEST(UnspecifiedReceptions, LookAtTheMemberThatIsReadOnly) {
  const std::string family =
      "channel c[0..1][1] = { x }; proc q var i = 1; { do :: c[i]?y :: c[0]?x :: (i == 2) od }\n";
  EXPECT_EQ(Walk(family).complaints(ReceptionPolicy::reading),
            Texts{"unspecified_reception q c[1] x"});
}

TEST(UnspecifiedReceptions, MayAlsoBeADeadlock) {
  EXPECT_EQ(Walk("channel a[1] = { x }; proc q { a?y }").complaints(),
            (Texts{"unspecified_reception q a x", "deadlock"}));
}

TEST(Ends, LeaveNoMessagesUnread) {
  Walk walk("channel a[1], b[2]; sink s; proc p { b!m; b!m; s!m }");
  walk.step("p b!m").step("p b!m");
  EXPECT_EQ(walk.complaints(), Texts{});
  walk.step("p s!m");
  EXPECT_EQ(walk.complaints(), Texts{"unread_messages b"});
}

TEST(Ends, CompleteEveryAssertion) {
  Walk walk(
      "channel a[2]; proc p { a!m; if :: a!n :: skip fi } proc q { end: do :: a?m :: a?n od }\n"
      "assert both { a!m; a!n } assert first { a!m }");
  walk.step("p a!m").step("p skip").step("q a?m");
  EXPECT_EQ(walk.complaints(), Texts{});  // q may stop, but it is not at its end
  Walk ends(
      "channel a[2]; proc p { a!m; if :: a!n :: skip fi }\n"
      "assert both { a!m; a!n } assert first { a!m }");
  ends.step("p a!m").step("p skip");
  EXPECT_EQ(ends.complaints(), (Texts{"unread_messages a", "assertion both"}));
}

}  // namespace
}  // namespace panoptes
