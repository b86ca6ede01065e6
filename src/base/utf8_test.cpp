// SPDX-License-Identifier: Apache-2.0
#include "base/utf8.hpp"

#include <gtest/gtest.h>

namespace panoptes {
namespace {

std::uint32_t code_of(std::string_view text) {
  const auto character = first_character(text);
  return character ? character->code : 0xFFFFFFFF;
}

TEST(Utf8, HasTheFirstAndTheLastCharacterOfEachLength) {
  constexpr std::uint32_t none = 0xFFFFFFFF;
  EXPECT_EQ(code_of(std::string_view("\0", 1)), 0u);
  EXPECT_EQ(code_of("\x7F"), 0x7Fu);
  EXPECT_EQ(code_of("\xC2\x80"), 0x80u);
  EXPECT_EQ(code_of("\xDF\xBF"), 0x7FFu);
  EXPECT_EQ(code_of("\xE0\xA0\x80"), 0x800u);
  EXPECT_EQ(code_of("\xEF\xBF\xBF"), 0xFFFFu);
  EXPECT_EQ(code_of("\xF0\x90\x80\x80"), 0x10000u);
  EXPECT_EQ(code_of("\xF4\x8F\xBF\xBF"), 0x10FFFFu);
  EXPECT_EQ(code_of("\xF4\x90\x80\x80"), none) << "beyond the last";
  EXPECT_EQ(first_character("\xE2\x82\xAC and more")->length, 3u);
}

TEST(Utf8, RefusesWhatIsNoCharacter) {
  for (const std::string_view text :
       {"", "\x80", "\xBF", "\xC0\x80", "\xC1\xBF", "\xE0\x9F\xBF", "\xF0\x8F\xBF\xBF",
        "\xED\xA0\x80", "\xED\xBF\xBF", "\xE2\x82", "\xC3", "\xC3(", "\xE2\x28\xA1", "\xFF",
        "\xF5\x80\x80\x80"})
    EXPECT_FALSE(first_character(text)) << text.size();
}

TEST(Utf8, HasAReplacementForBytesThatAreNone) {
  EXPECT_EQ(as_utf8(""), "");
  EXPECT_EQ(as_utf8("a\xC3\xA4z"), "a\xC3\xA4z");
  EXPECT_EQ(as_utf8("a\xFF\xC3z"), "a\xEF\xBF\xBD\xEF\xBF\xBDz");
}

}  // namespace
}  // namespace panoptes
