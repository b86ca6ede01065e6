// SPDX-License-Identifier: Apache-2.0
#include "rules/fold.hpp"

#include <gtest/gtest.h>

#include <bit>

#include "support/program.hpp"

namespace panoptes {
namespace {

const char* const folding_model =
    "channel c[1], ring[0..1][1]; var s : 0..3;\n"
    "proc p[i : 0..1] var x : 0..7; { do :: c!m(s) :: ring[i]!m :: x++; s = x od }\n"
    "proc q var x : 0..1; { do :: c?m(x) :: x = s :: ring[0]?m :: ring[1]?m od }\n";

// How many bits of the state are ignored, or the problem.
std::string folded(const std::string& part) {
  const test::Compiled compiled = test::compile(folding_model);
  std::string problem;
  const auto bits = folded_bits(compiled.program, part, problem);
  if (!bits) return problem;
  int count = 0;
  for (const Word word : *bits) count += std::popcount(word);
  return fmt::format("{} bits", count);
}

TEST(Foldings, IgnoreTheBitsOfTheirParts) {
  EXPECT_EQ(folded("variable s"), "2 bits");
  EXPECT_EQ(folded("variable p[0].x"), "3 bits");
  EXPECT_EQ(folded("variable p.x"), "6 bits") << "of all members";
  EXPECT_EQ(folded("variable q.x"), "1 bits");
  EXPECT_EQ(folded("variable x"), "7 bits") << "all that are called so";
  EXPECT_EQ(folded("channel ring"), "2 bits") << "all members";
  EXPECT_EQ(folded("channel ring[1]"), "1 bits");
}

TEST(Foldings, OfNothingAreRefused) {
  EXPECT_EQ(folded("process r"), "no process is called `r`");
  EXPECT_EQ(folded("channel rng"), "no channel is called `rng`");
  EXPECT_EQ(folded("variable p"), "no variable is called `p`");
  EXPECT_EQ(folded("state s"),
            "wanted process NAME, channel NAME or variable NAME, found `state s`");
}

}  // namespace
}  // namespace panoptes
