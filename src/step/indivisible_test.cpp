// SPDX-License-Identifier: Apache-2.0
#include "step/indivisible.hpp"

#include <gtest/gtest.h>

#include "step/interpreter.hpp"
#include "step/turn.hpp"
#include "support/program.hpp"

namespace panoptes {
namespace {

using Texts = std::vector<std::string>;

// The rules of every way through one step from the initial state, and what fails on the way.
Texts ways(const std::string& text) {
  const test::Compiled compiled = test::compile(text, {.minimise = false});
  const Program& program = compiled.program;
  IndivisibleStepper stepper(std::make_unique<Interpreter>(program));
  SuccessorBatch successors;
  std::vector<Finding> findings;
  stepper.expand({program.layout.words, program.initial}, successors, findings);
  Texts result;
  const auto add = [&](const std::vector<RuleId>& rules, const std::string& end) {
    std::string way;
    for (const RuleId rule : rules) way += (way.empty() ? "" : "; ") + program.rules[rule].text;
    result.push_back(way + end);
  };
  for (std::size_t i = 0; i < successors.size(); ++i) add(stepper.rules_to(i), "");
  for (const Finding& finding : findings) {
    std::vector<RuleId> rules;
    if (finding.inside) rules = finding.inside->rules;
    rules.push_back(finding.rule);
    add(rules, fmt::format(" fails: {}", to_string(finding.kind)));
  }
  return result;
}

TEST(Indivisible, SequencesAreOneStep) {
  EXPECT_EQ(ways("var x; proc p { atomic { x = 1; x = 2; x = 3 } x = 4 }"),
            Texts{"x = 1; x = 2; x = 3"});
  EXPECT_EQ(ways("var x; proc p { if :: atomic { x = 1; x = 2 } :: x = 3 fi; x = 4 }"),
            (Texts{"x = 1; x = 2", "x = 3"}));
  EXPECT_EQ(ways("var x; proc p { atomic { x = 1; atomic { x = 2 } x = 3 } }"),
            Texts{"x = 1; x = 2; x = 3"});
  EXPECT_EQ(ways("var x; procedure q(a) { x = a; x = 2 } proc p { atomic { q(1); x = 3 } }"),
            Texts{"x = a; x = 2; x = 3"});
}

TEST(Indivisible, SequencesEndWhereTheyBlock) {
  EXPECT_EQ(ways("var x; proc p { atomic { x = 1; (x == 2); x = 3 } }"), Texts{"x = 1"});
  EXPECT_EQ(ways("channel c[1]; proc p { atomic { c!m; c!m; c!m } } proc q { c?m }"), Texts{"c!m"});
}

TEST(Indivisible, SequencesEndWhereTheyAreLeft) {
  EXPECT_EQ(ways("var x; proc p { atomic { x = 1; goto out; x = 2 } out: x = 3 }"), Texts{"x = 1"});
  EXPECT_EQ(ways("var x; proc p { do :: atomic { x = 1; break } od; x = 3 }"), Texts{"x = 1"});
  EXPECT_EQ(ways("var x; proc p { L: atomic { x = 1; goto L } }"), Texts{"x = 1"});
  EXPECT_EQ(ways("var x; proc p { atomic { x = 1 } atomic { x = 2 } }"), Texts{"x = 1"});
}

TEST(Indivisible, EveryWayIsFollowedAndEveryEndGivenOnce) {
  EXPECT_EQ(ways("var x; proc p { atomic { x = 1; if :: x = 2 :: x = 3 :: x = 2 fi; x++ } }"),
            (Texts{"x = 1; x = 2; x = x + 1", "x = 1; x = 3; x = x + 1"}));
}

TEST(Indivisible, WhatFailsInsideIsKnownByItsWay) {
  EXPECT_EQ(ways("var x; proc p { atomic { x = 1; if :: assert(x == 2) :: x = 3 fi } }"),
            (Texts{"x = 1; x = 3", "x = 1; assert(x == 2) fails: assertion"}));
}

TEST(Indivisible, ASequenceThatComesBackIsEndless) {
  EXPECT_EQ(ways("var x : 0..1; proc p { atomic { do :: x = 1 - x od } }"),
            Texts{"x = 1 - x; x = 1 - x; x = 1 - x fails: endless_atomic"});
  EXPECT_EQ(ways("var x; proc p { atomic { x = 1; do :: skip od } }"),
            Texts{"x = 1; skip fails: endless_atomic"});
  EXPECT_EQ(ways("var x; proc p { atomic { x = 1; do :: x = 1 :: break od } }"),
            (Texts{"x = 1; break", "x = 1; x = 1 fails: endless_atomic"}));
}

TEST(Indivisible, ASequenceOfVeryManyStatesIsEndlessToo) {
  const Texts found = ways("var x, y; proc p { atomic { do :: x++ :: y++ od } }");
  ASSERT_EQ(found.size(), 2u);
  for (const std::string& way : found) EXPECT_TRUE(way.ends_with("fails: endless_atomic"));
}

// A single step at a time, those of others are there only where the sequence waits.
TEST(Turn, IsOfOneProcessInsideASequence) {
  const test::Compiled compiled = test::compile(
      "var x, y; proc p { atomic { x = 1; x = 2; (y == 1); x = 3 } } proc q { y = 1 }");
  const Program& program = compiled.program;
  Turn turn(program);
  StateBatch state{program.layout.words, program.initial};
  Texts seen;
  for (const char* next : {"x = 1", "x = 2", "y = 1", "(y == 1)", "x = 3"}) {
    SuccessorBatch successors;
    std::vector<Finding> findings;
    turn.expand(state, successors, findings);
    std::string all;
    std::size_t taken = 0;
    for (std::size_t i = 0; i < successors.size(); ++i) {
      const std::string& text = program.rules[successors.rules[i]].text;
      all += (i == 0 ? "" : ", ") + text;
      if (text == next) taken = i;
    }
    seen.push_back(all);
    const StateView there = successors.states[taken];
    turn.take(successors.rules[taken], state[0], there);
    state.assign(there);
  }
  EXPECT_EQ(seen, (Texts{"x = 1, y = 1", "x = 2", "y = 1", "(y == 1)", "x = 3"}));
}

}  // namespace
}  // namespace panoptes
