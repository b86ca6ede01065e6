// SPDX-License-Identifier: Apache-2.0
// Members of a family that fail alike are one error.
#include "verdict/error_key.hpp"

#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "support/model.hpp"

namespace panoptes {
namespace {

using Texts = std::vector<std::string>;

// "sentence, times, steps: members" of each error.
Texts groups(const test::Compiled& compiled, const CheckOptions& wanted = {}) {
  CheckOptions options = wanted;
  options.strict = true;
  Texts texts;
  for (const ErrorReport& error : test::check(compiled, options).errors) {
    Texts members;
    for (const Member& member : error.members) members.push_back(name_of(compiled.program, member));
    texts.push_back(fmt::format("{}, {} times, {} steps: {}", error.description.text, error.count,
                                error.trail.steps.size(), fmt::join(members, " ")));
  }
  return texts;
}

Texts groups(const std::string& text, const test::Setup& setup = {.minimise = false}) {
  return groups(test::compile(text, setup));
}

TEST(Families, ThatCannotReceiveAreOneError) {
  EXPECT_EQ(
      groups("channel c[0..2][1] = { n };\n"
             "proc p[i : 0..2] { end: do :: c[i]?m od }\n"),
      Texts{"process p[0] at 2:25 (end:) cannot receive c[0]?n, which is first in its channel, 3 "
            "times, 0 steps: p[0] p[1] p[2] c[0] c[1] c[2]"});
}

TEST(Families, OfChannelsOfOneProcessAreOneError) {
  EXPECT_EQ(
      groups("channel c[0..1][1] = { n };\n"
             "proc p { end: do :: c[0]?m :: c[1]?m od }\n"),
      Texts{
          "process p at 2:15 (end:) cannot receive c[0]?n, which is first in its channel, 2 times, "
          "0 steps: c[0] c[1]"});
  EXPECT_EQ(groups("channel c[0..2][1]; proc p { c[0]!m; c[2]!m }"),
            Texts{"all processes have ended and c[0] is not empty, 2 times, 2 steps: c[0] c[2]"});
}

TEST(Families, WhoseStepsFailAreOneErrorAndTheShortestTrailIsShown) {
  EXPECT_EQ(groups("proc p[i : 0..2] var x; { if :: (i == 0) -> (1); (1) :: (i > 0) fi; "
                   "assert(x > 0) }"),
            Texts{"process p[1] at 1:69: assert(x > 0) does not hold, where x = 0, 20 times, 2 "
                  "steps: p[0] p[1] "
                  "p[2]"});
  EXPECT_EQ(groups("proc p[i : 1..2] var x; { x = i / x }").size(), 1u);
  EXPECT_EQ(groups("channel c[0..1]; proc p[i : 1..2] var x = 5; { c[x]!m }").size(), 1u);
  EXPECT_EQ(groups("channel c[0..1][1] = { m }; proc p[i : 0..1] { c[i]!m } proc q { end: do :: "
                   "c[0]?m :: c[1]?m od }",
                   {.overflow = OverflowPolicy::error})
                .size(),
            1u);
}

TEST(Families, OfAssertionsAreOneError) {
  EXPECT_EQ(groups("channel c[0..1]; proc p { c[0]!m; c[0]!m } proc q { c[1]!m; c[1]!m } proc r { "
                   "end: do :: c[0]?m :: c[1]?m od } assert once[i : 0..1] { c[i]!m }"),
            Texts{"once[0] is violated by c[0]!m, 12 times, 2 steps: once[0] once[1] c[0] c[1]"});
  EXPECT_EQ(groups("sink c[0..1]; proc p { c[0]!k } assert twice[i : 0..1] { c[i]!k; c[i]!k }"),
            Texts{"the protocol ends before twice[0] is complete, 2 times, 1 steps: twice[0] "
                  "twice[1]"});
}

// Two members, each of which stops at one of two places.
constexpr char two_places[] = "proc p[i : 0..1] { if :: goto a :: goto b fi; a: (0); b: (0 == 1) }";

TEST(Deadlocks, AreOneWhoeverOfAFamilyIsWhere) {
  EXPECT_EQ(groups(two_places), (Texts{"no process can move, 1 times, 2 steps: ",
                                       "no process can move, 2 times, 2 steps: p[0] p[1]",
                                       "no process can move, 1 times, 2 steps: "}));
  // Not so where they are two declarations.
  EXPECT_EQ(groups("proc p { if :: goto a :: goto b fi; a: (0); b: (0 == 1) }\n"
                   "proc q { if :: goto a :: goto b fi; a: (0); b: (0 == 1) }")
                .size(),
            4u);
}

TEST(Livelocks, AreOneWhoeverOfAFamilyMoves) {
  CheckOptions options;
  options.search = ExhaustiveSearch{.storage = WholeGraph{}};
  // One of them spins while the other waits, or both spin.
  const Texts found = groups(
      test::compile("var taken : 0..1; proc p[i : 0..1] var x : 0..1; { if :: (taken == 0) -> "
                    "taken = 1; do :: x +% 2 od :: (taken == 1) -> (0) fi }",
                    {.minimise = false}),
      options);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_TRUE(found[0].starts_with("p[0] can only go on")) << found[0];
  EXPECT_TRUE(found[0].ends_with(": p[0] p[1]")) << found[0];
  EXPECT_TRUE(found[1].starts_with("p[0] and p[1] can only go on")) << found[1];
  EXPECT_TRUE(found[1].ends_with(": ")) << found[1];
}

TEST(Families, ShowTheSameMemberForAnyNumberOfThreads) {
  for (const char* text :
       {two_places, "channel c[0..3][1] = { n }; proc p[i : 0..3] { skip; skip; c[i]?m }"})
    for (unsigned threads = 1; threads <= 3; ++threads) {
      const test::Compiled compiled = test::compile(text, {.minimise = false});
      CheckOptions options;
      options.threads = threads;
      EXPECT_EQ(groups(compiled, options), groups(compiled)) << text;
    }
}

TEST(Keys, SayExactlyWhichMemberOrLeaveItOpen) {
  const Program program =
      test::compile("channel c[0..1][1] = { n }; proc p[i : 0..1] { c[i]?m }").program;
  const auto reception = [](std::uint32_t member) {
    Finding finding;
    finding.kind = ErrorKind::unspecified_reception;
    finding.process = member;
    finding.channel = member;
    finding.tag = 1;
    return finding;
  };
  EXPECT_NE(exact_key_of(program, reception(0), program.initial),
            exact_key_of(program, reception(1), program.initial));
  EXPECT_EQ(key_of(program, reception(0), program.initial),
            key_of(program, reception(1), program.initial));
}

}  // namespace
}  // namespace panoptes
