// SPDX-License-Identifier: Apache-2.0
#include "backward/claim_cover.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "support/program.hpp"

namespace panoptes {
namespace {

// It must say what looking at every claim says, whatever was asked before.
TEST(ClaimCover, FindsTheClaimsThatOneByOneAreAround) {
  const test::Compiled compiled = test::compile(
      "channel c[3];\n"
      "var x : 0..9;\n"
      "var y : 0..9;\n"
      "proc p { c!one; x = 1; c!two }\n"
      "proc q { c?one; y = 2; c?two }\n");
  ClaimSpace space(compiled.program);
  std::mt19937 random(7);
  const auto claim = [&] {
    Claim made = space.everything();
    for (std::size_t place = 0; place < space.numbers(); ++place) {
      const ValueSet& all = space.number(space.everything(), place);
      if (random() % 2 == 0) continue;
      const std::int64_t low = all.low() + static_cast<std::int64_t>(random() % 3);
      space.put(made, place, all & ValueSet(low, low + static_cast<std::int64_t>(random() % 6)));
      if (space.number(made, place).is_empty()) space.forget(made, place);
    }
    ChannelClaim said{.known = {}, .least = 0, .most = 2};
    if (random() % 2 == 0) {
      said.known.push_back(space.message(0, 1 + random() % 2));
      space.put(made, 0, std::move(said));
    }
    return made;
  };
  ClaimCover cover(space);
  std::vector<Claim> added;
  std::size_t found = 0;
  EXPECT_FALSE(cover.has_around(space.everything()));
  for (int round = 0; round < 2000; ++round) {
    if (round % 10 == 0) {
      added.push_back(claim());
      cover.add(added.back());
    }
    const Claim asked = claim();
    const auto around = std::find_if(added.begin(), added.end(),
                                     [&](const Claim& one) { return space.is_within(asked, one); });
    const auto answer = cover.first_around(asked);
    ASSERT_EQ(answer.has_value(), around != added.end());
    if (!answer) continue;
    ++found;
    ASSERT_EQ(*answer, static_cast<std::size_t>(around - added.begin()));
  }
  EXPECT_GT(found, 100u);
  cover.clear();
  EXPECT_FALSE(cover.has_around(added.front()));
}

}  // namespace
}  // namespace panoptes
