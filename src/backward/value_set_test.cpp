// SPDX-License-Identifier: Apache-2.0
#include "backward/value_set.hpp"

#include <gtest/gtest.h>

namespace panoptes {
namespace {

// Every set of the numbers 0 to 6, by the bits of `members`.
ValueSet set_of(unsigned members) {
  ValueSet set;
  for (int i = 6; i >= 0; --i)  // in the order that costs most
    if ((members >> i & 1) != 0) set.add(i);
  return set;
}

TEST(ValueSets, AreSets) {
  for (unsigned left = 0; left < 128; ++left) {
    const ValueSet a = set_of(left);
    EXPECT_EQ(a.size(), static_cast<std::uint64_t>(__builtin_popcount(left)));
    EXPECT_EQ(a.is_one(), a.size() == 1);
    unsigned members = 0;
    a.for_each([&](std::int64_t value) { members |= 1u << value; });
    EXPECT_EQ(members, left);
    for (unsigned right = 0; right < 128; ++right) {
      const ValueSet b = set_of(right);
      EXPECT_EQ(a & b, set_of(left & right));
      EXPECT_EQ(a | b, set_of(left | right));
      EXPECT_EQ(a - b, set_of(left & ~right));
      EXPECT_EQ(a.is_within(b), (left & ~right) == 0);
    }
  }
}

TEST(ValueSets, AreWrittenAsIntervalsWithHoles) {
  EXPECT_EQ(to_text(ValueSet(-3, 12) - ValueSet(0, 4) - ValueSet::only(6)), "{-3..-1, 5, 7..12}");
  EXPECT_EQ(to_text(ValueSet()), "{}");
}

}  // namespace
}  // namespace panoptes
