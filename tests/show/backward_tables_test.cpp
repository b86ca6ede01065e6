// SPDX-License-Identifier: Apache-2.0
// Tables are reversed as section 3 of Holzmann's Backward Symbolic Execution of Protocols has it,
// and every rule is in them, whatever it does.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "report/show.hpp"
#include "report/show_content.hpp"
#include "show/every_model.hpp"
#include "support/json.hpp"
#include "support/program.hpp"

namespace panoptes::show {
namespace {

using Json = nlohmann::json;

std::string backward(const std::string& model, const test::Setup& setup = {}) {
  const test::Compiled compiled = test::compile(model, setup);
  return show_backward_tables(compiled.program, compiled.sources, {});
}

// The table of the first process.
std::string first_table(const std::string& text) {
  return text.substr(0, text.find("\n\nbackward table", 1)) + "\n";
}

// `text` with every `from` replaced.
std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

// His table of process A, but for the numbers: here the process may stop where it starts.
TEST(BackwardTables, AreThoseOfTheFlowControlProtocol) {
  EXPECT_EQ(
      first_table(backward(test::model_text("flow_control"))),
      "backward table of process A\n"
      "\n"
      "  rows = states\\actions        │ ~TOB!msg  claim N == 2  claim N != 2  N--  ~B?msg  ~A!msg "
      " "
      "M++\n"
      "  ─────────────────────────────┼────────────────────────────────────────────────────────────"
      "───\n"
      "  0 = 0 end (31:3, start, end) │                                            2               "
      "1\n"
      "  1 = 4 39:15                  │                                                    0\n"
      "  2 = 3 38:6                   │                                       3\n"
      "  3 = 2 37:6                   │                         4\n"
      "  4 = 1 33:6                   │ 0         4\n");
}

// He starts from row 2 of the forward table, which he takes for a deadlock. Where the process may
// stop there and nowhere else, the numbers are his.
TEST(BackwardTables, HaveThePrintedNumbersFromThePrintedStart) {
  std::string model = replaced(test::model_text("flow_control"), "\nend:\n", "\n\n");
  model = replaced(model, "     N++;", "end: N++;");
  model = replaced(model, "     M++;", "end: M++;");
  EXPECT_EQ(first_table(backward(model)),
            "backward table of process A\n"
            "\n"
            "  rows = states\\actions   │ ~TOB!msg  claim N == 2  claim N != 2  N--  ~B?msg  ~A!msg"
            "  M++\n"
            "  ────────────────────────┼──────────────────────────────────────────────────────────"
            "─────\n"
            "  0 = 2 end (37:6, start) │                         1\n"
            "  1 = 1 33:6              │ 2         1\n"
            "  2 = 0 31:3 (end)        │                                            4             "
            "  3\n"
            "  3 = 4 39:15             │                                                    2\n"
            "  4 = 3 38:6              │                                       0\n");
}

// From the end on: ~Q!y; ~Q!x; ~Q?y; ~Q?x.
TEST(BackwardTables, KeepQueuesFirstInFirstOut) {
  EXPECT_EQ(backward("queue Q = { };\nproc p { Q!x; Q!y; Q?x; Q?y }\n"),
            "backward table of process p\n"
            "\n"
            "  rows = states\\actions │ ~Q?x  ~Q?y  ~Q!x  ~Q!y\n"
            "  ──────────────────────┼───────────────────────\n"
            "  0 = 4 end (start)     │                   1\n"
            "  1 = 3 2:25            │             2\n"
            "  2 = 2 2:20            │       3\n"
            "  3 = 1 2:15            │ 4\n"
            "  4 = 0 2:10 (end)      │\n");
}

TEST(BackwardTables, ClaimWhatTimeoutsAndVariablesAskFor) {
  const std::string model =
      "channel c[1], d[1];\n"
      "proc p { var n : 0..3;\n"
      "  do\n"
      "  :: (n < 3) -> c!m(n); n++\n"
      "  :: d?timeout -> n = 0\n"
      "  :: d?ack(n) -> break\n"
      "  od }\n"
      "proc q { var x : 0..3; do :: c?m(x) -> d!ack(x) od }\n";
  EXPECT_EQ(backward(model, {.timeouts = TimeoutPolicy::lock}),
            "backward table of process p\n"
            "\n"
            "  rows = states\\actions │ claim n < 3  ~c?m(n)  n--  claim empty(d); claim nothing "
            "else can move  claim n == 0; forget n  ~d!ack(n); forget n\n"
            "  ──────────────────────┼───────────────────────────────────────────────────────────"
            "─────────────────────────────────────────────────────────\n"
            "  0 = 4 end (start)     │                                                           "
            "                                      1\n"
            "  1 = 0 3:3 (end)       │                       3                                   "
            "              2\n"
            "  2 = 3 5:19            │                            1\n"
            "  3 = 2 4:25            │              4\n"
            "  4 = 1 4:17            │ 1\n"
            "\n"
            "backward table of process q\n"
            "\n"
            "  rows = states\\actions   │ ~c!m(x); forget x  ~d?ack(x)\n"
            "  ────────────────────────┼─────────────────────────────\n"
            "  0 = 0 8:24 (start, end) │                    1\n"
            "  1 = 1 8:40              │ 0\n");
}

// ---- what rules do -----------------------------------------------------------------------------

// The actions of process `p`, reversed.
std::vector<std::string> reversed(const std::string& model) {
  return backward_table(test::compile(model).program, 0).actions;
}
using Actions = std::vector<std::string>;

TEST(ReversedActions, OfArithmeticAreItsInverse) {
  EXPECT_EQ(reversed("var x : 0..3; var f : 0..1; var a[3] : 0..7; var i : 0..2;\n"
                     "proc p { do\n"
                     ":: x++ :: x-- :: x += 2 :: x = 3 - x :: x = (x + 1) % 4 :: x = (x - 3) % 4\n"
                     ":: f = !f :: a[i]++ :: a[1] -= 3\n"
                     "od }\n"),
            (Actions{"x--", "x++", "x -= 2", "x = 3 - x", "x = (x - 1) % 4", "x = (x + 3) % 4",
                     "f = !f", "a[i]--", "a[1] += 3"}));
}

// Several values before it lead to the same one behind it.
TEST(ReversedActions, OfOtherArithmeticAskForWhatWasBefore) {
  EXPECT_EQ(reversed("var x : 0..3; var y : 0..9 = 9; var a[3] : 0..2;\n"
                     "proc p { do\n"
                     ":: x = x * 2 :: y = (y + 1) % 4 :: a[a[0]] = a[1]\n"
                     "od }\n"),
            (Actions{"x such that x * 2 == x'", "y such that (y + 1) % 4 == y'",
                     "a[a[0]] such that a[1] == a[a[0]]'"}));
}

// All assignments of a step read the state before it.
TEST(ReversedActions, UndoSeveralAssignmentsInAnOrderInWhichNoneReadsWhatIsStillToBeUndone) {
  EXPECT_EQ(
      reversed("var x : 0..3; var y : 0..3; var z : 0..3; var a[3] : 0..3; var i : 0..2;\n"
               "proc p { do\n"
               ":: z = 0, x = z, y = x == z :: a[i] = 1, i = 0 :: x = y, y = x\n"
               ":: a[i] = 2, a[x % 3] = 3\n"
               "od }\n"),
      (Actions{"claim z == 0; forget z; claim x == z; forget x; claim y == (x == z); forget y",
               "claim i == 0; forget i; claim a[i] == 1; forget a[i]",
               "x, y such that y == x', x == y'",
               "a[i], a[x % 3] such that 2 == a[i]', 3 == a[x % 3]' (of one element, the "
               "last)"}));
}

TEST(ReversedActions, PutBackWhatWasReceived) {
  EXPECT_EQ(
      reversed("channel c[2]; var x : 0..3; var y : 0..3; var a[2] : 0..3; var i : 0..1;\n"
               "proc p { do\n"
               ":: c?m(x, y) :: c?m(_, y) :: c?m(== x, y) :: c?m(x, _) when (x > 1)\n"
               ":: c?m(a[i], _) :: c?default\n"
               "od }\n"
               "proc q { do :: c!m(0, 1) :: c!k od }\n"),
      (Actions{"~c!m(x, y); forget x; forget y", "~c!m(_, y); forget y", "~c!m(x, y); forget y",
               "~c!m(c.value1, _); claim x == c.value1; forget x; claim c.value1 > 1",
               "~c!m(c.value1, _); claim a[i] == c.value1; forget a[i]", "~c!k"}));
}

TEST(ReversedActions, OfWhatLinesDoLeaveTheQueueAsItIs) {
  EXPECT_EQ(reversed("channel c[2] lossy duplicating reordering;\n"
                     "proc p { var x : 0..3; do :: c!m(x) :: c?m(x) od }\n"),
            (Actions{"~c?m(x)", "~c?m(x) (lost)", "claim head of c is m(x); forget x",
                     "claim message 2 of c is m(x); forget x",
                     "~c!m(x) before the last 1; forget x", "~c!m(x); forget x"}));
}

TEST(ReversedActions, AreThereForEverythingElse) {
  EXPECT_EQ(reversed("channel c[1], d[0..1][1]; sink s; var x : 0..3;\n"
                     "proc p { do\n"
                     ":: flush c :: s!log :: atomic { x = 1; c!m } :: assert(x < 3) :: skip\n"
                     ":: d[x]!m :: when (x > 1) c!m\n"
                     ":: c?m -> if :: (x == 0) :: else fi\n"
                     "od }\n"
                     "assert order { do :: s!log od }\n"),
            (Actions{"claim empty(c); forget c", "~s?log (sink); order moves back",
                     "claim x == 1; forget x, indivisible", "~c?m", "claim x < 3", "skip",
                     "no way back: d[x]!m with an index out of range", "~d[0]?m; claim x == 0",
                     "~d[1]?m; claim x == 1", "~c?m; claim x > 1", "~c!m", "claim x == 0",
                     "claim else"}));
}

// Both processes take their step back together; each does the opposite of what it did.
TEST(ReversedActions, OfARendezvousAreInBothTables) {
  EXPECT_EQ(backward("channel c[0]; var x : 0..3;\nproc p { c!m(2) }\nproc q { c?m(x) }\n"),
            "backward table of process p\n"
            "\n"
            "  rows = states\\actions │ claim x == 2; forget x; ~c?m(2), together with q\n"
            "  ──────────────────────┼─────────────────────────────────────────────────\n"
            "  0 = 1 end (start)     │ 1\n"
            "  1 = 0 2:10 (end)      │\n"
            "\n"
            "backward table of process q\n"
            "\n"
            "  rows = states\\actions │ claim x == 2; forget x; ~c!m(2), together with p\n"
            "  ──────────────────────┼─────────────────────────────────────────────────\n"
            "  0 = 1 end (start)     │ 1\n"
            "  1 = 0 3:10 (end)      │\n");
}

// ---- where they start --------------------------------------------------------------------------

using Rows = std::vector<StateId>;

Rows states_of(const BackwardTable& table) {
  Rows states;
  for (const BackwardTable::Row& row : table.rows) states.push_back(row.state);
  return states;
}

TEST(BackwardTables, StartWhereAProcessMayStopElseWhereItWaitsElseWhereItStarts) {
  const test::Compiled compiled = test::compile(
      "channel c[1], d[1]; var x : 0..3;\n"
      "proc stops { do :: x++ -> end_here: x-- :: c?m -> break od }\n"
      "proc waits { do :: x++; d?m; x-- od }\n"
      "proc runs { do :: x++; x-- od }\n"
      "proc sends { do :: c!m :: d!m od }\n");
  const BackwardTable stops = backward_table(compiled.program, 0);
  EXPECT_EQ(stops.starts, 2u);
  EXPECT_EQ(states_of(stops), (Rows{2, 1, 0}));
  EXPECT_EQ(stops.end, 2u);
  const BackwardTable waits = backward_table(compiled.program, 1);
  EXPECT_EQ(waits.starts, 1u);
  EXPECT_EQ(states_of(waits), (Rows{1, 0, 2}));
  const BackwardTable runs = backward_table(compiled.program, 2);
  EXPECT_EQ(runs.starts, 1u);
  EXPECT_EQ(states_of(runs), (Rows{0, 1}));
}

TEST(BackwardTables, AreRefusedWhereTheyWouldBeTooLarge) {
  std::string text = "channel c[1];\nproc p { c!m0";
  for (int i = 1; i < 1001; ++i) text += "; c!m" + std::to_string(i);
  EXPECT_EQ(first_table(backward(text + " }\nproc q { do :: c?default od }\n")),
            "backward table of process p\n"
            "\n"
            "  1,002 states and 1,001 actions: too many for a table; --format json has them\n");
}

// ---- every model -------------------------------------------------------------------------------

// A rule is one step back in the table of each process that it moves.
TEST(BackwardTables, HaveEveryRuleOfEveryModelTurnedRound) {
  for (const std::string& path : every_model()) {
    const std::string name = std::filesystem::path(path).stem().string();
    const test::Compiled compiled = test::compile(test::model_text(name));
    const Program& program = compiled.program;
    EXPECT_NE(show_backward_tables(program, compiled.sources, {}), "") << name;
    const Json json = test::parse_json(show_backward_tables_json(program, compiled.sources));
    ASSERT_EQ(json["tables"].size(), program.control.size()) << name;
    for (ProcessId p = 0; p < program.control.size(); ++p) {
      const Json& table = json["tables"][p];
      const Automaton& automaton = program.protocol.processes[p].automaton;
      const Json& rows = table["rows"];
      std::set<StateId> states;
      std::map<RuleId, std::pair<StateId, StateId>> steps;
      std::size_t step_count = 0;
      for (std::size_t r = 0; r < rows.size(); ++r) {
        EXPECT_EQ(rows[r]["row"], r) << name;
        states.insert(rows[r]["state"].get<StateId>());
        for (const Json& step : rows[r]["back"]) {
          ++step_count;
          EXPECT_NE(table["actions"].at(step["action"].get<std::size_t>()), "") << name;
          steps[step["rule"].get<RuleId>()] = {rows[step["row"].get<std::size_t>()]["state"],
                                               rows[r]["state"]};
        }
      }
      std::map<RuleId, std::pair<StateId, StateId>> wanted;
      for (RuleId id = 0; id < program.rules.size(); ++id)
        for (const ProcessMove& move : program.rules[id].moves)
          if (move.process == p) wanted[id] = {move.from, move.to};
      EXPECT_EQ(steps, wanted) << name;
      EXPECT_EQ(step_count, wanted.size()) << name;
      EXPECT_EQ(states.size(), rows.size()) << name;
      EXPECT_EQ(rows.size(), transition_table(program, automaton).rows.size()) << name;
      EXPECT_EQ(rows[table["end"].get<std::size_t>()]["state"], automaton.initial) << name;
    }
  }
}

}  // namespace
}  // namespace panoptes::show
