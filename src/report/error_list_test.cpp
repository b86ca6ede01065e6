// SPDX-License-Identifier: Apache-2.0
#include "report/error_list.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "base/display.hpp"
#include "report/error_lines.hpp"
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
            "   kind                   process  state    message     events  steps  seen\n"
            "1  unspecified_reception  q        waiting  to_q?offer       1      1     1\n"
            "2  deadlock                        q waiting                 1      1     2\n"
            "3  deadlock                        q late                    1      2     1\n");
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

// What differs is seen, and no line is wider than was asked for.
TEST(ErrorTable, KeepsWhatTellsErrorsApartHoweverNarrowItIs) {
  std::string p, q;
  for (int i = 0; i < 12; ++i) {
    p += fmt::format(" :: q!a_message_of_many_letters_{0:02}", i);
    q += fmt::format(" :: (1) -> a_label_of_many_letters_{0:02}: q?never{0}", i);
  }
  const Checked checked("channel q[1], r[1];\nproc idle { end_idle: r?x }\nproc p { if" + p +
                        " fi }\nproc q { if" + q + " fi }\n");
  const std::size_t errors = checked.verdict.errors.size();
  ASSERT_GT(errors, 12u * 12u);
  const ErrorRequest request{.show = {{errors - 80, errors}}};
  const std::string whole = checked.table(request);
  EXPECT_EQ(whole.find("end_idle"), std::string::npos) << "it may stop in all of them";
  EXPECT_NE(whole.find(" ?a_message_of_many_letters_03 "), std::string::npos) << whole;
  for (const std::size_t width : {100u, 72u, 60u, 48u, 20u}) {
    const std::string table = checked.table(request, width);
    std::set<std::string> rows;
    std::size_t lines = 0;
    std::istringstream in(table);
    for (std::string line; std::getline(in, line); ++lines) {
      EXPECT_LE(display_width(line), width) << line;
      rows.insert(line.substr(line.find_first_not_of(" 0123456789")));
    }
    EXPECT_EQ(lines, 82u);
    if (width < 48) continue;
    EXPECT_EQ(rows.size(), lines) << table;
  }
}

TEST(ErrorTable, HasAHundredRowsAndCountsTheOthersByKind) {
  std::string p = "proc p { if";
  for (int i = 0; i < 150; ++i) p += fmt::format(" :: (1) -> L{0}: assert({0} != {0})", i);
  p += " fi }\nproc q { if";
  for (int i = 0; i < 20; ++i) p += fmt::format(" :: (1) -> (1) -> (1) -> (1) -> c?m{0}", i);
  const std::string table = Checked("channel c[1] = { late };\n" + p + " fi }\n").table();
  EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 102);
  EXPECT_NE(table.find("\nand 70 more: 20 unspecified_reception, 50 assertion (--only WORD lists "
                       "those with it, --json all)\n"),
            std::string::npos)
      << table.substr(table.rfind('\n', table.size() - 2));
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
  EXPECT_EQ(checked.numbers({.only = {"to_q?offer"}}), "[1][2]") << "it is why all are stuck, too";
  EXPECT_EQ(checked.numbers({.only = {"offer"}}), "[1][2]");
  EXPECT_EQ(checked.numbers({.only = {"?offer"}}), "[1]") << "as a table may have it";
  EXPECT_EQ(checked.numbers({.only = {"end,late"}}), "[3]") << "all of it, as an object has it";
  EXPECT_EQ(checked.numbers({.only = {"warning"}}), "");
  const Checked unread("channel c[1]; proc p { c!m } proc q { if :: c?n :: skip fi }");
  EXPECT_EQ(unread.numbers({.only = {"warning"}}), "[1]");
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
  EXPECT_EQ(checked.list({.show = {{3, 7}}}).complaint(), "--show 3..7: there are only 3\n");
  EXPECT_EQ(checked.list({.show = {{4, 7}}}).complaint(),
            "--show 4..7: there is no such error; they are numbered 1 to 3\n");
  EXPECT_EQ(checked.list({.show = {{1, 1}, {3, 3}}, .only = {"late", "q"}}).complaint(),
            "--only: each word fits some error, but none fits all of them\n");
  EXPECT_EQ(checked.list({.show = {{1, 2}}, .only = {"late", "deadlock"}}).complaint(),
            "--show 1..2 --only late --only deadlock: none of these errors has that\n");
  EXPECT_EQ(checked.list({.only = {"nonsense"}}).complaint(),
            "--only nonsense: no error has that; there are kinds deadlock, unspecified_reception; "
            "processes q; states end, late, waiting; messages offer, to_q?offer\n");
  EXPECT_EQ(checked.list({.only = {"dedlock"}}).complaint(),
            "--only dedlock: no error has that; did you mean `deadlock`?\n");
  EXPECT_EQ(checked.list({.only = {"late", "offer"}}).complaint(),
            "--only: each word fits some error, but none fits all of them\n");
  Checked cut(several);
  cut.verdict.findings_left_out = 1234;
  EXPECT_EQ(cut.list({.only = {"dedlock"}}).complaint(),
            "--only dedlock: none of the 3 listed has that; 1,234 findings are not listed; did you "
            "mean `deadlock`?\n");
  EXPECT_EQ(cut.list({.show = {{2, 5}}}).complaint(),
            "--show 2..5: there are only 3; 1,234 findings are not listed\n");
  const Checked clean("proc p { skip }");
  EXPECT_EQ(clean.list({.show = {{1, 1}}, .only = {"x"}}).complaint(),
            "--show 1: there is no such error; nothing was found\n"
            "--only x: no error has that; nothing was found\n");
}

}  // namespace
}  // namespace panoptes
