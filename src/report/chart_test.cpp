// SPDX-License-Identifier: Apache-2.0
#include "report/chart.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "support/model.hpp"
#include "verdict/causality.hpp"

namespace panoptes {
namespace {

struct Drawn {
  Drawn(const std::string& text, const test::Setup& setup = {}, const CheckOptions& options = {})
      : compiled(test::compile(text, setup)), verdict(test::check(compiled, options)) {}

  Chart chart(ErrorKind kind, const ChartOptions& options = {}) const {
    for (const auto* list : {&verdict.errors, &verdict.warnings})
      for (const ErrorReport& error : *list)
        if (error.description.kind == kind)
          return make_chart(compiled.program, error, compiled.sources, options);
    throw std::runtime_error("no such error");
  }
  std::string text(ErrorKind kind) const { return "\n" + text_chart(chart(kind), {}); }

  test::Compiled compiled;
  Verdict verdict;
};

Drawn model(const std::string& name, const std::string& definitions = {},
            TimeoutPolicy timeouts = TimeoutPolicy::empty) {
  test::Setup setup;
  setup.timeouts = timeouts;
  return Drawn(test::model_text(name, definitions), setup);
}

std::size_t columns(const std::string& line) {
  return static_cast<std::size_t>(
      std::ranges::count_if(line, [](char c) { return (c & 0xC0) != 0x80; }));
}

// Twelve pass a token around a ring until the assertion ends it, some 75 steps a round.
Drawn long_run(int rounds) {
  CheckOptions options;
  options.search = SearchKind::walk;
  options.forgetful.walks = 1;
  options.limits.depth = 20'000;
  return Drawn(fmt::format("var rounds : 0..2000;\n"
                           "channel ring[0..11][2], ask[0..11][1];\n"
                           "proc node[i : 0..11]\n"
                           "  var v : 0..7;\n"
                           "{{\n"
                           "  if :: (i == 0) -> ring[0]!token :: (i != 0) -> skip fi;\n"
                           "  do\n"
                           "  :: ring[i]?token -> ask[(i + 5) % 12]!hello(v); v = (v + 1) % 8;\n"
                           "     if :: (i == 0) -> rounds = rounds + 1; assert(rounds < {})\n"
                           "     :: (i != 0) -> skip\n"
                           "     fi;\n"
                           "     ring[(i + 1) % 12]!token\n"
                           "  :: ask[i]?hello(v)\n"
                           "  od\n"
                           "}}\n",
                           rounds),
               {}, options);
}

// Two peers open a connection over lines that may lose messages; what the one expects of the other
// is wrong.
Drawn peers() {
  return Drawn(
      "channel line[0..1][1], peer[0..1][1];\n"
      "proc peer[i : 0..1]\n"
      "  var got : 0..7, wanted : 0..7;\n"
      "{\n"
      "closed:\n"
      "  if\n"
      "  :: (i == 0) -> line[i]!syn(1); goto syn_sent\n"
      "  :: (i == 1) -> goto listen\n"
      "  fi;\n"
      "listen:\n"
      "  peer[i]?syn(got) -> got = (got + 1) % 8; line[i]!syn_ack(got);\n"
      "syn_received:\n"
      "  peer[i]?ack(got) -> wanted = 3; assert(got == wanted);\n"
      "end_done:\n"
      "  peer[i]?never;\n"
      "syn_sent:\n"
      "  peer[i]?syn_ack(got) -> line[i]!ack(got);\n"
      "end_established:\n"
      "  peer[i]?never\n"
      "}\n"
      "proc line[i : 0..1]\n"
      "  var v : 0..7;\n"
      "{\n"
      "end_idle:\n"
      "  do\n"
      "  :: line[i]?syn(v) -> if :: peer[1 - i]!syn(v) :: skip fi\n"
      "  :: line[i]?syn_ack(v) -> if :: peer[1 - i]!syn_ack(v) :: skip fi\n"
      "  :: line[i]?ack(v) -> peer[1 - i]!ack(v)\n"
      "  od\n"
      "}\n");
}

// ---- whole charts --------------------------------------------------------------------------

TEST(TextChart, OfTheFirstAssertionShowsTheTimeoutItForgets) {
  EXPECT_EQ(
      model("alternating_bit_link", "#define A1\n", TimeoutPolicy::lock).text(ErrorKind::assertion),
      R"(
       sender      link
          │          │
     1,2  ├───msg1──▶│  sender at 37:5, link at 76:19
       3  │          ✕  msg1 is lost, link at 74:3
       4  τ timeout  │  sender at 40:26
       5  ├──[msg1]─╳│
        40:26      74:3
assertion: link_alternates is violated by link!msg1
)");
}

TEST(TextChart, OfTheSecondAssertionShowsTheLostAcknowledgment) {
  EXPECT_EQ(
      model("alternating_bit_link", "#define A2\n", TimeoutPolicy::lock).text(ErrorKind::assertion),
      R"(
       sender     link         receiver   user
          │         │              │        │
     1,2  ├──msg1──▶│              │        │  sender at 37:5, link at 76:19
     3,4  │         ├─────msg1────▶│        │  link at 74:3, receiver at 55:25
     5,8  │         │◀────ack1─────┤        │  receiver at 55:36, link at 78:19
     6,7  │         │              ├──msg1─▶│  receiver at 58:5, user at 67:3
       9  │         ✕ ack1 is lost │        │  link at 74:3
      10  τ timeout │              │        │  sender at 40:26
   11,12  ├──msg1──▶│              │        │  sender at 37:5, link at 76:19
      13  │         ├────[msg1]───╳│        │
        37:5      76:19          58:5     67:3
assertion: receiver_alternates is violated by receiver!msg1
)");
}

TEST(TextChart, OfTheThirdAssertionShowsTheSecondRound) {
  EXPECT_EQ(
      model("alternating_bit_link", "#define A3\n", TimeoutPolicy::lock).text(ErrorKind::assertion),
      R"(
       sender    link     receiver     user
          │        │          │          │
     1,2  ├──msg1─▶│          │          │  sender at 37:5, link at 76:19
     3,4  │        ├───msg1──▶│          │  link at 74:3, receiver at 55:25
     5,8  │        │◀──ack1───┤          │  receiver at 55:36, link at 78:19
     6,7  │        │          ├───msg1──▶│  receiver at 58:5, user at 67:3
    9,10  │◀─ack1──┤          │          │  link at 74:3, sender at 42:5
   11,12  ├──msg0─▶│          │          │  sender at 43:5, link at 75:19
   13,14  │        ├───msg0──▶│          │  link at 74:3, receiver at 59:25
   15,18  │        │◀──ack0───┤          │  receiver at 59:36, link at 77:19
   16,17  │        │          ├───msg0──▶│  receiver at 54:5, user at 67:3
   19,20  │◀─ack0──┤          │          │  link at 74:3, sender at 35:3
   21,22  ├──msg1─▶│          │          │  sender at 37:5, link at 76:19
   23,24  │        ├───msg1──▶│          │  link at 74:3, receiver at 55:25
      25  │        │◁┄[ack1]┄┄┤          │  receiver at 55:36
      26  │        │          ├──[msg1]─╳│
        37:5     74:3       55:36      67:3
assertion: user_sees_two is violated by user!msg1
)");
}

TEST(TextChart, OfTheConnectionShowsBothAsking) {
  EXPECT_EQ(model("connection").text(ErrorKind::deadlock), R"(
          A         B
          │         │
       1  ├───ON───▷│  A at connected
       2  │◁┄[ON]┄┄┄┤  B at connected
       3  │◁┄[OFF]┄┄┤  B at idle
       4  │         ●  takes ON of 1, B at connected
          ╳         ╳
      connected connected
deadlock: no process can move
)");
}

TEST(TextChart, OfTheHandshakeShowsBothAsking) {
  EXPECT_EQ(model("setup_handshake").text(ErrorKind::deadlock), R"(
       sender    channel             receiver
          │         │                    │
     1,3  ├──setup─▶│                    │  sender at 23:6, channel at 68:23
       2  │         │◁─────r_setup───────┤  receiver at 48:6
     4,5  │         ├───────setup───────▶│  channel at 67:3, receiver at 50:27
       6  │         ● takes r_setup of 2 │  channel at 70:25
     7,8  │◀─setup──┤                    │  channel at 67:3, sender at 25:25
          ╳         ╳                    ╳
        25:25     67:3                 50:27
deadlock: no process can move
)");
}

TEST(TextChart, OfALivelockSaysWhatRepeats) {
  CheckOptions options;
  options.keep_graph = true;
  options.search = SearchKind::exhaustive;
  const Drawn drawn(
      "channel c[1];\n"
      "proc a var x : 0..3; { c!go; do :: x = 1 :: x = 2 od }\n"
      "proc b { c?go }\n",
      {}, options);
  EXPECT_EQ(drawn.text(ErrorKind::livelock), R"(
          a       b
          │       │
       1  ├──go──▷│  a at 2:30
       2  ▪ x = 1 │  a at 2:30
       3  │       ●  takes go of 1, b at end
          then for ever:
       4  ▪ x = 1 │  a at 2:30
          ╳       │
        2:30     end
livelock: a can only go on with internal steps for ever
)");
}

TEST(TextChart, ShowsWhatIsNoExchangeOfTwo) {
  // To itself, to a sink, there from the start, never received.
  const Drawn drawn(
      "channel own[1], other[2] = { early };\n"
      "sink log;\n"
      "proc a var x : 0..9; { own!note; log!seen(3); own?note; x = 7; other!late }\n"
      "proc b { other?early }\n");
  EXPECT_EQ(drawn.text(ErrorKind::unread_messages), R"(
          a                        b
          │                        │
       1  ● note, to itself        │  a at 3:34
       2  ┝ log!seen(3), forgotten │  a at 3:47
       3  ● takes note of 1        │  a at 3:57
       4  ▪ x = 7                  │  a at 3:64
       5  ├┄┄┄┄┄┄┄┄┄[late]┄┄┄┄┄┄┄┄▷│  a at end
       6  │                        ●  takes early, there at the start, b at end
          │                        ╳
         end                      end
unread_messages: all processes have ended and other is not empty
)");
}

TEST(TextChart, ShowsAReceiveThatFailsAsTheFault) {
  const Drawn drawn(
      "channel c[1];\n"
      "proc a { c!x; c!y }\n"
      "proc b { c?x; c?y }\n"
      "assert order { c?y; c?x }\n");
  EXPECT_EQ(drawn.text(ErrorKind::assertion), R"(
          a     b
          │     │
       1  ├──x─▷│  a at 2:15
       2  │     ╳  takes x of 1
        2:15  3:10
assertion: order is violated by c?x
)");
}

TEST(TextChart, HasTheFaultOfADeadlockWhereNobodyMayRest) {
  const Drawn drawn(
      "channel c[1], d[1], e[1];\n"
      "proc server { end_idle: do :: c?x od }\n"
      "proc client { c!x; d?y }\n"
      "proc idle { end_here: e?z }\n");
  const Chart chart = drawn.chart(ErrorKind::deadlock);
  EXPECT_EQ(chart.fault_at, std::vector<ProcessId>{1});
}

TEST(TextChart, HasTheFaultOfAnAssertionThatIsNotCompleteOnThoseItIsAbout) {
  const Drawn drawn(
      "channel c[1], d[1];\n"
      "proc a { c!x }\n"
      "proc b { c?x; d!y }\n"
      "proc e { d?y }\n"
      "assert twice { c!x; c!x }\n");
  const Chart chart = drawn.chart(ErrorKind::assertion);
  EXPECT_EQ(chart.fault_at, std::vector<ProcessId>{0});
}

TEST(TextChart, MarksAnAssertThatHoldsAsAnyInternalStep) {
  const Drawn drawn(
      "channel c[1];\n"
      "proc a { assert(1 < 2); c?x }\n");
  const std::string text = drawn.text(ErrorKind::deadlock);
  EXPECT_NE(text.find("▪"), std::string::npos) << text;
  EXPECT_EQ(text.find("●"), std::string::npos) << text;
}

TEST(TextChart, HasRoomForNumbersOfAnyLength) {
  const std::string text =
      "\n" + text_chart(long_run(30).chart(ErrorKind::assertion), {});  // some 2,200 steps
  std::istringstream lines(text);
  std::size_t pairs = 0;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t digits = line.find_first_of("0123456789");
    const std::size_t end = line.find_first_not_of("0123456789,", digits);
    if (line.find("│") == std::string::npos || line.find_first_not_of(' ') != digits) continue;
    // Then the column that marks concurrent steps, or a remark.
    ASSERT_LT(end, line.size()) << line;
    EXPECT_TRUE(line[end] == ' ' || line[end] == '~') << line;
    const std::string number = line.substr(digits, end - digits);
    pairs += number.size() >= 9 && number.find(',') == 4 ? 1 : 0;
  }
  EXPECT_GT(pairs, 3u) << text;
}

TEST(TextChart, TellsMembersOfAFamilyWithALongNameApart) {
  const std::string name = "a_process_with_quite_a_long_name";
  const std::string text = Drawn("channel c[0..1][1];\nproc " + name + "[i : 0..1] { c[i]?x }\n")
                               .text(ErrorKind::deadlock);
  EXPECT_NE(text.find("a_process_with.._name[0]"), std::string::npos) << text;
  EXPECT_NE(text.find("a_process_with.._name[1]"), std::string::npos) << text;
}

TEST(TextChart, WrapsNamesOfStatesAndSaysWhoseVariableChangesWhereItIsNarrow) {
  EXPECT_EQ("\n" + text_chart(peers().chart(ErrorKind::assertion), {80, false}), R"(
       peer[0]    line[0]    peer[1]        line[1]
          │          │          │              │
       1  ▪ (i == 0) │          │              │  peer[0] at 7:18
     2,4  ├──syn(1)─▶│          │              │  peer[0] at syn_sent,
          │          │          │              │  line[0].v = 1, …
       3  │          │          ▪ (i == 1)     │  peer[1] at listen
     5,6  │          ├──syn(1)─▶│              │  line[0] at end_idle,
          │          │          │              │  peer[1].got = 1, …
       7  │          │          ▪ got = 2      │  peer[1] at 11:44
     8,9  │          │          ├──syn_ack(2)─▶│  peer[1] at syn_received,
          │          │          │              │  line[1].v = 2, …
   10,11  │◀─────────┼──syn_ack(2)─────────────┤  line[1] at end_idle,
          │          │          │              │  peer[0].got = 2, …
   12,13  ├──ack(2)─▶│          │              │  peer[0] at end_established,
          │          │          │              │  line[0].v = 2, …
   14,15  │          ├──ack(2)─▶│              │  line[0] at end_idle, …
      16  │          │          ▪ wanted = 3   │  peer[1] at 13:35
      17  │          │          ╳              │  assert(got == wanted)
peer[0] at end_established, line[0] at end_idle, peer[1] at 13:35,
line[1] at end_idle
assertion: process peer[1] at 13:35: assert(got == wanted) does not hold, where got = 2, wanted = 3
… a state by its line and column, without room here (--width 118 has it)
)");
}

// Text without blanks and lifelines: what is wrapped in a margin stands together then.
std::string together(std::string text) {
  for (const std::string_view glyph : {" ", "\n", "│"})
    for (std::size_t at = 0; (at = text.find(glyph, at)) != std::string::npos;)
      text.erase(at, glyph.size());
  return text;
}

TEST(TextChart, HasEveryNameEveryValueAndEveryReferenceHoweverNarrowItIs) {
  std::size_t references = 0, names = 0, values = 0;
  for (const Drawn& drawn : {peers(), model("leader_election", "#define TWINS\n"), long_run(2)}) {
    const Chart chart = drawn.chart(ErrorKind::assertion);
    for (std::size_t width = least_chart_width; width < 160; width += 7) {
      const std::string text = together(text_chart(chart, {width, false}));
      for (const ChartEvent& event : chart.events) {
        std::vector<std::string> wanted;
        if (event.has_name)
          wanted.push_back(fmt::format("{} at {}", chart.names[event.process], event.state));
        names += event.has_name ? 1 : 0;
        for (const ChartWords& change : event.changes) wanted.push_back(change.elsewhere);
        values += event.changes.size();
        if (event.kind == ActionKind::receive && !event.joins_previous) {
          const ChartArrow& arrow = chart.arrows[event.arrow];
          wanted.push_back(
              fmt::format("takes {} of {}", arrow.label, chart.events[*arrow.sent].step));
          ++references;
        }
        for (const std::string& words : wanted)
          EXPECT_NE(text.find(together(words)), std::string::npos) << width << ": " << words;
      }
    }
  }
  EXPECT_GT(references, 50u);
  EXPECT_GT(names, 100u);
  EXPECT_GT(values, 100u);
}

TEST(TextChart, HasASignWhereAPlaceIsLeftOutAndSaysWhichWidthWouldDo) {
  std::size_t signs = 0;
  for (const Drawn& drawn : {peers(), model("leader_election", "#define TWINS\n"),
                             model("alternating_bit_link", "#define A3\n", TimeoutPolicy::lock)}) {
    const Chart chart = drawn.chart(ErrorKind::assertion);
    for (std::size_t width = least_chart_width; width < 160; width += 7) {
      const std::string text = text_chart(chart, {width, false});
      const std::size_t note = text.find("without room here (--width ");
      EXPECT_EQ(text.find("…") == std::string::npos, note == std::string::npos) << text;
      if (note == std::string::npos) continue;
      ++signs;
      const std::size_t enough = std::stoul(text.substr(text.find("--width ", note) + 8));
      EXPECT_GT(enough, width);
      EXPECT_EQ(text_chart(chart, {enough, false}).find("…"), std::string::npos) << enough;
    }
  }
  EXPECT_GT(signs, 10u);
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

// The internal steps that are drawn, without the one that fails.
std::vector<std::string> internal_steps(const Chart& chart) {
  std::vector<std::string> steps;
  for (const ChartEvent& event : chart.events)
    if (event.arrow == none && !event.fails) steps.push_back(event.text.elsewhere);
  return steps;
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

TEST(DocumentCharts, HaveNamesOfStatesAndWholeOnesTheirPlacesToo) {
  const Drawn drawn = peers();
  const std::string brief = mermaid_chart(drawn.chart(ErrorKind::assertion));
  EXPECT_NE(brief.find("p0->>p2: syn(1)\nNote over p0: at syn_sent\nNote over p2: v = 1\n"),
            std::string::npos)
      << brief;
  const Chart whole = drawn.chart(ErrorKind::assertion, {.fold = false});
  EXPECT_NE(mermaid_chart(whole).find("Note over p2: v = 1, at 26:24\n"), std::string::npos)
      << mermaid_chart(whole);
  EXPECT_NE(plantuml_chart(whole).find("rnote over p0 : at syn~_sent\n"), std::string::npos)
      << plantuml_chart(whole);
}

TEST(DocumentCharts, AreInTheLanguagesOfTheirTools) {
  const Chart chart = model("alternating_bit_link", "#define A2\n", TimeoutPolicy::lock)
                          .chart(ErrorKind::assertion);
  EXPECT_EQ("\n" + mermaid_chart(chart), R"(
sequenceDiagram
participant p0 as sender
participant p3 as link
participant p1 as receiver
participant p2 as user
p0->>p3: msg1
p3->>p1: msg1
p1->>p3: ack1
p1->>p2: msg1
Note over p3: ack1 is lost
Note over p0: timeout
p0->>p3: msg1
p3--)p1: [msg1]
Note over p3: fails
Note over p0,p2: sender at 37:5, link at 76:19, receiver at 58:5, user at 67:3
Note over p0,p2: ✕ assertion: receiver_alternates is violated by receiver!msg1
)");
  EXPECT_EQ("\n" + plantuml_chart(chart), R"(
@startuml
participant "sender" as p0
participant "link" as p3
participant "receiver" as p1
participant "user" as p2
p0 ->> p3: msg1
p3 ->> p1: msg1
p1 ->> p3: ack1
p1 ->> p2: msg1
rnote over p3 : ack1 is lost
rnote over p0 : timeout
p0 ->> p3: msg1
p3 -->>o p1: ~[msg1]
rnote over p3 : fails
rnote over p0,p2 : sender at 37:5, link at 76:19, receiver at 58:5, user at 67:3
hnote over p0,p2 #tomato : assertion: receiver~_alternates is violated by receiver!msg1
@enduml
)");
}

TEST(DocumentCharts, SayWhatIsConcurrentAndHaveNamesAsTheyAre) {
  CheckOptions options;
  options.order = Order::depth;
  options.search = SearchKind::exhaustive;
  const Drawn drawn(
      "proc my__very__own var x : 0..1; { x = 1 }\n"
      "proc other var y : 0..1; { y = 1; assert(0) }\n",
      {}, options);
  const Chart chart = drawn.chart(ErrorKind::assertion);
  ASSERT_GT(chart.concurrent_count, 0u);
  const std::string mermaid = mermaid_chart(chart), plantuml = plantuml_chart(chart);
  EXPECT_NE(mermaid.find("participant p0 as my__very__own\n"), std::string::npos) << mermaid;
  EXPECT_NE(mermaid.find("Note over p0: ~ x = 1, at end\n"), std::string::npos) << mermaid;
  EXPECT_NE(mermaid.find("Note over p0,p1: ~ concurrent with the fault: "), std::string::npos);
  EXPECT_NE(plantuml.find("participant \"my~_~_very~_~_own\" as p0\n"), std::string::npos)
      << plantuml;
  EXPECT_NE(plantuml.find("rnote over p0 : ~~ x = 1, at end\n"), std::string::npos) << plantuml;
}

// ---- what is true of all -------------------------------------------------------------------

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
  options.search = SearchKind::walk;
  options.forgetful.walks = 1;
  options.limits.depth = 300;
  std::size_t charts = 0, failing_receives = 0;
  for (options.forgetful.seed = 1; options.forgetful.seed <= 20; ++options.forgetful.seed)
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

TEST(Charts, OfLongCyclesAreFoldedToo) {
  CheckOptions options;
  options.keep_graph = true;
  options.search = SearchKind::exhaustive;
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

// In lines of so many columns, but for the sentences at its end.
void expect_width(const Chart& chart, std::size_t width) {
  TextStyle style;
  style.width = width;
  std::istringstream lines(text_chart(chart, style));
  bool is_footer = false;
  for (std::string line; std::getline(lines, line);) {
    is_footer |= line == chart.fault;
    EXPECT_TRUE(is_footer || columns(line) <= width) << line;
  }
}

TEST(TextChart, KeepsToItsWidth) {
  const Drawn few_rows(
      "channel c[0..39][1];\n"
      "proc waiting[i : 0..39] { c[i]?x }\n");
  const Drawn one_row(
      "channel c[0..39][1];\n"
      "proc sender { c[3]!y }\n"
      "proc waiting[i : 0..39] { c[i]?x }\n");
  ChartOptions cut;
  cut.most_events = 30;
  for (const std::size_t width : {40u, 60u, 80u, 100u, 200u}) {
    expect_width(long_run(3).chart(ErrorKind::assertion), width);
    expect_width(long_run(3).chart(ErrorKind::assertion, cut), width);
    expect_width(few_rows.chart(ErrorKind::deadlock), width);
    expect_width(one_row.chart(ErrorKind::deadlock), width);
  }
}

TEST(TextChart, PutsUpWithLongNames) {
  const std::string name(150, 'n');
  const Drawn drawn("channel to_" + name + "[1];\nproc a { to_" + name + "!" + name + " }\nproc " +
                    name + " { to_" + name + "?other }\n");
  for (const std::size_t width : {20u, 50u, 80u, 100u}) {
    TextStyle style;
    style.width = width;
    const std::string text = text_chart(drawn.chart(ErrorKind::unspecified_reception), style);
    EXPECT_NE(text.find("╳"), std::string::npos);
    EXPECT_LT(text.size(), 10'000u);
  }
}

TEST(TextChart, ShowsTheFaultHoweverNarrowItIs) {
  const Drawn drawn = model("dining_philosophers");
  TextStyle style;
  style.width = 40;
  const std::string text = text_chart(drawn.chart(ErrorKind::deadlock), style);
  for (const char* name : {"philosopher[0]", "fork[2]"})
    EXPECT_NE(text.find(std::string(name) + " at "), std::string::npos) << text;
  EXPECT_NE(text.find("(╳)"), std::string::npos) << text;
}

TEST(TextChart, CallsOnlyThatLostWhichCouldHaveBeenPassedOn) {
  const Drawn drawn(
      "channel client[1], server[1];\n"
      "proc client { server!request; client?reply }\n"
      "proc server { server?request; if :: client!reply :: skip fi }\n");
  EXPECT_EQ(drawn.text(ErrorKind::deadlock).find("lost"), std::string::npos);
}

TEST(TextChart, HasColourOnlyWhereItIsWanted) {
  const Chart chart = model("setup_handshake").chart(ErrorKind::deadlock);
  TextStyle style;
  EXPECT_EQ(text_chart(chart, style).find('\x1b'), std::string::npos);
  style.has_colour = true;
  std::string text = text_chart(chart, style);
  EXPECT_NE(text.find("\x1b[1;31m╳"), std::string::npos);
  while (text.find('\x1b') != std::string::npos) {
    const std::size_t at = text.find('\x1b');
    text.erase(at, text.find('m', at) - at + 1);
  }
  EXPECT_EQ(text, text_chart(chart, {}));
}

}  // namespace
}  // namespace panoptes
