// SPDX-License-Identifier: Apache-2.0
#include "support/chart.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "verdict/causality.hpp"
#include "verdict/make_reports.hpp"

namespace panoptes {
namespace {

using test::Compiled;
using test::Drawn;
using test::long_run;
using test::model;

// The internal steps that are drawn, without the one that fails.
std::vector<std::string> internal_steps(const Chart& chart) {
  std::vector<std::string> steps;
  for (const ChartEvent& event : chart.events)
    if (event.arrow == none && !event.fails) steps.push_back(event.text.elsewhere);
  return steps;
}

// How far the arrows of a chart reach, all in all, with its lifelines in this order.
std::size_t reach(const Chart& chart, const std::vector<ProcessId>& lifelines) {
  std::size_t sum = 0;
  for (const ChartArrow& arrow : chart.arrows) {
    const auto from = std::ranges::find(lifelines, arrow.from);
    const auto to = std::ranges::find(lifelines, arrow.to);
    sum += static_cast<std::size_t>(std::abs(from - to));
  }
  return sum;
}

TEST(Charts, OfRunsThatAreMostlyInternalHaveMessagesAndNamedStatesOnly) {
  const Drawn drawn = model("two_phase_commit");
  const Chart chart = drawn.chart(ErrorKind::unread_messages);
  const Chart whole = drawn.chart(ErrorKind::unread_messages, {.fold = false});
  EXPECT_EQ(whole.left_out, "");
  EXPECT_EQ(chart.left_out, "19 internal steps are not drawn (--chart full has them)");
  EXPECT_EQ(chart.events.size() + 19, whole.events.size());
  EXPECT_EQ(chart.arrows.size(), whole.arrows.size());
  for (const ChartEvent& event : chart.events)
    EXPECT_TRUE(event.arrow != none || event.has_name) << event.step;
  for (const std::string& text : {text_chart(chart, {}), mermaid_chart(chart),
                                  plantuml_chart(chart), svg_charts({{"", chart}}, "")})
    EXPECT_NE(text.find("19 internal steps are not drawn"), std::string::npos) << text;
}

// A copy comes from where the message was sent, and from nowhere if it was there from the start.
TEST(Charts, DrawCopiesFromTheirSends) {
  const Drawn drawn(
      "channel c[2] duplicating = { k };\n"
      "proc p { c!m(1) }\n"
      "proc q var n; { c?k; c?k; c?m(n); c?m(n); assert(0) }\n");
  const Chart chart = drawn.chart(ErrorKind::assertion);
  EXPECT_EQ("\n" + text_chart(chart, {}), R"(
          p        q
          │        │
       1  ├──m(1)─▷│  p at end
       2  │        ●  takes copy of k, there at the start, q at 3:22
       3  │        ●  takes k, there at the start, q at 3:27
       4  │        ●  takes copy of m(1) of 1, q.n = 1, q at 3:35
       5  │        ●  takes m(1) of 1, q at 3:43
       6  │        ╳  assert(0)
         end     3:43
assertion: process q at 3:43: assert(0) does not hold
)");
  EXPECT_NE(
      svg_charts({{"", chart}}, "")
          .find("data-from=\"p\" data-to=\"q\" data-message=\"copy of m(1)\" data-sent=\"1\""),
      std::string::npos);
}

TEST(Charts, SayWhatAFlushHasFound) {
  const Drawn drawn("channel c[2]; proc p { flush c; c!a; c!b(1); flush c; assert(0) }");
  EXPECT_EQ(internal_steps(drawn.chart(ErrorKind::assertion)),
            (std::vector<std::string>{"flush c", "flush c of a b(1)"}));
}

// What a process has itself says more of it than the variables of procedures it calls.
TEST(Charts, LeaveOutVariablesOfProceduresFirst) {
  const std::string model =
      "channel c[0..3][9];\n"
      "procedure broadcast() var to : 0..4; {\n"
      "  do :: (to < 4) -> c[to]!m; to++ :: (to == 4) -> break od }\n"
      "proc p var log : 0..3; { log = 2; broadcast(); log = 1; broadcast(); done: c[0]?never }\n";
  const auto steps = [&](const std::string& invariant) {
    return internal_steps(Drawn(model + invariant).chart(ErrorKind::invariant));
  };
  // The last one leads to a state with a name.
  const std::vector<std::string> own{"p.log = 2", "p.log = 1", "p.broadcast.to = 0"};
  EXPECT_EQ(steps("never (p@done);"), own);
}

TEST(Charts, ShowInternalStepsWhereLittleElseHappens) {
  // Nothing but internal steps; what is shared is no matter of one process; a short run.
  const std::string loop = "do :: (x < 9) -> x = x + 1 :: (x == 9) -> break od";
  EXPECT_EQ(Drawn("proc p var x; { " + loop + "; assert(0) }").chart(ErrorKind::assertion).left_out,
            "");
  EXPECT_EQ(Drawn("channel c[1]; proc p var x; { " + loop + "; skip; c?m }")
                .chart(ErrorKind::deadlock)
                .left_out,
            "");
  const Chart shared =
      Drawn(
          "var x; proc p var y; { do :: (x < 9) -> y = x; x = x + 1 :: (x == 9) -> break od; "
          "assert(0) }")
          .chart(ErrorKind::assertion);
  EXPECT_EQ(shared.left_out, "18 internal steps are not drawn (--chart full has them)");
  EXPECT_EQ(shared.events.size(), 11u);  // what y is then, somebody has made it
  EXPECT_EQ(model("mistakes").chart(ErrorKind::assertion).left_out, "");
}

TEST(Charts, AlwaysHaveTheStepThatMadeAVariableWhatItIsWhereItIsWrong) {
  // Every member does as much, but only the fourth one does what is wrong.
  const Drawn assigned(
      "channel c[0..5][1];\n"
      "proc node[i : 0..5] var v : 0..3, w : 0..3; {\n"
      "  if :: (i == 0) -> c[1]!token(1) :: (i != 0) -> skip fi;\n"
      "  c[i]?token(v); w = 1; w = 2; c[(i + 1) % 6]!token(v);\n"
      "  if :: (i == 3) -> v = 3 :: (i != 3) -> skip fi; skip; assert(v != 3)\n"
      "}\n");
  const Chart chart = assigned.chart(ErrorKind::assertion);
  EXPECT_FALSE(chart.left_out.empty());
  EXPECT_EQ(internal_steps(chart), (std::vector<std::string>{"node[3].w = 2", "node[3].v = 3"}));
  // Nobody fails, but somebody waits for what will not be.
  const Drawn waiting(
      "channel c[1];\n"
      "proc p var x : 0..9, y : 0..9; {\n"
      "  do :: (x < 6) -> x = x + 1 :: (x == 6) -> break od;\n"
      "  y = 1; y = 2; c!m; if :: (x == 7) -> c!n :: (x == 8) -> skip fi\n"
      "}\n"
      "proc q { c?m }\n");
  EXPECT_EQ(internal_steps(waiting.chart(ErrorKind::deadlock)),
            (std::vector<std::string>{"p.x = 6"}));
}

TEST(Charts, ThatLeaveOutTheirMiddleKeepWhatMattersInIt) {
  const Drawn drawn(
      "channel c[1];\n"
      "proc p var x : 0..200, odd : 0..1; {\n"
      "  do :: (x < 200) -> x = x + 1; if :: (x == 90) -> odd = 1 :: (x != 90) -> c!m fi\n"
      "  :: (x == 200) -> break od;\n"
      "  assert(odd == 0)\n"
      "}\n"
      "proc q { do :: c?m od }\n");
  ChartOptions options;
  options.most_events = 20;
  const std::string text = text_chart(drawn.chart(ErrorKind::assertion, options), {});
  EXPECT_NE(text.find("odd = 1"), std::string::npos) << text;
}

TEST(Charts, SayWhereRoundsHaveOtherValuesAndWhichTheyEndWith) {
  const Drawn drawn(
      "channel down[1], up[1];\n"
      "proc tx var left : 0..4 = 4; { do :: (left > 0) -> down!part(left); left = left - 1; up?go\n"
      "  :: (left == 0) -> break od; assert(left > 0) }\n"
      "proc rx var got : 0..4, sum : 0..9; { do :: down?part(got) -> sum = 3; up!go od }\n");
  EXPECT_EQ(drawn.text(ErrorKind::assertion), R"(
         tx                 rx
          │                  │
          4 times, to step 28, each with other values; the first:
       1  ▪ (left > 0)       │  tx at 2:52
     2,4  ├─────part(4)─────▶│  rx.got = 4, tx at 2:69, rx at 4:63
       3  ▪ left = 3         │  tx at 2:86
       5  │                  ▪  rx.sum = 3, rx at 4:72
     6,7  │◀───────go────────┤  rx at 4:39, tx at 2:32
          end of what repeats; by then rx.got = 1, tx.left = 0
      29  ▪ (left == 0)      │  tx at 3:31
      30  ╳ assert(left > 0) │
        3:31               4:39
assertion: process tx at 3:31: assert(left > 0) does not hold, where left = 0
)");
  const Chart chart = drawn.chart(ErrorKind::assertion);
  EXPECT_NE(mermaid_chart(chart).find("loop 4 times, values of the first\n"), std::string::npos)
      << mermaid_chart(chart);
  EXPECT_NE(mermaid_chart(chart).find("end\nNote over p0,p1: by then rx.got = 1, tx.left = 0\n"),
            std::string::npos)
      << mermaid_chart(chart);
  EXPECT_NE(plantuml_chart(chart).find("loop 4 times, values of the first\n"), std::string::npos);
  EXPECT_NE(plantuml_chart(chart).find("end\nrnote over p0,p1 : by then rx.got = 1, tx.left = 0\n"),
            std::string::npos)
      << plantuml_chart(chart);
  const std::string svg = svg_charts({{"", chart}}, "");
  EXPECT_NE(svg.find(">4 times, values of the first<"), std::string::npos) << svg;
  EXPECT_NE(svg.find(">by then rx.got = 1, tx.left = 0<"), std::string::npos) << svg;
}

TEST(Charts, KeepEveryStepBehindThoseItNeeds) {
  const Drawn drawn = long_run(10);
  const ErrorReport& error = drawn.verdict.errors.at(0);
  const Causes causes = causes_of(drawn.compiled.program, error.trail.steps);
  const Chart chart = drawn.chart(ErrorKind::assertion);
  ASSERT_EQ(chart.events.size(), error.trail.steps.size());
  std::vector<bool> is_drawn(error.trail.steps.size());
  std::size_t moved = 0, last = 0;
  for (const ChartEvent& event : chart.events) {
    for (const std::size_t cause : causes[event.step - 1])
      EXPECT_TRUE(is_drawn[cause]) << event.step << " before " << cause + 1;
    is_drawn[event.step - 1] = true;
    moved += event.step < last ? 1 : 0;
    last = event.step;
  }
  EXPECT_GT(moved, 0u);  // or the order was that of the trail
}

TEST(Charts, AreRunsThatCanHappen) {
  CheckOptions options;
  options.search = RandomWalks{1};
  options.limits.depth = 300;
  std::size_t charts = 0, failing_receives = 0;
  for (options.seed = 1; options.seed <= 20; ++options.seed)
    for (const std::string& text :
         {test::model_text("alternating_bit_link", "#define A3\n"),
          test::model_text("leader_election", "#define TWINS\n"), test::model_text("mistakes"),
          std::string("channel c[3]; var seen : 0..1;\n"
                      "proc a { c!m; c!n; c!m }\n"
                      "proc w { (len(c) == 1); seen = 1 }\n"
                      "proc r { c?m; c?n; (seen == 1); c?m; assert(0) }\n"),
          // The last receive fails, and could stand beside its send otherwise.
          std::string("channel c[1]; var n : 0..3;\n"
                      "proc a { c!x }\n"
                      "proc b { c?x }\n"
                      "proc w { do :: (n < 3) -> n = n + 1 :: (n == 3) -> break od }\n"
                      "assert order { c?y; c?x }\n")}) {
      const Drawn drawn(text, {}, options);
      for (const ErrorReport& error : drawn.verdict.errors) {
        std::vector<RuleId> rules;
        const Chart chart = make_chart(drawn.compiled.program, error, drawn.compiled.sources);
        for (const ChartEvent& event : chart.events)
          rules.push_back(error.trail.steps[event.step - 1].rule);
        if (error.trail.ends_in_failure) {
          EXPECT_EQ(chart.events.back().step, rules.size());
          EXPECT_TRUE(chart.events.back().fails && !chart.events.back().joins_previous);
          failing_receives += chart.events.back().kind == ActionKind::receive ? 1 : 0;
          rules.pop_back();
        }
        std::string problem;
        EXPECT_TRUE(replay(drawn.compiled.program, rules, error.finding, error.key,
                           ReceptionPolicy::blocked, problem))
            << problem;
        ++charts;
      }
    }
  EXPECT_GT(charts, 20u);
  EXPECT_GT(failing_receives, 10u);
}

TEST(Charts, CoverEveryEventOnce) {
  for (const int rounds : {1, 2, 3, 60}) {
    const Chart chart = long_run(rounds).chart(ErrorKind::assertion);
    std::size_t next = 0;
    for (const ChartPart& part : chart.parts) {
      EXPECT_EQ(part.first, next);
      next = part.end();
    }
    EXPECT_EQ(next, chart.events.size());
    EXPECT_EQ(chart.parts.back().times, 1u);  // the fault is in sight
  }
}

TEST(Charts, OfLongRunsAreFolded) {
  const Drawn drawn = long_run(70);
  EXPECT_GT(drawn.verdict.errors.at(0).trail.steps.size(), 5000u);
  const std::string text = drawn.text(ErrorKind::assertion);
  EXPECT_LT(std::ranges::count(text, '\n'), 250);
  EXPECT_NE(text.find(" times, to step "), std::string::npos);
  EXPECT_NE(text.find("╳"), std::string::npos);
  EXPECT_NE(text.find("assert(rounds < 70)"), std::string::npos);
  ChartOptions whole;
  whole.fold = false;
  EXPECT_GT(std::ranges::count(text_chart(drawn.chart(ErrorKind::assertion, whole), {}), '\n'),
            3000);
  EXPECT_LT(svg_charts({{"", drawn.chart(ErrorKind::assertion)}}, "").size(), 200'000u);
}

// Wherever it comes from, an arrow is on the picture.
TEST(Charts, HaveRoomForAMessageThatWasThereFromTheStart) {
  const Drawn drawn(
      "channel c[1] = { long_name_of_a_message };\n"
      "proc p { c?long_name_of_a_message; assert(0) }");
  const std::string svg = svg_charts({{"", drawn.chart(ErrorKind::assertion)}}, "");
  EXPECT_NE(svg.find("data-message=\"long_name_of_a_message\""), std::string::npos) << svg;
  EXPECT_EQ(svg.find("\"-"), std::string::npos) << svg;
  EXPECT_EQ(svg.find("\"M-"), std::string::npos) << svg;
}

TEST(Charts, OfLongCyclesAreFoldedToo) {
  CheckOptions options;
  options.search = ExhaustiveSearch{.storage = WholeGraph{}};
  const Drawn drawn("proc a var x : 0..2999; { do :: x = (x + 1) % 3000 od }\n", {}, options);
  EXPECT_EQ(drawn.text(ErrorKind::livelock), R"(
          a
          │
          then for ever:
          3,000 times, to step 3,000, each with other values; the first:
       1  ▪  a.x = 1, a at 1:27
          end of what repeats; by then a.x = 0
          ╳
        1:27
livelock: a can only go on with internal steps for ever
)");
  const Chart chart = drawn.chart(ErrorKind::livelock);
  for (const std::string& text : {mermaid_chart(chart), plantuml_chart(chart)})
    EXPECT_NE(text.find("loop for ever\nloop 3000 times, values of the first\n"), std::string::npos)
        << text;
  EXPECT_EQ(mermaid_chart(chart).find("end\nNote over p0: by then a.x = 0\nend\n"),
            mermaid_chart(chart).find("x = 1\n") + std::string("x = 1\n").size());
  const std::string svg = svg_charts({{"", chart}}, "");
  EXPECT_NE(svg.find(">for ever<"), std::string::npos);
  EXPECT_NE(svg.find(">3,000 times, values of the first<"), std::string::npos);
  ChartOptions whole;
  whole.fold = false;
  const std::string all = text_chart(drawn.chart(ErrorKind::livelock, whole), {});
  EXPECT_GT(std::ranges::count(all, '\n'), 3000);
}

TEST(Charts, HaveLifelinesInAnOrderInWhichArrowsAreShort) {
  // A chain, declared in no order.
  std::string text = "channel c[0..8][1];\n";
  for (const int i : {4, 0, 7, 2, 5, 1, 8, 3, 6})
    text += i == 8   ? "proc p8 { c[8]?x; c[8]?y }\n"
            : i == 0 ? "proc p0 { c[1]!x }\n"
                     : fmt::format("proc p{0} {{ c[{0}]?x; c[{1}]!x }}\n", i, i + 1);
  const Chart chart = Drawn(text).chart(ErrorKind::deadlock);
  ASSERT_EQ(chart.arrows.size(), 8u);
  std::vector<ProcessId> order = chart.lifelines;
  const std::size_t drawn = reach(chart, order);
  for (std::size_t i = 0; i + 1 < order.size(); ++i) {  // no change of neighbours is better
    std::swap(order[i], order[i + 1]);
    EXPECT_GE(reach(chart, order), drawn);
    std::swap(order[i], order[i + 1]);
  }
  std::ranges::sort(order);
  EXPECT_LT(drawn, reach(chart, order));  // and it is better than as they are declared
}

TEST(Charts, OfAThousandProcessesHaveEachOfThemOnce) {
  const test::Compiled compiled = test::compile(
      "channel c[0..999][1];\n"
      "proc p[i : 0..999] { c[(i * 7 + 3) % 1000]!x; c[i]?x }\n");
  std::vector<RuleId> rules;
  for (RuleId id = 0; id < compiled.program.rules.size(); ++id)
    if (compiled.program.rules[id].kind == ActionKind::send) rules.push_back(id);
  std::string problem;
  ErrorReport run;
  run.trail = follow(compiled.program, rules, problem).value();
  const Chart chart = make_chart(compiled.program, run, compiled.sources);
  EXPECT_EQ(chart.lifelines.size(), 1000u);
  EXPECT_EQ(std::set(chart.lifelines.begin(), chart.lifelines.end()).size(), 1000u);
}

TEST(Charts, ThatAreStillTooLongLeaveOutTheirMiddle) {
  ChartOptions options;
  options.most_events = 30;
  const Chart chart = long_run(3).chart(ErrorKind::assertion, options);
  std::size_t drawn = 0;
  for (const ChartPart& part : chart.parts) drawn += part.times == 0 ? 0 : part.count;
  EXPECT_LE(drawn, 30u);
  EXPECT_GE(drawn, 25u);
  EXPECT_NE(text_chart(chart, {}).find(" steps left out, with "), std::string::npos);
}

// ---- views -------------------------------------------------------------------------------------

// All steps, those that are folded among them, each once.
std::size_t steps_in(const Chart& chart) {
  std::size_t steps = 0;
  for (const ChartEvent& event : chart.events) steps += event.joins_previous ? 0 : event.steps;
  return steps;
}

TEST(Charts, FoldInternalStepsBetweenOthersOfTheirProcess) {
  const Drawn drawn(
      "channel c[1];\n"
      "proc p var x, y; { x = 1; y = 2; x = 3; c!m; x = 4; there: y = 5; x = 6; c!k }\n"
      "proc q { c?m; c?never }\n");
  const Chart chart = drawn.chart(ErrorKind::deadlock, {.internal = InternalSteps::folded});
  const Chart whole = drawn.chart(ErrorKind::deadlock, {.internal = InternalSteps::drawn});
  EXPECT_EQ(steps_in(chart), steps_in(whole));
  EXPECT_EQ(chart.left_out, "");
  EXPECT_EQ(internal_steps(chart),
            (std::vector<std::string>{"p.x = 3, p.y = 2 (3 steps)", "p.x = 4",
                                      "p.y = 5, p.x = 6 (2 steps)"}));
  EXPECT_EQ(chart.arrows.size(), whole.arrows.size());
  // The one that leads to a state with a name stands alone.
  const auto named = std::ranges::find(chart.events, "there", &ChartEvent::state);
  ASSERT_NE(named, chart.events.end());
  EXPECT_EQ(named->steps, 1u);
}

TEST(Charts, FoldRunsThatRepeat) {
  const Drawn drawn(
      "channel c[1];\n"
      "proc p var n : 0..9, x : 0..1; { do :: (n < 9) -> x = 1; x = 0; c!m; n = n + 1\n"
      "  :: (n == 9) -> assert(0) od }\n"
      "proc q { end: do :: c?m od }\n");
  const Chart chart = drawn.chart(ErrorKind::assertion, {.internal = InternalSteps::folded});
  ASSERT_TRUE(std::ranges::any_of(chart.parts, [](const ChartPart& p) { return p.times > 5; }));
  const auto part =
      std::ranges::find_if(chart.parts, [](const ChartPart& p) { return p.times > 5; });
  EXPECT_TRUE(part->has_other_values);
  EXPECT_EQ(part->values, "p.n = 7");
}

TEST(Charts, OfMessagesOnlyHaveNothingElseButTheFault) {
  const Drawn drawn = model("two_phase_commit");
  const ChartOptions options{.whole = "X", .internal = InternalSteps::left_out};
  const Chart chart = drawn.chart(ErrorKind::unread_messages, options);
  const Chart whole = drawn.chart(ErrorKind::unread_messages, {.fold = false});
  for (const ChartEvent& event : chart.events) EXPECT_NE(event.kind, ActionKind::internal);
  EXPECT_EQ(chart.arrows.size(), whole.arrows.size());
  const std::size_t others = static_cast<std::size_t>(
      std::ranges::count(whole.events, ActionKind::internal, &ChartEvent::kind));
  EXPECT_EQ(chart.left_out,
            fmt::format("{} steps without messages are not drawn (X has them)", others));
  const Drawn failing("channel c[1]; proc p var x; { c!m; x = 2; assert(x == 1) } proc q { c?m }");
  EXPECT_TRUE(failing.chart(ErrorKind::assertion, options).events.back().fails);
}

// It has a mark of its own, whoever's step it is and however little is drawn: no state of a process
// need be to blame.
TEST(Charts, MarkTheStepThatBreaksAnInvariant) {
  const Drawn drawn(
      "var x; channel c[1]; never too_much (x == 2);\n"
      "proc p { c!m; x = 1; c!m; x = 2 } proc q { do :: c?m od }");
  for (const InternalSteps internal : {InternalSteps::brief, InternalSteps::folded,
                                       InternalSteps::left_out, InternalSteps::drawn}) {
    const Chart chart = drawn.chart(ErrorKind::invariant, {.internal = internal});
    EXPECT_EQ(chart.events.back().breaks, "too_much");
    EXPECT_FALSE(chart.events.back().fails);
    EXPECT_EQ(chart.names[chart.events.back().process], "p");
    EXPECT_EQ(std::ranges::count(chart.events, std::string(), &ChartEvent::breaks),
              std::ssize(chart.events) - 1);
    for (const std::string& drawing : {svg_charts({{"", chart}}, ""), drawn_chart(chart).body}) {
      EXPECT_NE(drawing.find("class=\"event internal fails\""), std::string::npos) << drawing;
      EXPECT_NE(drawing.find(">✗ too_much</text>"), std::string::npos) << drawing;
    }
  }
}

// The receive that does it is not drawn up at its send, nor is the rendezvous in a repetition.
TEST(Charts, KeepTheStepThatBreaksAnInvariantAtTheEnd) {
  const Drawn received(
      "channel c[1]; never arrived (q@there); proc p { c!m; skip; skip } proc q { c?m; there: skip "
      "}");
  EXPECT_EQ(received.chart(ErrorKind::invariant).events.back().breaks, "arrived");
  const Drawn met(
      "var n; channel c[0]; never often (n == 9); proc p { do :: c!m od } proc q { do :: c?m -> "
      "n++ od }");
  const Chart chart = met.chart(ErrorKind::invariant);
  EXPECT_EQ(chart.events.back().breaks, "often");
  EXPECT_EQ(chart.parts.back().times, 1u);
  const Drawn asked(
      "var n; never often (n == 9); channel c[0];\n"
      "proc p { do :: n++; c!m od } proc q { do :: c?m od }");
  EXPECT_EQ(asked.chart(ErrorKind::invariant).parts.back().times, 1u);
}

// What a receive takes only because no other one does, and what goes to nobody, is said so: the one
// is easily overlooked, and the other is no loss.
TEST(Charts, TellDefaultsAndSinksApart) {
  const Drawn drawn(
      "channel c[1]; sink log; proc p { c!a; c!b }\n"
      "proc q { if :: c?b :: c?default fi; if :: c?b :: c?default fi; log!done; assert(0) }");
  const Chart chart = drawn.chart(ErrorKind::assertion);
  std::vector<bool> defaults;
  for (const ChartEvent& event : chart.events)
    if (event.kind == ActionKind::receive) defaults.push_back(event.is_default);
  EXPECT_EQ(defaults, (std::vector<bool>{true, false}));
  const std::string svg = svg_charts({{"", chart}}, "");
  EXPECT_NE(svg.find(">(default)  → 2:37</text>"), std::string::npos) << svg;
  const std::size_t log = svg.find("class=\"arrow unread\"");
  ASSERT_NE(log, std::string::npos) << svg;
  EXPECT_LT(svg.find("<rect", log), svg.find("</g>", log));
}

// Line and column of a state go before anything else is cut, its label does not, and what has room
// is not cut at all.
TEST(Charts, CutWhatSaysLeastFirst) {
  const auto drawn = [](std::size_t letters, const std::string& label) {
    const std::string name(letters, 'x');
    const Drawn run("channel c[1]; proc p var " + name + "; {\n" + name + " = 1;\n" + label +
                    "c!m }\nproc q { c?m; assert(0) }");
    return drawn_chart(run.chart(ErrorKind::assertion, {.fold = false})).body;
  };
  EXPECT_NE(drawn(10, "").find(" = 1  → 3:1</text>"), std::string::npos);
  EXPECT_NE(drawn(46, "").find("x = 1</text>"), std::string::npos) << drawn(46, "");
  EXPECT_NE(drawn(10, "there: ").find("x = 1  → there</text>"), std::string::npos);
  EXPECT_NE(drawn(90, "there: ").find("x…  → there</text>"), std::string::npos);
}

// Messages alone tell a false story of somebody who crashed.
TEST(Charts, OfMessagesKeepWhatHappensToAProcessByItself) {
  const Drawn drawn(
      "channel c[1]; proc p var x; { c!m; x = 1; x = 2; if :: goto end_crashed :: skip fi; x = 3;\n"
      "end_crashed: x = 4; idle: x = 5; busy: x = 6; x = 7; assert(0) }\n"
      "proc q { c?m }");
  std::vector<std::string> states;
  for (const ChartEvent& event :
       drawn.chart(ErrorKind::assertion, {.internal = InternalSteps::left_out}).events)
    if (event.kind == ActionKind::internal && !event.fails) states.push_back(event.state);
  EXPECT_EQ(states, (std::vector<std::string>{"end_crashed", "idle", "busy"}));
}

// Who does not see an `else` does not see what was decided.
TEST(Charts, DoNotFoldAnElse) {
  const Drawn drawn(
      "channel c[1]; proc p var x; { x = 1; x = 2; if :: (x == 1) :: else fi; x = 3; x = 4;\n"
      "c!m; assert(0) } proc q { c?m }");
  std::vector<std::string> texts;
  for (const ChartEvent& event :
       drawn.chart(ErrorKind::assertion, {.internal = InternalSteps::folded}).events)
    if (event.kind == ActionKind::internal && !event.fails) texts.push_back(event.text.here);
  EXPECT_NE(std::ranges::find(texts, "else"), texts.end());
}

// Where the trail of a failure was cut, nothing is drawn but the end.
TEST(Charts, OfNoStepsHaveNoFailingOne) {
  const Compiled compiled = test::compile("proc p { skip; assert(0) }");
  Verdict verdict = test::check(compiled);
  ASSERT_EQ(verdict.errors.size(), 1u);
  keep_way(compiled.program, verdict.errors[0]);
  ASSERT_TRUE(verdict.errors[0].trail.ends_in_failure);
  const Chart chart = make_chart(compiled.program, verdict.errors[0], compiled.sources);
  EXPECT_TRUE(chart.events.empty());
  EXPECT_EQ(chart.final_states, std::vector<std::string>{"1:16"});
}

// As a part of a page it has the same arrows, and an event for each step.
TEST(Charts, AsPartsHaveAllThatADrawingHas) {
  const Chart chart = model("alternating_bit_link", "#define A2\n", TimeoutPolicy::lock)
                          .chart(ErrorKind::assertion, {.fold = false});
  const DrawnChart part = drawn_chart(chart);
  const std::string drawing = svg_charts({{"", chart}}, "");
  const auto count = [](const std::string& text, const std::string& what) {
    std::size_t found = 0;
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1))
      ++found;
    return found;
  };
  for (const char* what : {"data-message=", "data-step=", "class=\"lifeline\""})
    EXPECT_EQ(count(part.body, what), count(drawing, what)) << what;
  EXPECT_EQ(count(part.body, "class=\"hit\""), chart.events.size());
  EXPECT_EQ(count(part.names, "class=\"name\""), chart.lifelines.size());
  EXPECT_EQ(count(part.body, "class=\"name\""), 0u);
}

}  // namespace
}  // namespace panoptes
