// SPDX-License-Identifier: Apache-2.0
// Whole sessions: commands in, everything that is said out.
#include "session/session.hpp"

#include <gtest/gtest.h>

#include "support/program.hpp"

namespace panoptes {
namespace {

const char* const model =
    "channel link[1];\n"
    "proc sender\n"
    "  var count : 0..3;\n"
    "{\n"
    "  do\n"
    "  :: link!msg -> count = count + 1\n"
    "  :: assert(count < 2) -> break\n"
    "  od\n"
    "}\n"
    "proc receiver\n"
    "{\n"
    "  link?msg;\n"
    "  wait: link?msg\n"
    "}\n";

class Sessions : public testing::Test {
 protected:
  Result<CostExpression, std::string> predicate(const std::string& text) {
    return read_expression(front_end_of("m"), "break", text, compiled_.program.protocol);
  }

  Session begin() {
    std::string problem;
    SessionDoors doors;
    doors.parse_predicate = [this](const std::string& text) { return predicate(text); };
    doors.save = [this](const std::string& path, const RecordedTrail& trail) {
      saved_ = trail;
      return path == "full" ? "no room" : "";
    };
    doors.interrupted = [this] { return is_interrupted_; };
    return {compiled_.program, compiled_.sources, Strictness{},
            *StepChooser::make(compiled_.program, 1, {{"msg", 900}}, problem), std::move(doors)};
  }

  // What is said to the commands, each shown before its answer.
  static std::string say(Session& session, const std::vector<std::string>& commands) {
    std::string out;
    for (const std::string& command : commands) {
      out += "> " + command + "\n" + session.execute(command);
      if (session.is_over()) return out + "over\n";
    }
    return out;
  }

