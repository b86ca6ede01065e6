// SPDX-License-Identifier: Apache-2.0
#include "report/text.hpp"

#include <gtest/gtest.h>

#include "load/load.hpp"
#include "protocol/line_faults.hpp"
#include "report/state_text.hpp"
#include "support/model.hpp"
#include "verdict/make_reports.hpp"

namespace panoptes {
namespace {

// A report with the numbers that differ from run to run set to round ones.
std::string report(const std::string& text, const CheckOptions& options = {},
                   bool show_steps = false, const test::Setup& setup = {}, double seconds = 0.5) {
  const test::Compiled compiled = test::compile(text, setup);
  Verdict verdict = test::check(compiled, options);
  verdict.seconds = verdict.processor_seconds = seconds;
  verdict.first_error_seconds = 0.25;
  RunFacts facts;
  facts.model = "m";
  facts.memory_bytes = verdict.states * 100;
  facts.show_steps = show_steps;
  return collected([&](const Sink& sink) {
    return text_report(compiled.program, verdict, compiled.sources, facts, sink);
  });
}

TEST(TextReport, OfAProtocolThatHolds) {
  EXPECT_EQ(report(test::model_text("alternating_bit"), {}, false, {.minimise = false}),
            "m: holds: no deadlock, no unspecified reception, no violated assertion\n"
            "promise: exhaustive\n"
            "56 states, 72 transitions, depth 16, 9 bits a state\n"
            "0.500 s elapsed, 0.500 s of processor time, 112 states in a second of it, 5.6 KB of "
            "memory\n");
}

const char* const exchange =
    "queue A = { };\n"
    "queue B = { };\n"
    "process A { if :: A?m1 -> B!m2 :: A?m1 -> B!m3 fi }\n"
    "process B { A!m1; B?m3 }\n";

// Both options of p are one behind their first statement, but the trail tells which was taken.
TEST(TextReport, ShowsWhereProcessesAreOnTheTrailWhereStatesAreMerged) {
  const std::string text = report(
      "channel a[2], b[1];\n"
      "proc p {\n"
      "  if\n"
      "  :: a!x; b?ok; b?done\n"
      "  :: a!y; b?ok; b?done\n"
      "  fi\n"
      "}\n"
      "proc q { if :: a?x -> b!ok; b!done :: a?y -> b!ok fi }\n",
      {}, true);
  EXPECT_EQ(
      text,
      "deadlock: no process can move\n"
      "  p at 5:17, waits for b?done\n"
      "  q at end\n"
      "  (where a process may rest for ever, put a label that begins with `end`)\n"
      "  2 events, 4 steps; seen 1 time\n"
      "\n"
      "  queue:  a   b\n"
      "  event:\n"
      "       1  y,\n"
      "       2      ok,\n"
      "\n"
      "       1  p  line 5  a!y   -> 5:11\n"
      "       2  q  line 8  a?y   -> 8:46\n"
      "       3  q  line 8  b!ok  -> end\n"
      "       4  p  line 5  b?ok  -> 5:17\n"
      "\n"
      "m: violated: 1 error, no others\n"
      "promise: exhaustive\n"
      "11 states, 10 transitions, depth 6, 11 bits a state\n"
      "0.500 s elapsed, 0.500 s of processor time, 22 states in a second of it, 1.1 KB of memory\n"
      "first error after 9 states, 0.250 s\n");
}

TEST(TextReport, OfErrorsShowsCausePositionsContentsAndMessages) {
  EXPECT_EQ(
      report(exchange),
      "   kind                   process  state  message  events  steps  seen\n"
      "1  unspecified_reception  B        4:19   ?m2           2      3     1\n"
      "2  deadlock                        B 4:19               2      3     1\n"
      "\n"
      "1. unspecified_reception: process B at 4:19 cannot receive B?m2, which is first in its "
      "channel\n"
      "  A at end\n"
      "  B at 4:19\n"
      "  in channels: B: m2\n"
      "  2 events, 3 steps; seen 1 time\n"
      "\n"
      "  queue:  A    B\n"
      "  event:\n"
      "       1  m1,\n"
      "       2       [m2],\n"
      "\n"
      "2. deadlock: no process can move\n"
      "  because B at 4:19 cannot receive B?m2\n"
      "  A at end\n"
      "  B at 4:19, waits for B?m3\n"
      "  in channels: B: m2\n"
      "  2 events, 3 steps; seen 1 time\n"
      "\n"
      "  queue:  A    B\n"
      "  event:\n"
      "       1  m1,\n"
      "       2       [m2],\n"
      "\n"
      "m: violated: 2 errors, no others\n"
      "promise: exhaustive\n"
      "7 states, 6 transitions, depth 4, 10 bits a state\n"
      "0.500 s elapsed, 0.500 s of processor time, 14 states in a second of it, 700 bytes of "
      "memory\n"
      "first error after 6 states, 0.250 s\n");
}

// By number, by a word, or the table alone; without the others, but for what is said of all.
TEST(TextReport, ShowsTheErrorsThatAreAskedFor) {
  const test::Compiled compiled = test::compile(exchange);
  const Verdict verdict = test::check(compiled);
  const auto shown = [&](const ErrorRequest& request) {
    RunFacts facts;
    facts.model = "m";
    facts.request = request;
    const std::string text = collected([&](const Sink& sink) {
      return text_report(compiled.program, verdict, compiled.sources, facts, sink);
    });
    return text.substr(0, text.find("m: violated: 2 errors, no others\n"));
  };
  const std::string second =
      "2. deadlock: no process can move\n"
      "  because B at 4:19 cannot receive B?m2\n"
      "  A at end\n"
      "  B at 4:19, waits for B?m3\n"
      "  in channels: B: m2\n"
      "  2 events, 3 steps; seen 1 time\n"
      "\n"
      "  queue:  A    B\n"
      "  event:\n"
      "       1  m1,\n"
      "       2       [m2],\n"
      "\n";
  EXPECT_EQ(shown({.show = {{2, 2}}}), second);
  EXPECT_EQ(shown({.only = {"deadlock"}}),
            "1 of 2, those with `deadlock`:\n"
            "   kind      state   events  steps  seen\n"
            "2  deadlock  B 4:19       2      3     1\n"
            "\n" +
                second);
  EXPECT_EQ(shown({.trails = 0}),
            "   kind                   process  state  message  events  steps  seen\n"
            "1  unspecified_reception  B        4:19   ?m2           2      3     1\n"
            "2  deadlock                        B 4:19               2      3     1\n"
            "\n"
            "trails are left out (--show N has that of error N, --trails all has all)\n"
            "\n");
  // What is asked for by its number is there, with or without its trail.
  EXPECT_EQ(shown({.show = {{2, 2}}, .trails = 0}),
            second.substr(0, second.find("\n  queue:")) +
                "\ntrails are left out (--trails all has all)\n\n");
  EXPECT_EQ(shown({.show = {{1, 1}}, .only = {"deadlock"}}),
            "--show 1 --only deadlock: none of these errors has that\n\n");
  EXPECT_EQ(shown({.show = {{3, 3}}}),
            "--show 3: there is no such error; they are numbered 1 to 2\n\n");
}

// Whoever reads it knows that there is more, and what the lines of this run did.
TEST(TextReport, SaysWhatColumnsDoNotShowAndWhatLinesDo) {
  const std::string model =
      "channel c[1], d[1] lossy; proc p var x; { c!m; x = 1; assert(x == 0) }";
  const auto lines = [&](const std::string& faults) {
    ModelRequest request;
    request.faults = faults;
    const Loaded loaded =
        load("m", request, [&](const std::string&) { return std::optional(model); });
    return lines_in_words(loaded.program->protocol);
  };
  EXPECT_NE(report(model).find("       1  [m],\n"
                               "  an internal step is not shown (--steps lists it, --chart text "
                               "draws more)\n\n"),
            std::string::npos);
  EXPECT_EQ(report(model, {}, true).find("not shown"), std::string::npos);
  EXPECT_EQ(report(model).find("\nlines: "), std::string::npos);
  EXPECT_EQ(lines("none"), "all perfect");
  EXPECT_EQ(lines("lossy:c"), "c lossy, d lossy");
  EXPECT_EQ(lines("none,lossy:c,reordering:c"), "c lossy reordering, the others perfect");
}

TEST(TextReport, ShowsStepsWhereAsked) {
  const std::string text = "channel c[1]; proc p { c!m; assert(0) }";
  const std::string events = "  queue:  c\n  event:\n       1  [m],\n\n";
  const std::string steps =
      "       1  p  line 1  c!m        -> 1:29\n"
      "       2  p  line 1  assert(0)  fails\n\n";
  const std::string head =
      "assertion: process p at 1:29: assert(0) does not hold\n"
      "  p at 1:29\n"
      "  in channels: c: m\n"
      "  1 event, 2 steps; seen 1 time\n\n";
  EXPECT_EQ(report(text, {}, true).find(head + events + steps), 0u) << report(text, {}, true);
  EXPECT_EQ(report(text).find(head + events + "m: violated"), 0u) << report(text);
}

// What one wants to know of a failed assertion: its values, and where the others were.
TEST(TextReport, OfAFailedAssertionHasItsValuesAndWhereEverybodyIs) {
  const std::string text = report(
      "channel c[1];\n"
      "proc a { sending: c!m(3); c!m(4); asleep: c!m(5) }\n"
      "proc b var what, expected = 3; { c?m(what); expected = 9; c?m(what);\n"
      "  assert(what == expected) }\n");
  EXPECT_TRUE(text.starts_with(
      "assertion: process b at 4:3: assert(what == expected) does not hold, where what = 4, "
      "expected = 9\n"
      "  a at asleep\n"
      "  b at 4:3\n"
      "  2 events, 6 steps;"))
      << text;
}

TEST(TextReport, ShowsStepsInsteadOfMessagesWhereThereAreNone) {
  EXPECT_EQ(report("proc p { assert(0) }"),
            "assertion: process p at 1:10: assert(0) does not hold\n"
            "  p at 1:10\n"
            "  0 events, 1 step; seen 1 time\n"
            "\n"
            "       1  p  line 1  assert(0)  fails\n"
            "\n"
            "m: violated: 1 error, no others but perhaps behind the steps that failed\n"
            "promise: exhaustive\n"
            "1 state, 1 transition, depth 0, 1 bit a state\n"
            "0.500 s elapsed, 0.500 s of processor time, 2 states in a second of it, 100 bytes of "
            "memory\n"
            "first error after 1 state, 0.250 s\n");
}

TEST(TextReport, OfADeadlockSaysWhatEverybodyWaitsForAndThatTheyMayRest) {
  const std::string idle =
      "channel c[1], d[1];\n"
      "proc p { c?a }\n"
      "proc q { if :: d?b :: d?e :: d?f :: d?g :: d?h fi }\n";
  EXPECT_EQ(report(idle).find("deadlock: no process can move\n"
                              "  p at 2:10, waits for c?a\n"
                              "  q at 3:10, waits for d?b or d?e or d?f or d?g or ...\n"
                              "  (where a process may rest for ever, put a label that begins with "
                              "`end`)\n"
                              "  0 events, 0 steps; seen 1 time\n"
                              "\n"),
            0u)
      << report(idle);
  // A test that never comes true is no rest.
  EXPECT_EQ(report("proc p var x; { (x == 1) }").find("may rest"), std::string::npos);
}

// Long conditions say less than what they stand before, and lines are no wider than was asked for.
TEST(TextReport, OfADeadlockFoldsWhatEverybodyWaitsFor) {
  const test::Compiled compiled = test::compile(
      "channel c[1], d[1], e[1];\n"
      "var a_rather_long_name_indeed : 0..3;\n"
      "proc p { if :: when (a_rather_long_name_indeed == 1) c?timeout\n"
      "            :: when (a_rather_long_name_indeed == 2) c?timeout\n"
      "            :: when (a_rather_long_name_indeed == 3) c?x(_, _)\n"
      "            :: c?first :: c?second fi }\n");
  const Verdict verdict = test::check(compiled);
  ASSERT_EQ(verdict.errors.size(), 1u);
  const auto sentences = [&](std::size_t width) {
    const std::string text =
        error_sentences(compiled.program, verdict.errors[0], compiled.sources, width);
    return text.substr(text.find('\n') + 1, text.find("  (where") - text.find('\n') - 1);
  };
  EXPECT_EQ(sentences(0),
            "  p at 3:10, waits for c?first or c?second or when (…) c?timeout or when (…) "
            "c?x(_, _)\n");
  EXPECT_EQ(sentences(50),
            "  p at 3:10, waits for c?first or c?second or\n"
            "      when (…) c?timeout or when (…) c?x(_, _)\n");
}

// Dead code is not what was asked for.
TEST(TextReport, OfSomeErrorsOnlyCountsDeadCode) {
  const test::Compiled compiled = test::compile(
      "channel c[1]; proc p { if :: c?m; skip :: c?n fi } proc q { (1) -> c!m; c!x }");
  const Verdict verdict = test::check(compiled);
  RunFacts facts;
  facts.model = "m";
  const auto text = [&] {
    return summary_text(compiled.program, verdict, compiled.sources, facts);
  };
  EXPECT_NE(text().find("statements that can never be executed:\n  m:1:43: c?n in p\n\n"),
            std::string::npos)
      << text();
  facts.request.only = {"deadlock"};
  EXPECT_TRUE(text().starts_with("1 statement can never be executed (--stats lists them)\n\nm: "))
      << text();
  facts.show_statistics = true;
  EXPECT_NE(text().find("statements that can never be executed:\n"), std::string::npos);
}

// Mostly each member has its own channel, and is called as that is.
TEST(TextReport, NamesChannelsOfMembersWhereTheyTellSomething) {
  EXPECT_NE(report("channel node[0..1][1] = { token };\nproc node[i : 0..1] { node[i]?nothing }\n")
                .find("  in 2 members: node[0], node[1]\n"),
            std::string::npos);
  EXPECT_NE(report("channel c[0..1][1] = { token };\nproc node[i : 0..1] { c[i]?nothing }\n")
                .find("  in 2 members: node[0], node[1], with channels c[0], c[1]\n"),
            std::string::npos);
}

TEST(TextReport, OfALivelockShowsWhatRepeats) {
  CheckOptions options;
  options.search = ExhaustiveSearch{.storage = WholeGraph{}};
  const std::string text =
      "channel c[1];\n"
      "proc p var x : 0..1; { c!m; do :: x = 1 - x od }\n"
      "proc q { c?m; (0 == 1) }\n";
  EXPECT_EQ(report(text, options),
            "livelock: p can only go on with internal steps for ever\n"
            "  p at 2:29\n"
            "  q at 3:15\n"
            "  1 event, 2 steps; seen 2 times\n"
            "\n"
            "  queue:  c\n"
            "  event:\n"
            "       1  m,\n"
            "\n"
            "  then repeats:\n"
            "       1  p  line 2  x = 1 - x  -> 2:29\n"
            "       2  p  line 2  x = 1 - x  -> 2:29\n"
            "\n"
            "statements that can never be executed:\n"
            "  m:3:15: (0 == 1) in q\n"
            "\n"
            "m: violated: 1 error, no others\n"
            "promise: exhaustive\n"
            "5 states, 7 transitions, depth 3, 6 bits a state\n"
            "0.500 s elapsed, 0.500 s of processor time, 10 states in a second of it, 500 bytes of "
            "memory\n"
            "first error after 5 states, 0.250 s\n");
  options.limits.depth = 2;
  EXPECT_EQ(report(text, options),
            "1 statement not reached so far (--stats lists them)\n"
            "\n"
            "m: unknown: no error in the 4 states seen, which may not be all there are (depth "
            "limit reached)\n"
            "promise: partial\n"
            "livelocks and stuck processes: unknown, since the graph is not complete\n"
            "4 states, 6 transitions, depth 2, 6 bits a state\n"
            "0.500 s elapsed, 0.500 s of processor time, 8 states in a second of it, 400 bytes of "
            "memory\n");
}

TEST(TextReport, OfADepthFirstTrailSaysThatItMayNotBeTheShortest) {
  CheckOptions options;
  options.search = ExhaustiveSearch{.order = Order::depth};
  EXPECT_NE(report(exchange, options)
                .find("\n  perhaps not the shortest: 2 events, 3 steps; seen 1 time"),
            std::string::npos)
      << report(exchange, options);
}

TEST(TextReport, LeavesOutRatesOfSmallSearches) {
  const std::string many = report("proc p[i : 0..3] var x : 0..9; { do :: x +% 10 od }");
  EXPECT_NE(many.find("10,000 states, "), std::string::npos) << many;
  EXPECT_NE(many.find(", 100.0 bytes a state\n"), std::string::npos) << many;
  const std::string short_one = report(exchange, {}, false, {}, 0.009);
  EXPECT_NE(short_one.find("\n0.009 s elapsed, 0.009 s of processor time, 700 bytes of memory\n"),
            std::string::npos)
      << short_one;
}

TEST(TextReport, CallsWarningsWarnings) {
  const std::string shown = report("channel c[1]; proc p { c!m }");
  EXPECT_EQ(shown.find("warning: unread_messages: all processes have ended and c is not empty\n"),
            0u)
      << shown;
  EXPECT_NE(shown.find("m: holds"), std::string::npos);
}

TEST(TextReport, OfAPartialSearchNeverSaysThatSomethingHolds) {
  for (const char* model : {"alternating_bit", "alternating_bit_link", "setup_handshake"})
    for (const std::uint64_t depth : {1u, 3u, 5u}) {
      CheckOptions options;
      options.limits.depth = depth;
      const std::string shown = report(test::model_text(model), options);
      EXPECT_EQ(shown.find("holds"), std::string::npos) << shown;
      EXPECT_NE(shown.find("m: unknown: no error in the "), std::string::npos) << shown;
      EXPECT_NE(shown.find(" seen, which may not be all there are (depth limit reached)\n"
                           "promise: partial\n"),
                std::string::npos)
          << shown;
    }
}

TEST(TextReport, SaysThatThereAreMoreErrorsThanItLists) {
  std::string text;
  for (const auto& [name, places] : {std::pair{'p', 100}, {'q', 101}}) {
    text += fmt::format("proc {0} channel {0}[1]; {{ if", name);
    for (int place = 0; place < places; ++place)
      text += fmt::format(" :: skip -> {}?a{}", name, place);
    text += " fi }\n";
  }
  const std::string shown = report(text, {});
  EXPECT_NE(shown.find("\n100  deadlock  "), std::string::npos);
  EXPECT_NE(shown.find("\nand 9,900 more: 9,900 deadlock ("), std::string::npos);
  EXPECT_NE(shown.find("\n\n10. deadlock: no process can move\n"), std::string::npos);
  EXPECT_EQ(shown.find("\n\n11. deadlock: no process can move\n"), std::string::npos);
  EXPECT_NE(shown.find("trails are shown for the first 10 of 10,000 (--show N has that of error N, "
                       "--trails all has all)\n\n"),
            std::string::npos);
  EXPECT_NE(shown.find("m: violated: 10,000 errors, and more than there is room to list\n"
                       "promise: exhaustive\n"
                       "not listed: 100 findings of other errors\n"),
            std::string::npos)
      << shown.substr(shown.size() - 1000);
}

TEST(TextReport, OfAPartialSearchWithErrorsSaysThatThereMayBeMore) {
  CheckOptions options;
  options.explore.first_error_only = true;
  const std::string shown = report("proc p var x; { do :: x +% 3 :: assert(x != 1) od }", options);
  EXPECT_NE(shown.find("m: violated: 1 error, and there may be more (stopped at the first error)\n"
                       "promise: partial\n"),
            std::string::npos)
      << shown;
}

TEST(TextReport, ListsStatementsThatAreNeverExecuted) {
  const std::string text =
      "channel c[1];\nproc p var x; {\n  if :: (x == 1) -> c!m :: (x == 0) fi\n}\nproc q { end: do "
      ":: c?m od }\n";
  EXPECT_EQ(report(text).find("statements that can never be executed:\n"
                              "  m:3:9: (x == 1) in p\n"
                              "  m:3:21: c!m in p\n"
                              "  m:5:21: c?m in q\n"
                              "\n"
                              "m: holds"),
            0u);
  CheckOptions options;
  options.limits.depth = 1;
  const char* const long_one = "proc p var x; { x = 1; x = 2; x = 3; x = 4 }";
  const std::string partial = report(long_one, options);
  EXPECT_EQ(partial.find("2 statements not reached so far (--stats lists them)\n\nm: "), 0u)
      << partial;
  const test::Compiled compiled = test::compile(long_one);
  RunFacts facts;
  facts.show_statistics = true;
  const std::string all = collected([&](const Sink& sink) {
    return text_report(compiled.program, test::check(compiled, options), compiled.sources, facts,
                       sink);
  });
  EXPECT_EQ(all.find("statements this search did not reach:\n"
                     "  m:1:31: x = 3 in p\n"
                     "  m:1:38: x = 4 in p\n"
                     "\n"),
            0u)
      << all;
}

TEST(TextReport, ListsNoMoreThanTwentyStatementsThatAreNeverExecuted) {
  std::string text = "proc p var x; { if :: (x == 0)";
  for (int i = 1; i <= 21; ++i) text += fmt::format(" :: (x == {}) -> skip", i);
  const std::string shown = report(text + " fi }");
  EXPECT_NE(shown.find("(x == 20) in p\n  and 1 more (--stats lists them)\n\nm: holds"),
            std::string::npos)
      << shown;
}

// In the order of the text, though the process that comes first in it is not that of the first
// statement; statements that minimisation made one once.
TEST(TextReport, ListsStatementsThatAreNeverExecutedOnceAndInOrder) {
  const std::string shown = report(
      "channel c[1];\n"
      "procedure late() { (0) -> c!m }\n"
      "proc p var x; { if :: (x == 1) -> c!n; c!o :: (x == 2) -> c!n; c!o :: skip fi;\n"
      "  if :: late() :: skip fi }\n"
      "proc q { end: do :: c?m :: c?n :: c?o od }\n");
  EXPECT_EQ(shown.substr(0, shown.find("\n\n")),
            "statements that can never be executed:\n"
            "  m:2:20: (0) in late\n"
            "  m:2:27: c!m in late\n"
            "  m:3:23: (x == 1) in p\n"
            "  m:3:35: c!n in p, merged with line 3\n"
            "  m:3:40: c!o in p, merged with line 3\n"
            "  m:3:47: (x == 2) in p\n"
            "  m:5:21: c?m in q\n"
            "  m:5:28: c?n in q\n"
            "  m:5:35: c?o in q");
}

TEST(TextReport, ShowsTheTrailsOfTenErrorsAndNamesTheOthers) {
  std::string text = "proc p { if";
  for (int i = 0; i < 15; ++i) text += fmt::format(" :: (1) -> L{0}: assert({0} != {0})", i);
  const std::string shown = report(text + " fi }");
  std::size_t trails = 0, errors = 0;
  for (std::size_t at = 0; (at = shown.find("fails\n", at)) != std::string::npos; ++at) ++trails;
  for (int i = 0; i < 15; ++i)
    errors +=
        shown.find(fmt::format("  p        L{0:<4}  assert({0} != {0})  ", i)) != std::string::npos;
  EXPECT_EQ(trails, 10u);
  EXPECT_EQ(errors, 15u) << shown;
  EXPECT_NE(shown.find("trails are shown for the first 10 of 15 ("), std::string::npos);
}

// Not even where it could only be known while the trail was made.
TEST(TextReport, NeverLeavesOutATrailWithoutSayingSo) {
  const test::Compiled compiled = test::compile("channel c[1]; proc p { c!m; assert(0) }");
  Verdict verdict = test::check(compiled);
  keep_way(compiled.program, verdict.errors.at(0));
  RunFacts facts;
  facts.chart = ChartKind::text;
  int asked = 0;
  facts.deadline = Deadline([&] { return asked++ == 0 ? 1.0 : -1.0; });
  const ErrorList list(compiled.program, verdict, {}, 1);
  EXPECT_EQ(error_text(compiled.program, list.all().at(0), compiled.sources, facts, false),
            "assertion: process p at 1:29: assert(0) does not hold\n"
            "  p at 1:29\n"
            "  in channels: c: m\n"
            "  1 event, 2 steps; seen 1 time; the trail is left out: no time for it\n"
            "\n");
  EXPECT_GT(asked, 1);
}

// Two processes of three steps each: 16 states, 69 ways to them.
const char* const square =
    "proc p var x; { x = 1; x = 2; x = 3 } proc q var y; { y = 1; y = 2; y = 3 }";

TEST(TextReport, OfASearchThatForgetsSpeaksOfStatesAnalysed) {
  CheckOptions options;
  options.search = StackSearch{};
  EXPECT_EQ(report(square, options),
            "m: holds: no deadlock, no unspecified reception, no violated assertion\n"
            "promise: exhaustive\n"
            "69 states analysed, repeats included, 68 transitions, depth 6, 8 bits a state\n"
            "0.500 s elapsed, 0.500 s of processor time, 138 states in a second of it, 6.9 KB of "
            "memory\n");
  options.count_distinct = true;
  EXPECT_NE(report(square, options).find("16 states, 69 states analysed, 68 transitions"),
            std::string::npos);
}

TEST(TextReport, ShowsWhatWasMeasuredWhereAsked) {
  const test::Compiled compiled = test::compile(square);
  CheckOptions options;
  options.search = CacheSearch{.states = 7, .replacement = Replacement::least};
  options.count_distinct = true;
  options.limits.memory_bytes = 1'000'000;
  options.limits.depth = 50;
  Verdict verdict = test::check(compiled, options);
  verdict.parameters.bytes_per_state = 12.3;
  verdict.parameters.seconds_per_state = 0.001;
  verdict.cache->replacement_share = 0.25;
  RunFacts facts;
  facts.show_statistics = true;
  const std::string text = collected([&](const Sink& sink) {
    return text_report(compiled.program, verdict, compiled.sources, facts, sink);
  });
  EXPECT_EQ(text.substr(text.find("\nM ") + 1),
            "M 1.0 MB of memory at most, R 16 states, S 12.3 bytes to store one,\n"
            "L 1.24 successors of one, E 1.00e-03 s for one, D 6.4 states in a sequence, 7 at "
            "most\n"
            "no deeper than 50 steps\n"
            "double work: 31.2 %\n"
            "cache of 7 states: 14 given up, 7.0 looked at for each, 25 % of the time\n"
            "visits        states   came again\n"
            "     1             7       56.2 %\n"
            "     2             8       11.1 %\n"
            "     4             1        0.0 %\n");
}

TEST(Numbers, AreGroupedByThousands) {
  EXPECT_EQ(with_commas(0), "0");
  EXPECT_EQ(with_commas(999), "999");
  EXPECT_EQ(with_commas(1000), "1,000");
  EXPECT_EQ(with_commas(123456), "123,456");
  EXPECT_EQ(with_commas(1234567), "1,234,567");
  EXPECT_EQ(with_commas(UINT64_MAX), "18,446,744,073,709,551,615");
}

TEST(Numbers, OfBytesHaveAUnit) {
  EXPECT_EQ(as_bytes(0), "0 bytes");
  EXPECT_EQ(as_bytes(999), "999 bytes");
  EXPECT_EQ(as_bytes(1000), "1.0 KB");
  EXPECT_EQ(as_bytes(12'300'000), "12.3 MB");
  EXPECT_EQ(as_bytes(4'000'000'000), "4.0 GB");
  EXPECT_EQ(as_bytes(UINT64_MAX), "18446744.1 TB");
}

}  // namespace
}  // namespace panoptes
