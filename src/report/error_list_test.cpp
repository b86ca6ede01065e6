// SPDX-License-Identifier: Apache-2.0
#include "report/error_list.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "base/display.hpp"
#include "support/model.hpp"

namespace panoptes {
namespace {

// A reception, and two ways for the processes to be stuck.
const char* const several =
    "channel to_q[1], log[1];\n"
    "proc p { asking: if :: to_q!request :: to_q!offer :: log!bye fi }\n"
    "proc q { waiting: if :: to_q?request -> late: to_q?more :: to_q?later fi }\n";

struct Checked {
  explicit Checked(const std::string& text)
      : compiled(test::compile(text)), verdict(test::check(compiled)) {}
  ErrorList list(const ErrorRequest& request, std::size_t usual = 10) const {
    return {compiled.program, verdict, request, usual};
  }
  // The numbers that are wanted, those with a trail in brackets.
  std::string numbers(const ErrorRequest& request, std::size_t usual = 10) const {
    std::string text;
    const ErrorList listed = list(request, usual);
    for (const ListedError& each : listed.all())
      if (each.is_wanted)
        text +=
            each.has_trail ? fmt::format("[{}]", each.number) : fmt::format(" {} ", each.number);
    return text;
  }
  std::string table(const ErrorRequest& request = {}, std::size_t width = 0) const {
    return table_text(compiled.program, list(request), width);
  }
  test::Compiled compiled;
  Verdict verdict;
};

TEST(ErrorTable, HasALineForEachErrorWithWhatTellsItFromOthers) {
  EXPECT_EQ(Checked(several).table(),
            "   kind                   process  state        message     events  steps  seen\n"
            "1  unspecified_reception  q        waiting      to_q?offer       1      1     1\n"
            "2  deadlock                        end,waiting                   1      1     2\n"
            "3  deadlock                        end,late                      1      2     1\n");
}

TEST(ErrorTable, CountsMembersOfAFamilyOnceAndSaysHowMany) {
  const Checked checked(
      "channel c[0..2][1] = { token };\n"
      "proc node[i : 0..2] { c[i]?nothing }\n"
      "proc other { assert(0) }\n");
  EXPECT_EQ(checked.table(),
            "   kind                   process  state  message     events  steps  seen  members\n"
            "1  unspecified_reception  node[0]  2:23   c[0]?token       0      0     3        3\n"
            "2  assertion              other    3:14   assert(0)        0      1     1\n");
  EXPECT_EQ(checked.numbers({.only = {"assert(0)"}}), "[2]");
}

TEST(ErrorTable, IsCutToTheWidthOfATerminal) {
  const std::string wide = "a_rather_long_label_for_a_state_of_a_process_that_waits";
  const Checked checked("proc p { " + wide + ": assert(0) }\n");
  const std::string table = checked.table({}, 66);
  std::size_t longest = 0;
  std::istringstream lines(table);
  for (std::string line; std::getline(lines, line);)
    longest = std::max(longest, display_width(line));
  EXPECT_LE(longest, 66u) << table;
  EXPECT_NE(table.find("a_rather"), std::string::npos) << table;
  EXPECT_NE(table.find("…"), std::string::npos) << table;
}

// They are listed by their depths, so these are shown where steps tell something else.
TEST(ErrorTable, HasDepthsWhereAnIndivisibleSequenceIsOneStepOfSeveral) {
  EXPECT_EQ(Checked("channel c[1];\n"
                    "proc p var x : 0..3; { if\n"
                    "  :: atomic { x = 1; x = 2; x = 3 }; one: c?never\n"
                    "  :: x = 1; x = 2; two: c?no fi }\n")
                .table(),
            "   kind      state  events  steps  depth  seen\n"
            "1  deadlock  one         0      3      1     1\n"
            "2  deadlock  two         0      2      2     1\n");
}

TEST(ErrorTable, SaysWhereATrailIsPerhapsNotTheShortest) {
  const test::Compiled compiled = test::compile(several);
  CheckOptions options;
  options.search = ExhaustiveSearch{.order = Order::depth};
  const Verdict verdict = test::check(compiled, options);
  const std::string table = table_text(compiled.program, {compiled.program, verdict, {}, 10}, 0);
  EXPECT_NE(table.find("     ≤1     1\n"), std::string::npos) << table;
}

TEST(ErrorList, HasTheSameNumbersWhateverIsAskedFor) {
  const Checked checked(several);
  EXPECT_EQ(checked.numbers({}), "[1][2][3]");
  EXPECT_EQ(checked.numbers({}, 2), "[1][2] 3 ");
  EXPECT_EQ(checked.numbers({.trails = 1}), "[1] 2  3 ");
  EXPECT_EQ(checked.numbers({.trails = 0}), " 1  2  3 ");
  EXPECT_EQ(checked.numbers({.show = {{3, 3}}}), "[3]");
  EXPECT_EQ(checked.numbers({.show = {{3, 3}}}, 0), "[3]") << "what is asked for has its trail";
  EXPECT_EQ(checked.numbers({.show = {{3, 9}, {1, 1}}}), "[1][3]");
  EXPECT_EQ(checked.numbers({.only = {"deadlock"}}), "[2][3]");
  EXPECT_EQ(checked.numbers({.only = {"deadlock"}}, 1), "[2] 3 ");
  EXPECT_EQ(checked.numbers({.show = {{1, 2}}, .only = {"deadlock"}}), "[2]");
}

TEST(ErrorList, KeepsWhatAKindAProcessAStateOrAMessageFits) {
  const Checked checked(several);
  EXPECT_EQ(checked.numbers({.only = {"unspecified_reception"}}), "[1]");
  EXPECT_EQ(checked.numbers({.only = {"q"}}), "[1]");
  EXPECT_EQ(checked.numbers({.only = {"late"}}), "[3]");
  EXPECT_EQ(checked.numbers({.only = {"waiting"}}), "[1][2]");
  EXPECT_EQ(checked.numbers({.only = {"3:19"}}), "[1][2]") << "that is where it waits";
  EXPECT_EQ(checked.numbers({.only = {"to_q?offer"}}), "[1]");
  EXPECT_EQ(checked.numbers({.only = {"offer"}}), "[1]");
  EXPECT_EQ(checked.numbers({.only = {"waiting", "deadlock"}}), "[2]");
  EXPECT_EQ(checked.numbers({.only = {"dead"}}), "") << "a word, not a part of one";
  const Checked family("channel c[0..1][1] = { token };\nproc node[i : 0..1] { c[i]?nothing }\n");
  for (const char* word : {"node", "node[0]", "node[1]", "token"})
    EXPECT_EQ(family.numbers({.only = {word, "unspecified_reception"}}), "[1]") << word;
}

TEST(ErrorList, SaysWhatWasAskedForAndIsNotThere) {
  const Checked checked(several);
  EXPECT_EQ(checked.list({.show = {{2, 3}}, .only = {"deadlock"}}).complaint(), "");
  EXPECT_EQ(checked.list({.show = {{99999, 99999}}}).complaint(),
            "--show 99999: there is no such error; they are numbered 1 to 3\n");
  EXPECT_EQ(checked.list({.show = {{3, 7}}}).complaint(),
            "--show 3..7: there is no such error; they are numbered 1 to 3\n");
  EXPECT_EQ(checked.list({.only = {"nonsense"}}).complaint(),
            "--only nonsense: no error has that; there are kinds deadlock, unspecified_reception; "
            "processes q; states end, late, waiting; messages offer, to_q?offer\n");
  EXPECT_EQ(checked.list({.only = {"dedlock"}}).complaint(),
            "--only dedlock: no error has that; did you mean `deadlock`?\n");
  EXPECT_EQ(checked.list({.only = {"late", "offer"}}).complaint(),
            "--only: each word fits some error, but none fits all of them\n");
  const Checked clean("proc p { skip }");
  EXPECT_EQ(clean.list({.show = {{1, 1}}, .only = {"x"}}).complaint(),
            "--show 1: there is no such error; nothing was found\n"
            "--only x: no error has that; nothing was found\n");
}

}  // namespace
}  // namespace panoptes
