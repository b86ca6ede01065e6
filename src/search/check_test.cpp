// SPDX-License-Identifier: Apache-2.0
// From a model to a verdict: what is claimed, what is found, and how it is reached.
#include "search/check.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "support/model.hpp"
#include "support/sample.hpp"

namespace panoptes {
namespace {

using test::compile;
using test::Compiled;
using test::model_names;
using test::model_text;

using Texts = std::vector<std::string>;

constexpr test::Setup plain{.minimise = false};
constexpr test::Setup plain_lock{.minimise = false, .timeouts = TimeoutPolicy::lock};

// "2416 states, 6864 transitions: holds"
std::string summary(const std::string& text, const test::Setup& setup, Order order) {
  CheckOptions options;
  options.search = ExhaustiveSearch{.order = order};
  const Verdict verdict = test::check(compile(text, setup), options);
  return fmt::format("{} states, {} transitions: {}", verdict.states, verdict.transitions,
                     to_string(verdict.outcome));
}

// Every error as "kind process state message", with what its trail takes.
Texts errors_of(const std::vector<ErrorReport>& reports, const Program& program) {
  Texts texts;
  for (const ErrorReport& error : reports) {
    const ErrorDescription& d = error.description;
    texts.push_back(fmt::format("{} {} {} {}: {} events, {} steps, {} times", to_string(d.kind),
                                d.process, d.state, d.message, error.trail.event_count(program),
                                error.trail.steps.size(), error.count));
  }
  return texts;
}

Texts errors_of(const Compiled& compiled, const CheckOptions& options = {}) {
  return errors_of(test::check(compiled, options).errors, compiled.program);
}

// ---- counts ------------------------------------------------------------------------------------

TEST(Verdicts, HaveThePapersCountsInBothOrders) {
  const std::string abp = model_text("alternating_bit"), link = model_text("alternating_bit_link");
  for (const Order order : {Order::breadth, Order::depth}) {
    EXPECT_EQ(summary(abp, plain, order), "56 states, 72 transitions: holds");
    EXPECT_EQ(summary(abp, plain_lock, order), "8 states, 8 transitions: holds");
    EXPECT_EQ(summary(link, plain, order), "2416 states, 6864 transitions: holds");
    EXPECT_EQ(summary(link, plain_lock, order), "88 states, 146 transitions: holds");
    EXPECT_EQ(summary(link, {}, order), "2320 states, 6628 transitions: holds");
    EXPECT_EQ(summary(link, {.timeouts = TimeoutPolicy::lock}, order),
              "86 states, 144 transitions: holds");
  }
}

// ---- errors ------------------------------------------------------------------------------------

TEST(Errors, OfThePapersAssertionsTakeThreeSevenAndFourteenEvents) {
  const auto events = [](const std::string& assertion) {
    const Compiled compiled =
        compile(model_text("alternating_bit_link", "#define " + assertion + "\n"), plain_lock);
    const Verdict verdict = test::check(compiled);
    for (const ErrorReport& error : verdict.errors) {
      EXPECT_EQ(error.description.kind, ErrorKind::assertion);
      EXPECT_TRUE(error.is_shortest);
    }
    return verdict.errors.empty() ? 0 : verdict.errors[0].trail.event_count(compiled.program);
  };
  EXPECT_EQ(events("A1"), 3u);
  EXPECT_EQ(events("A2"), 7u);
  EXPECT_EQ(events("A3"), 14u);
  EXPECT_EQ(events("A4"), 0u);
}

TEST(Errors, AreGroupedByWhatIsWrong) {
  // The deadlock has two tuples of control states; the assertion is violated in 3 states.
  const Compiled compiled = compile(
      "channel c[1];\n"
      "proc p { if :: goto L :: goto M fi; L: c?never; M: c?never }\n"
      "proc q var x; { do :: (x < 3) -> x++ :: (x == 3) -> break od; do :: assert(0) od }",
      plain);
  EXPECT_EQ(errors_of(compiled).size(), 1u);
  const Compiled stuck = compile(
      "channel c[1];\n"
      "proc p var x; { if :: x = 1 :: x = 2 fi; if :: goto L :: goto M fi; L: c?never; M: c?never "
      "}",
      plain);
  EXPECT_EQ(errors_of(stuck), (Texts{"deadlock  L : 0 events, 2 steps, 2 times",
                                     "deadlock  M : 0 events, 2 steps, 2 times"}));
}

TEST(Errors, OfADeadlockNameTheReceptionThatCausesThem) {
  const Compiled compiled = compile(
      "queue A = { };\n"
      "queue B = { };\n"
      "process A { if :: A?m1 -> B!m2 :: A?m1 -> B!m3 fi }\n"
      "process B { A!m1; B?m3 }\n",
      plain);
  const Verdict verdict = test::check(compiled);
  EXPECT_EQ(errors_of(verdict.errors, compiled.program),
            (Texts{"unspecified_reception B 4:19 B?m2: 2 events, 3 steps, 1 times",
                   "deadlock  end,4:19 : 2 events, 3 steps, 1 times"}));
  EXPECT_EQ(verdict.errors[0].cause, "");
  EXPECT_EQ(verdict.errors[1].cause, "B at 4:19 cannot receive B?m2");
}

// Behind the reception there is a failing assertion, and beside it one that takes longer.
TEST(Errors, HaveNothingBehindThemWhereOnlySoundStatesAreExpanded) {
  const Compiled compiled = compile(
      "channel c[1];\n"
      "proc p { c!bad; assert(0) }\n"
      "proc q var x; { x = 1; x = 2; x = 3; assert(0) }\n"
      "proc r { c?good }\n",
      plain);
  const Verdict all = test::check(compiled);
  EXPECT_EQ(errors_of(all.errors, compiled.program),
            (Texts{"unspecified_reception r 4:10 c?bad: 1 events, 1 steps, 4 times",
                   "assertion p 2:17 : 1 events, 2 steps, 4 times",
                   "assertion q 3:38 : 0 events, 4 steps, 2 times"}));
  EXPECT_EQ(all.unexpanded, 0u);
  for (const Order order : {Order::breadth, Order::depth, Order::scatter}) {
    CheckOptions options;
    options.search = ExhaustiveSearch{.order = order};
    options.explore.expands_faulty = false;
    const Verdict sound = test::check(compiled, options);
    EXPECT_EQ(sound.errors.size(), 2u);
    EXPECT_EQ(sound.states, 8u);
    EXPECT_EQ(sound.unexpanded, 4u);
    EXPECT_EQ(sound.outcome, Outcome::violated);
    EXPECT_EQ(sound.promise, Promise::partial);
    EXPECT_EQ(sound.stop, Stop::unexpanded);
    EXPECT_FALSE(sound.is_dead_code_certain);
    if (order != Order::breadth) continue;
    EXPECT_TRUE(sound.errors[0].is_shortest);
    EXPECT_FALSE(sound.errors[1].is_shortest) << "another one could lie behind the first";
  }
}

TEST(Errors, AreNoneWhereOnlySoundStatesAreExpandedAndAllAreSound) {
  CheckOptions options;
  options.explore.expands_faulty = false;
  for (const std::string name : {"alternating_bit", "flow_control", "two_phase_commit"}) {
    const Compiled compiled = compile(model_text(name));
    const Verdict sound = test::check(compiled, options), all = test::check(compiled);
    EXPECT_EQ(sound.outcome, all.outcome) << name;
    EXPECT_EQ(sound.promise, Promise::exhaustive) << name;
    EXPECT_EQ(sound.states, all.states) << name;
    EXPECT_EQ(sound.transitions, all.transitions) << name;
  }
}

TEST(Errors, OfUnreadMessagesAreWarningsUnlessStrict) {
  const Compiled compiled = compile("channel c[1]; proc p { c!m }");
  const Verdict verdict = test::check(compiled);
  EXPECT_EQ(verdict.outcome, Outcome::holds);
  EXPECT_EQ(verdict.errors.size(), 0u);
  EXPECT_EQ(errors_of(verdict.warnings, compiled.program),
            Texts{"unread_messages   c: 1 events, 1 steps, 1 times"});
  EXPECT_TRUE(verdict.warnings[0].is_warning);
  CheckOptions strict;
  strict.strict = true;
  const Verdict violated = test::check(compiled, strict);
  EXPECT_EQ(violated.outcome, Outcome::violated);
  EXPECT_EQ(violated.warnings.size(), 0u);
  EXPECT_FALSE(violated.errors.at(0).is_warning);
}

TEST(Errors, OfEveryKindAreFound) {
  const Compiled compiled = compile(model_text("mistakes"), {.overflow = OverflowPolicy::error});
  std::set<ErrorKind> kinds;
  for (const ErrorReport& error : test::check(compiled).errors)
    kinds.insert(error.description.kind);
  EXPECT_EQ(kinds,
            (std::set<ErrorKind>{ErrorKind::assertion, ErrorKind::overflow,
                                 ErrorKind::division_by_zero, ErrorKind::index_out_of_range}));
}

// Depth first finds the same groups as often, by longer ways.
TEST(Errors, AreTheSameInBothOrdersButForTheirTrails) {
  for (const char* name : {"exchange", "lost_message", "setup_handshake", "mistakes"}) {
    const Compiled compiled = compile(model_text(name), plain);
    CheckOptions options;
    const Verdict breadth = test::check(compiled, options);
    options.search = ExhaustiveSearch{.order = Order::depth};
    const Verdict depth = test::check(compiled, options);
    std::multiset<std::pair<std::string, std::uint64_t>> expected, found;
    for (const ErrorReport& e : breadth.errors) expected.emplace(e.description.text, e.count);
    for (const ErrorReport& e : depth.errors) {
      found.emplace(e.description.text, e.count);
      EXPECT_FALSE(e.is_shortest);
    }
    EXPECT_EQ(found, expected) << name;
  }
}

TEST(Errors, InTheInitialStateHaveAnEmptyTrail) {
  EXPECT_EQ(errors_of(compile("channel c[1]; proc p { c?m }")),
            Texts{"deadlock  1:24 : 0 events, 0 steps, 1 times"});
}

// ---- threads -----------------------------------------------------------------------------------

// What a verdict says, but for the order of its errors and which of the shortest trails it shows.
// Steps are those of the search: of sequences that are one step to it, equally short trails may
// have more steps or fewer.
Texts substance_of(const Verdict& verdict) {
  Texts texts;
  for (const auto* reports : {&verdict.errors, &verdict.warnings})
    for (const ErrorReport& error : *reports) {
      const ErrorDescription& d = error.description;
      texts.push_back(fmt::format(
          "{} {} {} {} {}: {} steps, {} times", to_string(d.kind), d.process, d.state, d.message,
          d.statement, error.depth + (error.trail.ends_in_failure ? 1 : 0), error.count));
    }
  std::sort(texts.begin(), texts.end());
  texts.push_back(fmt::format("{} states, {} transitions, depth {}, {} dead: {}", verdict.states,
                              verdict.transitions, verdict.depth, verdict.dead_code.size(),
                              to_string(verdict.outcome)));
  return texts;
}

TEST(Verdicts, AreTheSameForAnyNumberOfThreads) {
  const std::vector<std::string> names = test::sample_of(model_names());
  ASSERT_FALSE(names.empty());
  for (const std::string& name : names) {
    const Compiled compiled = compile(model_text(name));
    CheckOptions options;
    const Texts alone = substance_of(test::check(compiled, options));
    for (const unsigned threads : {2u, 4u}) {
      options.threads = threads;
      EXPECT_EQ(substance_of(test::check(compiled, options)), alone)
          << name << " with " << threads << " threads";
    }
  }
}

// ---- claims ------------------------------------------------------------------------------------

TEST(Claims, OfACompleteSearchAreProofs) {
  const Verdict verdict = test::check(compile(model_text("alternating_bit")));
  EXPECT_EQ(verdict.promise, Promise::exhaustive);
  EXPECT_EQ(verdict.stop, Stop::finished);
  EXPECT_EQ(verdict.outcome, Outcome::holds);
}

TEST(Claims, OfAPartialSearchWithoutErrorsAreNone) {
  CheckOptions options;
  options.limits.depth = 3;
  const Verdict verdict = test::check(compile(model_text("alternating_bit")), options);
  EXPECT_EQ(verdict.promise, Promise::partial);
  EXPECT_EQ(verdict.outcome, Outcome::unknown);
  EXPECT_EQ(verdict.depth, 3u);
}

TEST(Claims, OfAPartialSearchWithErrorsAreTheErrors) {
  CheckOptions options;
  options.limits.depth = 5;
  const Compiled compiled = compile(model_text("alternating_bit_link", "#define A1\n"), plain_lock);
  const Verdict verdict = test::check(compiled, options);
  EXPECT_EQ(verdict.promise, Promise::partial);
  EXPECT_EQ(verdict.outcome, Outcome::violated);
}

TEST(Claims, AreNoneWhereAnInterruptCameBeforeTheFirstState) {
  const std::atomic<bool> interrupted = true;
  for (const Order order : {Order::breadth, Order::depth}) {
    CheckOptions options;
    options.search = ExhaustiveSearch{.order = order};
    options.interrupted = &interrupted;
    const Verdict verdict = test::check(compile(model_text("alternating_bit")), options);
    EXPECT_EQ(verdict.stop, Stop::interrupted);
    EXPECT_EQ(verdict.outcome, Outcome::unknown);
  }
}

// ---- dead code ---------------------------------------------------------------------------------

Texts dead_code(const Compiled& compiled, const CheckOptions& options = {}) {
  Texts texts;
  for (const DeadStatement& dead : test::check(compiled, options).dead_code) {
    const StatementInfo& info = compiled.program.protocol.statements[dead.statement];
    std::string text = info.owner + ": " + info.text;
    for (const StatementId other : dead.merged_with)
      text +=
          " with line " +
          std::to_string(
              compiled.sources.line_column(compiled.program.protocol.statements[other].place).line);
    texts.push_back(text);
  }
  return texts;
}

TEST(DeadCode, IsEveryStatementNoStateCanExecute) {
  const std::string text =
      "channel c[1];\n"
      "proc p var x; { c!m; if :: (x == 1) -> c!n :: (x == 0) fi; c!m }\n"
      "proc q { do :: c?m :: c?n :: c?default od }\n";
  EXPECT_EQ(dead_code(compile(text, plain)),
            (Texts{"p: (x == 1)", "p: c!n", "q: c?n", "q: c?default"}));
}

TEST(DeadCode, CountsAStatementThatFiresIntoAnErrorAsExecuted) {
  EXPECT_EQ(dead_code(compile("proc p { if :: assert(0) :: (0) fi }")), Texts{"p: (0)"});
}

TEST(DeadCode, IsPerStatementOfTheSourceWhateverMinimisationMerged) {
  const std::string text =
      "channel c[1], d[1];\n"
      "proc p { if\n"
      ":: c?one -> d!a\n"
      ":: c?two -> d!a\n"
      "fi }\n"
      "proc q { if :: skip :: (0) -> c!one -> c!two fi }\n";
  EXPECT_EQ(dead_code(compile(text)),
            (Texts{"p: c?one", "p: d!a with line 4", "p: c?two", "p: d!a with line 3", "q: (0)",
                   "q: c!one", "q: c!two"}));
}

TEST(DeadCode, OfAProcedureOrAFamilyIsDeadInAllCopies) {
  const std::string text =
      "channel c[0..1][1];\n"
      "procedure send(i) { if :: (i == 0) -> c[0]!m :: (i == 1) -> c[1]!m :: (i > 1) fi }\n"
      "proc p { send(0); send(1) }\n"
      "proc q[i : 0..1] { if :: c[i]?m :: (i == 1) -> c[i]?m fi }\n";
  EXPECT_EQ(dead_code(compile(text)), Texts{"send: (i > 1)"});
}

// ---- samples -----------------------------------------------------------------------------------

TEST(Samples, AreFewAndOfTheWholeSearch) {
  double now = 0.0;
  CheckOptions options;
  options.clock = [&] { return now += 2e-3; };  // each time somebody looks
  const Verdict verdict =
      test::check(compile("proc p[i : 0..3] var x : 0..15; { do :: x +% 16 od }"), options);
  ASSERT_EQ(verdict.states, 65'536u);
  ASSERT_GE(verdict.samples.size(), SampleLog::most / 4);
  EXPECT_LE(verdict.samples.size(), SampleLog::most);
  EXPECT_GT(verdict.samples.back().seconds, 0.9 * verdict.seconds);
  for (std::size_t i = 1; i < verdict.samples.size(); ++i) {
    EXPECT_GT(verdict.samples[i].seconds, verdict.samples[i - 1].seconds);
    EXPECT_GE(verdict.samples[i].states, verdict.samples[i - 1].states);
  }
  EXPECT_LE(verdict.samples.back().states, verdict.states);
  EXPECT_GT(verdict.samples.back().memory_bytes, 0u);
}

TEST(Samples, OfSeveralRunsFollowEachOther) {
  double now = 0.0;
  CheckOptions options;
  options.clock = [&] { return now += 1e-3; };
  options.search = ExhaustiveSearch{.storage = BitArena{.bytes = 1 << 12}, .course = Runs{3}};
  const Verdict verdict =
      test::check(compile("proc p[i : 0..3] var x : 0..15; { do :: x +% 16 od }"), options);
  ASSERT_EQ(verdict.runs, 3u);
  EXPECT_LE(verdict.samples.size(), SampleLog::most);
  std::size_t beginnings = 1;
  for (std::size_t i = 1; i < verdict.samples.size(); ++i) {
    EXPECT_GT(verdict.samples[i].seconds, verdict.samples[i - 1].seconds);
    beginnings += verdict.samples[i].states < verdict.samples[i - 1].states ? 1 : 0;
  }
  EXPECT_EQ(beginnings, 3u);
}

}  // namespace
}  // namespace panoptes
