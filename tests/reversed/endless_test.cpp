// SPDX-License-Identifier: Apache-2.0
// An indivisible sequence of which it is said that it always ends does.
#include "backward/endless.hpp"

#include <gtest/gtest.h>

#include "differential/generator.hpp"
#include "reversed/forwards.hpp"
#include "support/program.hpp"
#include "support/sample.hpp"

namespace panoptes::backward {
namespace {

bool may_be_endless(const Program& program) {
  ReversedProgram reversed(program);
  const PossibleTogether together(reversed, {});
  return panoptes::may_be_endless(reversed, together, {});
}

bool may_be_endless(const std::string& body) {
  return may_be_endless(test::compile("var a[3] : 0..3 = 2, x : 0..7;\n"
                                      "proc p { do :: atomic { x = (x + 1) % 7; " +
                                      body + " } od }\n")
                            .program);
}

TEST(Endless, IsALoopThatComesBackToAState) {
  EXPECT_TRUE(may_be_endless("do :: x = (x + 1) % 7 :: break od"));
  EXPECT_TRUE(may_be_endless("do :: (a[x % 3] != 0) -> x = (x + 1) % 6 :: else -> break od"));
}

TEST(Endless, IsNoLoopOnWhichSomethingOnlyGrows) {
  EXPECT_FALSE(may_be_endless("do :: (x < 7) -> x++ :: else -> break od"));
}

TEST(Endless, IsNoLoopThatTakesFromAnArrayWhatIsThere) {
  EXPECT_FALSE(
      may_be_endless("do :: (a[x % 3] != 0) -> a[x % 3] = 0, x = (x + 1) % 6 :: else -> break od"));
  // One of three is put back.
  EXPECT_TRUE(
      may_be_endless("do :: (a[x % 3] != 0) -> a[x % 3] = 0, a[(x + 1) % 3] = 1, x = (x + 1) % 6"
                     "   :: else -> break od"));
}

TEST(Endless, OfRandomProtocolsIsNeverFoundWhereItIsExcluded) {
  std::uint64_t found = 0, excluded = 0;
  for (std::uint64_t seed = 0; seed < test::sample_of(1'500) && !HasFailure(); ++seed) {
    const test::Compiled compiled = test::compile(differential::random_protocol(seed));
    if (!has_indivisible(compiled.program)) continue;
    bool is_endless = false;
    const auto use = [&](const StateBatch&, const std::vector<Finding>& findings) {
      for (const Finding& finding : findings)
        is_endless = is_endless || finding.kind == ErrorKind::endless_atomic;
    };
    for_each_reachable(compiled.program, ReceptionPolicy::blocked, 500, use);
    const bool may_be = may_be_endless(compiled.program);
    EXPECT_TRUE(may_be || !is_endless) << "seed " << seed;
    found += is_endless;
    excluded += !may_be;
  }
  EXPECT_GT(found, test::sample_of(30) / 10);
  EXPECT_GT(excluded, 20u);
}

}  // namespace
}  // namespace panoptes::backward