  test::Compiled compiled_ = test::compile(model);
  RecordedTrail saved_;
  bool is_interrupted_ = false;
};

TEST_F(Sessions, ShowTheMenuAndWhatEveryStepChanges) {
  Session session = begin();
  EXPECT_EQ(session.begin(),
            "step 0 of 0\n"
            "  1) sender  6:6  link!msg\n"
            "  2) sender  7:6  assert(count < 2)\n");
  EXPECT_EQ(say(session, {"1", "step 1", "s 1", "  1  ", "state", "t"}),
            "> 1\n"
            "     1  sender  line 6  link!msg  -> 6:18\n"
            "          in channels: link: msg\n"
            "  1) sender    6:18  count = count + 1\n"
            "  2) receiver  12:3  link?msg\n"
            "> step 1\n"
            "     2  sender  line 6  count = count + 1  -> 5:3\n"
            "          sender.count 0 -> 1\n"
            "          in channels: link: msg\n"
            "  1) sender    7:6   assert(count < 2)\n"
            "  2) receiver  12:3  link?msg\n"
            "> s 1\n"
            "     3  sender  line 7  assert(count < 2)  -> end\n"
            "          in channels: link: msg\n"
            "  1) receiver  12:3  link?msg\n"
            ">   1  \n"
            "     4  receiver  line 12  link?msg  -> wait\n"
            "deadlock: no process can move\n"
            "  sender at end\n"
            "  receiver at wait, waits for link?msg\n"
            "> state\n"
            "step 4 of 4\n"
            "  sender at end\n"
            "  receiver at wait\n"
            "  sender.count = 1\n"
            "  link: empty\n"
            "> t\n"
            "     1  sender    line 6   link!msg           -> 6:18\n"
            "          in channels: link: msg\n"
            "     2  sender    line 6   count = count + 1  -> 5:3\n"
            "          sender.count 0 -> 1\n"
            "          in channels: link: msg\n"
            "     3  sender    line 7   assert(count < 2)  -> end\n"
            "          in channels: link: msg\n"
            "     4  receiver  line 12  link?msg           -> wait\n");
}

TEST_F(Sessions, GoBackAndOnAndDropWhatIsNotTakenAgain) {
  Session session = begin();
  say(session, {"1", "1"});
  EXPECT_EQ(say(session, {"back 2", "forward", "b", "goto 2", "f", "b 3", "goto 3", "g 0", "1", "2",
                          "trail", "restart", "trail"}),
            "> back 2\n"
            "step 0 of 2\n"
            "  1) sender  6:6  link!msg\n"
            "  2) sender  7:6  assert(count < 2)\n"
            "> forward\n"
            "     1  sender  line 6  link!msg  -> 6:18\n"
            "          in channels: link: msg\n"
            "  1) sender    6:18  count = count + 1\n"
            "  2) receiver  12:3  link?msg\n"
            "> b\n"
            "step 0 of 2\n"
            "  1) sender  6:6  link!msg\n"
            "  2) sender  7:6  assert(count < 2)\n"
            "> goto 2\n"
            "step 2 of 2\n"
            "  1) sender    7:6   assert(count < 2)\n"
            "  2) receiver  12:3  link?msg\n"
            "> f\n"
            "0 steps to go on, not 1\n"
            "> b 3\n"
            "2 steps to go back, not 3\n"
            "> goto 3\n"
            "the walk has 2 steps, not 3\n"
            "> g 0\n"
            "step 0 of 2\n"
            "  1) sender  6:6  link!msg\n"
            "  2) sender  7:6  assert(count < 2)\n"
            "> 1\n"
            "     1  sender  line 6  link!msg  -> 6:18\n"
            "          in channels: link: msg\n"
            "  1) sender    6:18  count = count + 1\n"
            "  2) receiver  12:3  link?msg\n"
            "> 2\n"
            "     2  receiver  line 12  link?msg  -> wait\n"
            "  1) sender  6:18  count = count + 1\n"
            "> trail\n"
            "     1  sender    line 6   link!msg  -> 6:18\n"
            "          in channels: link: msg\n"
            "     2  receiver  line 12  link?msg  -> wait\n"
            "> restart\n"
            "step 0 of 0\n"
            "  1) sender  6:6  link!msg\n"
            "  2) sender  7:6  assert(count < 2)\n"
            "> trail\n"
            "no step was taken yet\n");
}

TEST_F(Sessions, DrawTheRunSoFarAndTheErrorItHasComeTo) {
  Session session = begin();
  EXPECT_EQ(say(session, {"chart"}), "> chart\nno step was taken yet\n");
  say(session, {"1", "2"});
  EXPECT_EQ(say(session, {"chart"}),
            "> chart\n"
            "       sender  receiver\n"
            "          │        │\n"
            "     1,2  ├──msg──▶│  receiver at wait, sender at 6:18\n"
            "        6:18     wait\n");
  say(session, {"1", "2"});
  EXPECT_EQ(say(session, {"c"}),
            "> c\n"
            "       sender             receiver\n"
            "          │                   │\n"
            "     1,2  ├────────msg───────▶│  receiver at wait, sender at 6:18\n"
            "       3  ▪ count = 1         │  sender at 5:3\n"
            "       4  ▪ assert(count < 2) │  sender at end\n"
            "          │                   ╳\n"
            "         end                wait\n"
            "deadlock: no process can move\n");
  EXPECT_EQ(say(session, {"chart all"}),
            "> chart all\n"
            "`chart all`: wanted `chart` or `chart full`\n");
}

TEST(SessionCharts, HaveAllStepsWhereAsked) {
  const test::Compiled compiled = test::compile(test::model_text("two_phase_commit"));
  std::string problem;
  Session session(compiled.program, compiled.sources, {},
                  *StepChooser::make(compiled.program, 1, {}, problem), {});
  session.execute("random 40");
  const std::string brief = session.execute("chart"), full = session.execute("chart full");
  EXPECT_NE(brief.find(" internal steps are not drawn (chart full has them)\n"), std::string::npos)
      << brief;
  EXPECT_EQ(full.find("not drawn"), std::string::npos) << full;
  EXPECT_GT(std::ranges::count(full, '\n'), std::ranges::count(brief, '\n') + 5);
}

TEST_F(Sessions, StayBeforeAStepThatFails) {
  Session session = begin();
  say(session, {"1", "1", "2", "1", "1"});
  EXPECT_EQ(say(session, {"goto 5", "1", "back 0"}),
            "> goto 5\n"
            "step 5 of 5\n"
            "  1) sender    7:6   assert(count < 2)  fails: assertion\n"
            "  2) receiver  13:9  link?msg\n"
            "> 1\n"
            "assertion: process sender at 5:3: assert(count < 2) does not hold, where count = 2\n"
            "nothing comes after that; still before the step\n"
            "> back 0\n"
            "step 5 of 5\n"
            "  1) sender    7:6   assert(count < 2)  fails: assertion\n"
            "  2) receiver  13:9  link?msg\n");
}

TEST_F(Sessions, StopWhereTheyShould) {
  Session session = begin();
  EXPECT_EQ(say(session, {"break 9", "break 60", "break count == 1 && empty(link)", "k 13",
                          "break cuont > 1", "breaks"}),
            "> break 9\n"
            "no step begins in line 9; one does in 12\n"
            "> break 60\n"
            "no step begins in line 60\n"
            "> break count == 1 && empty(link)\n"
            "breakpoint 1: count == 1 && empty(link)\n"
            "> k 13\n"
            "breakpoint 2: line 13\n"
            "> break cuont > 1\n"
            "break:1:1: error: no variable is called `cuont`\n"
            "  cuont > 1\n"
            "  ^~~~~\n"
            "  did you mean `count`?\n"
            "> breaks\n"
            "breakpoint 1: count == 1 && empty(link)\n"
            "breakpoint 2: line 13\n");
  const std::string first = session.execute("run");
  EXPECT_TRUE(first.find("breakpoint 2: line 13\n") != std::string::npos) << first;
  EXPECT_TRUE(first.find("receiver  line 12  link?msg  -> wait\n") != std::string::npos) << first;
  EXPECT_EQ(say(session, {"delete 2", "d 2", "delete 1"}),
            "> delete 2\n"
            "breakpoint 2 is deleted\n"
            "breakpoint 1: count == 1 && empty(link)\n"
            "> d 2\n"
            "there is no breakpoint `2`; `breaks` lists them\n"
            "> delete 1\n"
            "breakpoint 1 is deleted\n"
            "there are no breakpoints\n");
}

TEST_F(Sessions, StopWhereAPredicateBecomesTrueAndNotWhereItStaysSo) {
  Session session = begin();
  say(session, {"break len(link) > 0"});
  const std::string answer = session.execute("random 9");
  EXPECT_TRUE(answer.find("breakpoint 1: len(link) > 0") != std::string::npos) << answer;
  const std::string more = session.execute("random");
  EXPECT_TRUE(more.find("breakpoint") == std::string::npos) << more;
}

TEST_F(Sessions, TakeTheSameStepsByChanceAfterARestart) {
  Session session = begin();
  const std::string first = session.execute("run");
  session.execute("restart");
  EXPECT_EQ(session.execute("u"), first);
  EXPECT_NE(first.find("     3  "), std::string::npos);
}

TEST_F(Sessions, EndWhenTheyAreInterruptedOrTold) {
  Session session = begin();
  EXPECT_EQ(say(session, {"", "q", "1"}), "> \n> q\nover\n");
  is_interrupted_ = true;
  Session other = begin();
  EXPECT_EQ(say(other, {"run"}), "> run\ninterrupted\nover\n");
}

TEST_F(Sessions, SaveTheStepsThatAreBehind) {
  Session session = begin();
  say(session, {"1", "1", "back"});
  EXPECT_EQ(say(session, {"save x y", "w full"}),
            "> save x y\nsaved 1 step to x y\n> w full\nno room\n");
  EXPECT_EQ(saved_.steps, std::vector<RuleId>{0});
  EXPECT_FALSE(saved_.error);
}

TEST_F(Sessions, SaveTheErrorTheyHaveComeTo) {
  Session session = begin();
  say(session, {"1", "2", "1", "2"});
  EXPECT_EQ(session.execute("save x"), "saved 4 steps to x, with the deadlock at their end\n");
  ASSERT_TRUE(saved_.error);
  EXPECT_EQ(saved_.error->kind, ErrorKind::deadlock);
  EXPECT_EQ(saved_.steps.size(), 4u);
  std::string problem;
  EXPECT_TRUE(confirm(compiled_.program, saved_, {}, compiled_.sources, problem)) << problem;
}

TEST_F(Sessions, SaveTheStepThatWasChosenLastAndFails) {
  Session session = begin();
  say(session, {"1", "1", "2", "1", "1", "1"});
  EXPECT_EQ(session.execute("save x"), "saved 6 steps to x, with the assertion at their end\n");
  ASSERT_TRUE(saved_.error);
  EXPECT_EQ(saved_.error->kind, ErrorKind::assertion);
  std::string problem;
  EXPECT_TRUE(confirm(compiled_.program, saved_, {}, compiled_.sources, problem)) << problem;
  say(session, {"back"});  // to where it was not chosen
  EXPECT_EQ(session.execute("save x"), "saved 4 steps to x\n");
  EXPECT_FALSE(saved_.error);
}

TEST_F(Sessions, SayThatARunHasNoEnd) {
  compiled_ = test::compile("var x : 0..1;\nproc p { do :: x = 1 - x od }\n");
  std::string problem;
  Session session(compiled_.program, compiled_.sources, Strictness{},
                  *StepChooser::make(compiled_.program, 1, {}, problem), {});
  const auto ends_with = [&](const std::string& command, const std::string& end) {
    const std::string answer = session.execute(command);
    EXPECT_TRUE(answer.ends_with(end))
        << answer.substr(answer.size() - std::min<std::size_t>(answer.size(), 200));
  };
  ends_with("run",
            "nothing has stopped it for 10,000 steps; `run` goes on\n"
            "  1) p  2:16  x = 1 - x\n");
  ends_with("random 2", "x 1 -> 0\n  1) p  2:16  x = 1 - x\n");
  ends_with("random 100000", "100000 steps are the most\n  1) p  2:16  x = 1 - x\n");
}

TEST_F(Sessions, ShowTheSourceWhereAProcessIs) {
  Session session = begin();
  EXPECT_EQ(say(session, {"list receiver", "l", "list sendr"}),
            "> list receiver\n"
            "receiver at m:12:3\n"
            "      9  }\n"
            "     10  proc receiver\n"
            "     11  {\n"
            ">    12    link?msg;\n"
            "     13    wait: link?msg\n"
            "     14  }\n"
            "     15  \n"
            "> l\n"
            "sender at m:5:3\n"
            "      2  proc sender\n"
            "      3    var count : 0..3;\n"
            "      4  {\n"
            ">     5    do\n"
            "      6    :: link!msg -> count = count + 1\n"
            "      7    :: assert(count < 2) -> break\n"
            "      8    od\n"
            "> list sendr\n"
            "no process is called `sendr`; did you mean `sender`?\n");
}

TEST_F(Sessions, SayWhatIsWrongWithACommand) {
  Session session = begin();
  EXPECT_EQ(say(session, {"0", "3", "stepp 1", "xyzzy", "step", "state 3", "back x", "goto -1",
                          "99999999999999999999", "random 0", "delete x"}),
            "> 0\nthere is no step `0`: the menu has 1 to 2\n"
            "> 3\nthere is no step `3`: the menu has 1 to 2\n"
            "> stepp 1\nthere is no command `stepp`; did you mean `step`?\n"
            "> xyzzy\nthere is no command `xyzzy`; `help` lists them\n"
            "> step\nstep what? `step N`: take step N of the menu; N alone does the same\n"
            "> state 3\n`state` takes nothing more\n"
            "> back x\n`x` is no number of steps\n"
            "> goto -1\n`-1` is no number of steps\n"
            "> 99999999999999999999\nthere is no command `99999999999999999999`; `help` lists "
            "them\n"
            "> random 0\n`0` is no number of steps\n"
            "> delete x\nthere is no breakpoint `x`; `breaks` lists them\n");
}

TEST_F(Sessions, BeginWhereATrailLeads) {
  Session session = begin();
  session.load({0, 2, 3}, 1);
  EXPECT_EQ(session.begin(),
            "step 1 of 3\n"
            "  1) sender    6:18  count = count + 1\n"
            "  2) receiver  12:3  link?msg\n");
}

TEST_F(Sessions, GoRoundACycleUntilAnotherStepIsTaken) {
  compiled_ = test::compile(
      "channel link[1];\n"
      "var x : 0..1;\n"
      "proc p { do :: x = 1; x = 0 od }\n"
      "proc q { link!msg; link?msg }\n");
  Session session = begin();
  session.load({2, 0, 1}, 0, 2);
  EXPECT_EQ(say(session, {"goto 0", "forward 5", "forward 99996", "goto 6", "goto 4", "1", "b", "2",
                          "forward", "back", "restart", "forward"}),
            "> goto 0\n"
            "step 0 of 3; steps 2 to 3 repeat for ever\n"
            "  1) p  3:16  x = 1\n"
            "  2) q  4:10  link!msg\n"
            "> forward 5\n"
            "     5  p  line 3  x = 0  -> 3:10\n"
            "          x 1 -> 0\n"
            "          in channels: link: msg\n"
            "  1) p  3:16  x = 1\n"
            "  2) q  4:20  link?msg\n"
            "> forward 99996\n"
            "100000 steps are the most; `restart` begins again\n"
            "> goto 6\n"
            "step 6 of 6; steps 2 to 3 repeat for ever\n"
            "  1) p  3:23  x = 0\n"
            "  2) q  4:20  link?msg\n"
            "> goto 4\n"
            "step 4 of 6; steps 2 to 3 repeat for ever\n"
            "  1) p  3:23  x = 0\n"
            "  2) q  4:20  link?msg\n"
            "> 1\n"
            "     5  p  line 3  x = 0  -> 3:10\n"
            "          x 1 -> 0\n"
            "          in channels: link: msg\n"
            "  1) p  3:16  x = 1\n"
            "  2) q  4:20  link?msg\n"
            "> b\n"
            "step 4 of 6; steps 2 to 3 repeat for ever\n"
            "  1) p  3:23  x = 0\n"
            "  2) q  4:20  link?msg\n"
            "> 2\n"
            "     5  q  line 4  link?msg  -> end\n"
            "  1) p  3:23  x = 0\n"
            "> forward\n"
            "0 steps to go on, not 1\n"
            "> back\n"
            "step 4 of 5\n"
            "  1) p  3:23  x = 0\n"
            "  2) q  4:20  link?msg\n"
            "> restart\n"
            "step 0 of 0\n"
            "  1) p  3:16  x = 1\n"
            "  2) q  4:10  link!msg\n"
            "> forward\n"
            "0 steps to go on, not 1\n");
}

TEST_F(Sessions, ListEveryCommandWithALetterOfItsOwn) {
  Session session = begin();
  const std::string help = session.execute("help");
  std::set<char> letters;
  std::size_t lines = 0;
  for (std::size_t at = 0; at < help.size(); at = help.find('\n', at) + 1, ++lines)
    letters.insert(help[at]);
  EXPECT_EQ(letters.size(), lines);
  EXPECT_EQ(lines, 17u);
  EXPECT_EQ(session.execute("h"), help);
}

}  // namespace
}  // namespace panoptes
