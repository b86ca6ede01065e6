// SPDX-License-Identifier: Apache-2.0
// Who is stuck and who is not, and after how many steps that is so.
#include "search/stuck_processes.hpp"

#include <gtest/gtest.h>

#include "support/model.hpp"

namespace panoptes {
namespace {

using Texts = std::vector<std::string>;

// Every error as "kind process place: count times, steps", with others in brackets.
Texts errors_of(const std::string& text, CheckOptions options = {}) {
  options.search = ExhaustiveSearch{.storage = WholeGraph{}};
  const test::Compiled compiled = test::compile(text);
  Texts texts;
  for (const ErrorReport& error : test::check(compiled, options).errors) {
    std::string members;
    for (const Member& member : error.members) members += " " + name_of(compiled.program, member);
    texts.push_back(fmt::format("{} {} {}: {} times, {} steps{}", to_string(error.key.kind),
                                error.description.process, error.description.place, error.count,
                                error.trail.steps.size(), members));
  }
  return texts;
}

const std::string clock = "sink log; proc clock { do :: log!tick od }\n";

TEST(Stuck, IsWhoWaitsForWhatWillNeverCome) {
  const std::string client = "channel c[1], d[1]; proc client { c!ask; d?answer }\n";
  EXPECT_EQ(errors_of(clock + client + "proc clerk { end: do :: c?ask -> skip od }"),
            Texts{"stuck client 2:42: 2 times, 1 steps"})
      << "from the question on: nobody will answer";
  EXPECT_EQ(errors_of(clock + client + "proc clerk { end: do :: c?ask -> d!answer od }"), Texts{});
  EXPECT_EQ(
      errors_of(clock + client + "proc clerk { end: do :: c?ask -> if :: d!answer :: skip fi od }"),
      Texts{"stuck client 2:42: 1 times, 3 steps"})
      << "once the clerk has chosen";
}

TEST(Stuck, IsNobodyWhoMayStop) {
  EXPECT_EQ(errors_of(clock + "channel d[1]; proc p { end: d?never }"), Texts{});
  EXPECT_EQ(errors_of(clock + "channel d[1]; proc p { log!bye }"), Texts{});
  EXPECT_EQ(errors_of(clock + "channel d[1]; proc p { d?never }"),
            Texts{"stuck p 2:24: 1 times, 0 steps"});
}

TEST(Stuck, IsNotSaidWhereSomethingElseExplainsIt) {
  EXPECT_EQ(errors_of("channel d[1]; sink log; proc p { d?never } proc q { log!a }"),
            Texts{"deadlock  1:34,end: 1 times, 1 steps"});
  EXPECT_EQ(errors_of(clock + "channel d[1]; proc p { d?never } proc q { d!other }"),
            Texts{"unspecified_reception p 2:24: 1 times, 1 steps"});
  EXPECT_EQ(errors_of("channel d[1]; proc p { d?never } proc q { do :: skip od }").size(), 1u)
      << "a livelock";
  EXPECT_EQ(errors_of(clock + "channel d[1]; proc p { d?never } proc q { assert(0); d!never }"),
            Texts{"assertion q 2:43: 1 times, 1 steps"})
      << "nobody knows what would come behind that";
}

TEST(Stuck, MembersOfAFamilyAreOneError) {
  EXPECT_EQ(errors_of(clock + "channel d[0..1][1]; proc p[i : 0..1] { d[i]?never }"),
            Texts{"stuck p[0] 2:40: 2 times, 0 steps p[0] p[1]"});
}

TEST(Stuck, IsNobodyWhoMovesInsideOfASequence) {
  const std::string text =
      "channel c[0]; sink log;\n"
      "proc p { do :: atomic { log!a; c!m } od }\n"
      "proc q { do :: c?m -> log!b od }\n";
  EXPECT_EQ(errors_of(text), Texts{});
  EXPECT_EQ(errors_of(text + "proc r { do :: c?other -> log!c od }"),
            Texts{"stuck r 4:10: 4 times, 0 steps"});
}

}  // namespace
}  // namespace panoptes
