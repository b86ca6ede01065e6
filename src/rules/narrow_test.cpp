// SPDX-License-Identifier: Apache-2.0
#include "rules/narrow.hpp"

#include <gtest/gtest.h>

#include "support/program.hpp"

namespace panoptes {
namespace {

const std::string several_channels =
    "channel a[4], b, c[3] = { x, x }, d[1];\n"
    "sink s;\n"
    "proc p { a!m; b!m; c!m; d!m; s!m; if :: full(a) -> skip :: (len(b) < 2) -> skip fi }\n"
    "proc q { a?m; b?m; c?x; d?m }\n";

std::vector<std::uint32_t> slots_of(const Protocol& protocol) {
  std::vector<std::uint32_t> slots;
  for (const Channel& channel : protocol.channels) slots.push_back(channel.capacity);
  return slots;
}

using Slots = std::vector<std::uint32_t>;

// Whoever asks for at most so many slots gets them, whether a channel says how many it has or not;
// what it holds at first has room, and a sink has none.
TEST(Narrowing, LeavesRoomForTheContents) {
  const auto narrow = [](std::uint32_t slots) {
    return test::protocol_of(several_channels, {.most_slots = slots});
  };
  EXPECT_EQ(slots_of(test::protocol_of(several_channels)), (Slots{4, 2, 3, 1, 0}));
  EXPECT_EQ(slots_of(narrow(1)), (Slots{1, 1, 2, 1, 0}));
  EXPECT_EQ(slots_of(narrow(3)), (Slots{3, 2, 3, 1, 0}));
  EXPECT_EQ(narrowed_channels(narrow(1)), "a to 1 slot of 4, b to 1 slot of 2, c to 2 slots of 3");
  EXPECT_EQ(narrowed_channels(narrow(4)), "");
  EXPECT_EQ(narrowed_channels(
                test::protocol_of("channel c[1..9][2]; proc p { c[1]!m }", {.most_slots = 1})),
            "c[1] to 1 slot of 2, c[2] to 1 slot of 2, c[3] to 1 slot of 2, c[4] to 1 slot of 2 "
            "and 5 more");
}

TEST(Narrowing, OfAProgramKeepsItsRules) {
  const test::Compiled compiled = test::compile(several_channels);
  const auto narrow = narrowed(compiled.program, 1);
  ASSERT_TRUE(narrow);
  EXPECT_EQ(slots_of(narrow->protocol), (Slots{1, 1, 2, 1, 0}));
  EXPECT_LT(narrow->layout.bits, compiled.program.layout.bits);
  ASSERT_EQ(narrow->rules.size(), compiled.program.rules.size());
  for (RuleId rule = 0; rule < narrow->rules.size(); ++rule) {
    EXPECT_EQ(narrow->rules[rule].text, compiled.program.rules[rule].text);
    EXPECT_EQ(narrow->rules[rule].owner().from, compiled.program.rules[rule].owner().from);
    EXPECT_EQ(narrow->rules[rule].owner().to, compiled.program.rules[rule].owner().to);
  }
  EXPECT_FALSE(narrowed(*narrow, 1)) << "there is nothing left to narrow";
  EXPECT_FALSE(narrowed(compiled.program, 4));
}

}  // namespace
}  // namespace panoptes
