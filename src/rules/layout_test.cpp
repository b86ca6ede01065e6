// SPDX-License-Identifier: Apache-2.0
#include "rules/layout.hpp"

#include <gtest/gtest.h>

#include <random>

#include "support/program.hpp"

namespace panoptes {
namespace {

using test::protocol_of;

Layout layout_of(const Protocol& protocol) {
  std::string problem;
  auto layout = make_layout(protocol, problem);
  if (!layout) throw std::runtime_error(problem);
  return std::move(*layout);
}

Layout layout_of(const std::string& text, const BuildOptions& options = {}) {
  return layout_of(protocol_of(text, options));
}

// Why a protocol has no layout.
std::string problem_of(const Protocol& protocol) {
  std::string problem;
  EXPECT_FALSE(make_layout(protocol, problem));
  return problem;
}

// Marks every bit of every part in `used`; a bit marked twice or beyond its word is a mistake.
void expect_parts_apart(const Layout& layout) {
  std::vector<std::vector<bool>> used(layout.words, std::vector<bool>(64));
  std::uint32_t marked = 0;
  const auto mark = [&](std::uint32_t word, std::uint32_t shift, std::uint32_t bits) {
    if (bits == 0) return;
    ASSERT_LT(word, layout.words);
    ASSERT_LE(shift + bits, 64u) << "straddles a word";
    for (std::uint32_t bit = shift; bit < shift + bits; ++bit) {
      EXPECT_FALSE(used[word][bit]) << "word " << word << " bit " << bit;
      used[word][bit] = true;
      ++marked;
    }
  };
  for (const auto* slots : {&layout.control, &layout.variables, &layout.assertions})
    for (const Slot& slot : *slots) mark(slot.word, slot.shift, slot.bits);
  for (const ChannelLayout& channel : layout.channels)
    for (const ChannelPiece& piece : channel.pieces)
      mark(piece.word, piece.shift, piece.slots * channel.slot_bits);
  EXPECT_EQ(marked, layout.bits);
}

// ---- sizes -------------------------------------------------------------------------------------

TEST(Layout, OfThePapersProtocolTakesNineBits) {
  const Layout layout = layout_of(test::model_text("alternating_bit"), {.minimise = false});
  EXPECT_EQ(layout.bits, 9u);
  EXPECT_EQ(layout.words, 1u);
  EXPECT_EQ(layout.control[0].bits, 3u);        // 6 states
  EXPECT_EQ(layout.control[1].bits, 2u);        // 4 states
  EXPECT_EQ(layout.channels[0].slot_bits, 2u);  // empty or one of two messages
  EXPECT_EQ(layout.channels[1].slot_bits, 2u);
  expect_parts_apart(layout);
}

TEST(Layout, OfTheSetupHandshakeTakesAtMostThirtySevenBits) {
  const Layout layout = layout_of(test::model_text("setup_handshake"), {.minimise = false});
  EXPECT_LE(layout.bits, 37u);
  EXPECT_EQ(layout.words, 1u);
  expect_parts_apart(layout);
}

TEST(Layout, GivesAVariableTheBitsItsRangeNeeds) {
  Protocol protocol = protocol_of("var x; proc p { }");
  const auto bits = [&](Interval range) {
    protocol.variables[0].range = range;
    const Slot slot = layout_of(protocol).variables[0];
    EXPECT_EQ(slot.minimum, range.low);
    EXPECT_EQ(slot.maximum, range.high);
    return slot.bits;
  };
  EXPECT_EQ(bits({5, 5}), 0u);
  EXPECT_EQ(bits({0, 1}), 1u);
  EXPECT_EQ(bits({-1, 1}), 2u);
  EXPECT_EQ(bits({10, 13}), 2u);
  EXPECT_EQ(bits({0, 4}), 3u);
  EXPECT_EQ(bits(short_integer), 16u);
}

TEST(Layout, GivesNothingToWhatNeverChanges) {
  const Layout layout = layout_of("var x = 9; sink s; proc p { } assert { }");
  EXPECT_EQ(layout.bits, 0u);
  EXPECT_EQ(layout.words, 1u);
  EXPECT_TRUE(layout.channels[0].pieces.empty());
  EXPECT_EQ(read(layout.variables[0], StateWords{0}), 9);
}

TEST(Layout, GivesEveryMessageATagAndItsValuesTheBitsTheyNeed) {
  const Layout layout = layout_of(
      "channel c[3]; proc p var x : 0..5; { c!a; c!b(x, x - 1); c!b(1); x = 5 }\n"
      "proc q { do :: c?default od }");
  const ChannelLayout& channel = layout.channels[0];
  EXPECT_EQ(channel.tag_bits, 2u);  // none, a, b of two values, b of one
  ASSERT_EQ(channel.tags.size(), 3u);
  EXPECT_TRUE(channel.tags[0].empty());
  ASSERT_EQ(channel.tags[1].size(), 2u);
  EXPECT_EQ(channel.tags[1][0].bits, 0u);  // x is 0 wherever b is sent
  EXPECT_EQ(channel.tags[1][1].minimum, -1);
  EXPECT_EQ(channel.slot_bits, 2u);
}

// ---- channels of several words -----------------------------------------------------------------

TEST(Layout, CutsALargeChannelBetweenItsSlots) {
  const Layout layout = layout_of(test::model_text("split_merge"));
  expect_parts_apart(layout);
  for (const ChannelLayout& channel : layout.channels) {
    ASSERT_GT(channel.pieces.size(), 1u);
    std::uint32_t slots = 0;
    for (const ChannelPiece& piece : channel.pieces) {
      EXPECT_LE(piece.slots * channel.slot_bits, 64u);
      slots += piece.slots;
    }
    EXPECT_EQ(slots, 16u);
    EXPECT_EQ(channel.last_slot, 15u);
  }
}

TEST(Layout, KeepsAnyMixOfSlotsApart) {
  std::mt19937 random(3);
  for (int round = 0; round < 50; ++round) {
    std::string text = "channel c[" + std::to_string(1 + random() % 40) + "], d[1];\nproc p var x0";
    const int variables = 1 + static_cast<int>(random() % 30);
    for (int v = 1; v < variables; ++v) text += fmt::format(", x{} : 0..{}", v, random() % 30000);
    text += "; { do :: c!m(x0) :: d!n(x0) :: x0 = x0 + 1";
    for (int v = 1; v < variables; ++v) text += fmt::format(" :: x{0} = x{0} + 1", v);
    expect_parts_apart(layout_of(text + " od }"));
  }
}

TEST(Layout, OfAMessageWiderThanAWordOrAStateOfTooManyIsRefused) {
  Protocol protocol = protocol_of("channel c; proc p { c!m(1, 2, 3) }");
  for (Interval& value : protocol.channels[0].sort[0].values) value = {0, (1 << 22) - 1};
  EXPECT_EQ(problem_of(protocol),
            "message `m` in `c` takes 67 bits, the limit is 64: declare smaller ranges");
  protocol = protocol_of(
      "channel c[0..99][16]; proc p var x, y; { do :: x++ :: y++ :: c[x]!m(y, y, y) od }");
  EXPECT_NE(problem_of(protocol).find("words of 64 bits, the limit is 1024"), std::string::npos);
}

// ---- reading and writing -----------------------------------------------------------------------

TEST(Slots, HoldEveryValueOfTheirRangeAndNoOther) {
  const Slot slot{.word = 1, .shift = 5, .bits = 4, .minimum = -3, .maximum = 8};
  StateWords state{~Word{0}, ~Word{0}, ~Word{0}};
  for (std::int64_t value = -3; value <= 8; ++value) {
    EXPECT_TRUE(write(slot, value, state));
    EXPECT_EQ(read(slot, state), value);
    EXPECT_EQ(state[1] | (Word{15} << 5), ~Word{0}) << "a neighbour was changed";
  }
  const StateWords before = state;
  for (const std::int64_t value : {-4, 9, 12, 100}) EXPECT_FALSE(write(slot, value, state));
  EXPECT_EQ(state, before);
  EXPECT_EQ(state[0], ~Word{0});
  EXPECT_EQ(state[2], ~Word{0});
}

TEST(Slots, OfNoBitsHoldTheirMinimum) {
  const Slot slot{.word = 0, .shift = 0, .bits = 0, .minimum = 7, .maximum = 7};
  StateWords state{42};
  EXPECT_EQ(read(slot, state), 7);
  EXPECT_TRUE(write(slot, 7, state));
  EXPECT_FALSE(write(slot, 8, state));
  EXPECT_EQ(state[0], 42u);
}

TEST(ChannelContents, AreReadFromHeadToTail) {
  const test::Compiled compiled = test::compile(
      "channel c[20] = { a, b(-7), b(300), a, b(5, 1) }, d[1]; proc p { do :: c?default od }");
  const ChannelLayout& channel = compiled.program.layout.channels[0];
  const StateView state = compiled.program.initial;
  const std::vector<Message> messages = contents(channel, state);
  std::string text;
  for (const Message& message : messages)
    text += message_text(compiled.program.protocol, 0, message.tag, message.values) + " ";
  EXPECT_EQ(text, "a b(-7) b(300) a b(5, 1) ");
  EXPECT_EQ(length(channel, state), 5u);
  EXPECT_EQ(head_tag(channel, state), 1u);
  EXPECT_FALSE(is_full(channel, state));
  EXPECT_EQ(message_at(channel, 19, state), 0u);
  EXPECT_EQ(message_at(channel, 20, state), 0u);  // beyond the end
  EXPECT_TRUE(contents(compiled.program.layout.channels[1], state).empty());
}

TEST(Layouts, HoldValuesOfThirtyTwoBits) {
  Protocol protocol = protocol_of("var x, y; channel c[1]; proc p { x = y; c!m(x) }");
  const Interval ends[] = {{INT32_MIN, INT32_MAX}, {0, UINT32_MAX}};
  protocol.variables[0].range = ends[0];
  protocol.variables[1].range = ends[1];
  protocol.channels[0].sort[0].values = {ends[0]};
  const Layout layout = layout_of(protocol);
  expect_parts_apart(layout);
  StateWords state(layout.words, 0);
  for (VariableId v = 0; v < 2; ++v) {
    EXPECT_EQ(layout.variables[v].bits, 32u);
    for (const std::int64_t value : {ends[v].low, ends[v].high, ends[v].high / 2}) {
      EXPECT_TRUE(write(layout.variables[v], value, state));
      EXPECT_EQ(read(layout.variables[v], state), value);
    }
    EXPECT_FALSE(write(layout.variables[v], ends[v].low - 1, state));
    EXPECT_FALSE(write(layout.variables[v], ends[v].high + 1, state));
  }
  EXPECT_EQ(layout.channels[0].tags[0][0].bits, 32u);
  protocol.channels[0].sort[0].values = {ends[0], ends[1]};
  EXPECT_EQ(problem_of(protocol),
            "message `m` in `c` takes 65 bits, the limit is 64: declare smaller ranges");
}

}  // namespace
}  // namespace panoptes
