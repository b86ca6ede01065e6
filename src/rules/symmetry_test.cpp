// SPDX-License-Identifier: Apache-2.0
// Members that are alike are found, and what tells members apart is, with its place.
#include "rules/symmetry.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/program.hpp"

namespace panoptes {
namespace {

// What is found in a model: groups, then each family that is in none, with the reason and where.
std::string found_in(const std::string& text) {
  const test::Compiled compiled = test::compile(text);
  const Symmetry symmetry = find_symmetry(compiled.program);
  std::string result = symmetry.empty() ? "" : symmetry_text(symmetry);
  for (const NotAlike& other : symmetry.others) {
    const LineColumn at = compiled.sources.line_column(other.place);
    result += fmt::format("{}not {}: {} at {}:{}", result.empty() ? "" : "; ", other.family,
                          other.reason, at.line, at.column);
  }
  return result;
}

TEST(Symmetry, IsFoundWhereTheIndexOnlyChoosesWhatBelongsToAMember) {
  EXPECT_EQ(found_in("var flag[3] : 0..1;\n"
                     "proc node[i : 0..2] { do :: flag[i] = 1 :: flag[i] = 0 od }"),
            "node[0..2], 6 arrangements");
  EXPECT_EQ(found_in("channel inbox[0..3][1];\n"
                     "proc node[i : 0..3] var x : 0..2; { do :: inbox[i]?m(x) od }\n"
                     "proc source { do :: inbox[*]!m(1) od }"),
            "node[0..3], 24 arrangements");
}

TEST(Symmetry, RenamesNumbersInVariablesAndMessages) {
  EXPECT_EQ(found_in("channel request[2], inbox[0..2][1];\n"
                     "var holder : 0..3 = 3;\n"
                     "proc client[i : 0..2] {\n"
                     "  do :: request!ask(i); inbox[i]?grant; assert(holder == i);\n"
                     "     holder = 3 od }\n"
                     "proc server var who : 0..3 = 3; {\n"
                     "  do :: request?ask(who); (holder == 3); holder = who; inbox[who]!grant;\n"
                     "     who = 3 od }"),
            "client[0..2], 6 arrangements");
}

TEST(Symmetry, TakesFamiliesThatGoTogetherForOne) {
  EXPECT_EQ(found_in("channel to[0..2][1], from[0..2][1];\n"
                     "proc client[i : 0..2] { do :: to[i]!ask; from[i]?answer od }\n"
                     "proc server[j : 0..2] { do :: to[j]?ask; from[j]!answer od }"),
            "client[0..2] and server[0..2], 6 arrangements");
  EXPECT_EQ(found_in("var count : 0..9;\n"
                     "proc reader[i : 1..2] { do :: count = 1 od }\n"
                     "proc writer[j : 0..2] { do :: count = 2 od }"),
            "reader[1..2], writer[0..2], 12 arrangements");
}

TEST(Symmetry, TurnsRings) {
  EXPECT_EQ(found_in("channel next[0..3][1];\n"
                     "proc node[i : 0..3] {\n"
                     "  do :: next[(i + 1) % 4]!token :: next[i]?token od }"),
            "node[0..3] (a ring), 4 arrangements");
}

TEST(Symmetry, SaysWhatTellsMembersApart) {
  EXPECT_EQ(found_in("var x : 0..3;\n"
                     "proc node[i : 0..2] { do :: x = i :: (x < 2); x = 3 od }"),
            "not node: `x` is the number of a member, and is compared in size at 2:38");
  EXPECT_EQ(found_in("var x : 0..3;\n"
                     "proc node[i : 0..2] { do :: x = i :: x = x + 1 od }"),
            "not node: `x` is the number of a member, and is calculated with at 2:38");
  EXPECT_EQ(found_in("var x : 0..3;\n"
                     "proc node[i : 0..2] { if :: (i == 0); x = 1 :: (i != 0); x = 2 fi }"),
            "not node: with node[0] and node[1] exchanged, `(i == 0)` of node[0] has no "
            "counterpart at 2:29");
  EXPECT_EQ(found_in("channel c[0..1][1];\n"
                     "proc node[i : 0..1] var x : 0..1; { c[i]?m(x) }\n"
                     "proc source { c[0]!m(1) }"),
            "not node: `c[0]` has no counterpart for node[0] and node[1] at 1:9");
}

TEST(Symmetry, HoldsTheInitialStateAndTheErrorsToIt) {
  EXPECT_EQ(found_in("var turn : 0..1;\n"
                     "proc node[i : 0..1] { do :: (turn == i); turn = 1 - turn od }"),
            "not node: `turn` is the number of a member, and is calculated with at 2:42");
  EXPECT_EQ(found_in("var turn : 0..2;\n"
                     "proc node[i : 0..1] {\n"
                     "  do :: (turn == i); turn = 2 :: (turn == 2); turn = i od }"),
            "not node: `turn` tells node[0] and node[1] apart in the initial state at 1:5");
  EXPECT_EQ(found_in("var turn : 0..2 = 2;\n"
                     "proc node[i : 0..1] {\n"
                     "  do :: (turn == i); turn = 2 :: (turn == 2); turn = i od }"),
            "node[0..1], 2 arrangements");
  EXPECT_EQ(found_in("var turn : 0..2 = 2;\n"
                     "never early (turn == 1);\n"
                     "proc node[i : 0..1] {\n"
                     "  do :: (turn == i); turn = 2 :: (turn == 2); turn = i od }"),
            "not node: `never (turn == 1)` does not treat node[0] and node[1] alike at 2:1");
  EXPECT_EQ(found_in("var turn : 0..2 = 2;\n"
                     "never late (turn > 0);\n"
                     "proc node[i : 0..1] {\n"
                     "  do :: (turn == i); turn = 2 :: (turn == 2); turn = i od }"),
            "not node: `turn` is the number of a member, and is compared in size at 2:1");
}

TEST(Symmetry, LooksAtBehaviourAssertions) {
  const std::string protocol =
      "channel c[0..1][1];\n"
      "proc node[i : 0..1] { do :: c[i]!m; c[i]?m od }\n";
  EXPECT_EQ(
      found_in(protocol + "assert { do :: c[0]!m; c[0]?m od }"),
      "not node: with node[0] and node[1] exchanged, `c[0]!m` of node[0] has no counterpart at "
      "2:29");
  EXPECT_EQ(found_in(protocol + "assert order[k : 0..1] { do :: c[k]!m; c[k]?m od }"),
            "node[0..1], 2 arrangements");
}

TEST(Symmetry, IsOfNobodyWithoutFamilies) {
  EXPECT_EQ(found_in("var x : 0..1; proc one { x = 1 } proc two { x = 1 }"), "");
}

}  // namespace
}  // namespace panoptes
