// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <sstream>

#include "support/chart.hpp"

namespace panoptes {
namespace {

using test::columns;
using test::Drawn;
using test::long_run;
using test::model;
using test::peers;

// Text without blanks and lifelines: what is wrapped in a margin stands together then.
std::string together(std::string text) {
  for (const std::string_view glyph : {" ", "\n", "│"})
    for (std::size_t at = 0; (at = text.find(glyph, at)) != std::string::npos;)
      text.erase(at, glyph.size());
  return text;
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

TEST(TextChart, ShowsARendezvousAsOneStep) {
  EXPECT_EQ(
      model("handshake", "#define IMPATIENT\n", TimeoutPolicy::empty).text(ErrorKind::deadlock),
      R"(
       client      server
          │           │
       1  ├──request─▶│  client at 13:3, server at 25:24
          ╳           ╳
        13:3        25:24
deadlock: no process can move
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
  options.search = ExhaustiveSearch{.storage = WholeGraph{}};
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
