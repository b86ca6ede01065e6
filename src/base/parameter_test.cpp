// SPDX-License-Identifier: Apache-2.0
#include "base/parameter.hpp"

#include <gtest/gtest.h>

#include "base/random.hpp"

namespace panoptes {
namespace {

// The values of a parameter, `-` where it is not defined; the complaint where it is none.
std::string read(std::string_view text) {
  const auto parameter = parse_parameter(text);
  if (!parameter) return parameter.failure();
  std::string out = parameter->name + (parameter->is_varied ? ":" : " fixed:");
  for (const Parameter::Value& value : parameter->values) out += " " + value.value_or("-");
  return out;
}

TEST(Parameters, AreRangesListsNamesAndThingsThereOrNot) {
  EXPECT_EQ(read("W=1..4"), "W: 1 2 3 4");
  EXPECT_EQ(read("W=1..9..2"), "W: 1 3 5 7 9");
  EXPECT_EQ(read("W=1..8..3"), "W: 1 4 7");
  EXPECT_EQ(read("W=-2..2"), "W: -2 -1 0 1 2");
  EXPECT_EQ(read("W=-5..-5"), "W: -5");
  EXPECT_EQ(read("W=0,1,4"), "W: 0 1 4");
  EXPECT_EQ(read("W=1..3,8,16..18"), "W: 1 2 3 8 16 17 18");
  EXPECT_EQ(read("W= 1 .. 3 , 7"), "W: 1 2 3 7");
  EXPECT_EQ(read("FAULT=none,lost"), "FAULT: none lost");
  EXPECT_EQ(read("FAULT?"), "FAULT: - 1");
  EXPECT_EQ(read("FAULT?=2..3"), "FAULT: - 2 3");
  EXPECT_EQ(read("FAULT?=lost"), "FAULT: - lost");
  EXPECT_EQ(read("W=2147483646..2147483647"), "W: 2147483646 2147483647");
}

TEST(Parameters, OfOneValueAreWhatASingleRunMakesOfThem) {
  EXPECT_EQ(read("FAULT"), "FAULT fixed: 1");
  EXPECT_EQ(read("W=4"), "W fixed: 4");
  EXPECT_EQ(read("W="), "W fixed: ");
  EXPECT_EQ(read("W=a b = c"), "W fixed: a b = c");
  EXPECT_EQ(read("W=1.5"), "W fixed: 1.5");
  EXPECT_EQ(read("LIST:=1,2,3"), "LIST fixed: 1,2,3");
  EXPECT_EQ(read("RANGE:=0..7"), "RANGE fixed: 0..7");
  EXPECT_EQ(read("RANGE:="), "RANGE fixed: ");
}

TEST(Parameters, ThatMakeNoSenseAreComplainedAbout) {
  const std::string wanted =
      "wanted NAME=VALUES (1..4, 1..9..2, 0,1,4), NAME? (without and with), NAME or NAME=VALUE";
  for (const char* text : {"", "=", "=1..4", "1x=1..4", "?", "?=1", ":=1", "W:?=1", "W?:=1", "W??",
                           "W -1=2", "-W=1..2", "W:", "..", "1..4", ",", "W\x01=1..2"})
    EXPECT_EQ(read(text), wanted) << text;
  const auto around = [](const std::string& part) {
    return "wanted whole numbers around `..`" + (part.empty() ? "" : ", not `" + part + "`") +
           "; NAME:=VALUE takes any value";
  };
  for (const char* text : {"W=1..", "W=..4", "W=..", "W=1..4..", "W=1.. ", "W= ..1"})
    EXPECT_EQ(read(text), around("")) << text;
  EXPECT_EQ(read("W=1...4"), around(".4"));
  EXPECT_EQ(read("W=1..4..2..1"), around("2..1"));
  EXPECT_EQ(read("W=a..c"), around("a"));
  EXPECT_EQ(read("W=0x1..0x4"), around("0x1"));
  EXPECT_EQ(read("W=1..4x"), around("4x"));
  EXPECT_EQ(read("W=+1..4"), around("+1"));
  EXPECT_EQ(read("W=1..-"), around("-"));
  EXPECT_EQ(read("W=4..1"), "4..1 has no values: write 1..4");
  EXPECT_EQ(read("W=1..4..0"), "a step of 0 leads nowhere");
  EXPECT_EQ(read("W=1..4..-1"), "a step of -1 leads nowhere");
  for (const char* text : {"W=1,", "W=,1", "W=1,,2", "W=,", "W=1, ,2", "W?=", "W?=,"})
    EXPECT_EQ(read(text), "there is a value missing in the list") << text;
  EXPECT_EQ(read("W=1,2,1"), "1 is there twice");
  EXPECT_EQ(read("W=1..4,3"), "3 is there twice");
}

// However large the numbers, nothing is computed beyond what they can hold, or made that nobody
// wants.
TEST(Parameters, OfAnySizeAreReadAtOnce) {
  const std::string bounds = " is not from -2147483647 to 2147483647";
  EXPECT_EQ(read("W=1..2147483648"), "2147483648" + bounds);
  EXPECT_EQ(read("W=-2147483648..1"), "-2147483648" + bounds);
  EXPECT_EQ(read("W=1..9223372036854775807"), "9223372036854775807" + bounds);
  EXPECT_EQ(read("W=1..9223372036854775808"), "9223372036854775808" + bounds);
  EXPECT_EQ(read("W=1..4..99999999999999999999"), "99999999999999999999" + bounds);
  const std::string digits(100'000, '9');
  EXPECT_EQ(read("W=" + digits + "..1"), digits + bounds);
  EXPECT_EQ(read("W=-2147483647..2147483647"), "more than 10000 values");
  EXPECT_EQ(read("W=1..10001"), "more than 10000 values");
  EXPECT_EQ(read("W=1..10000,0"), "more than 10000 values");
  EXPECT_EQ(parse_parameter("W=1..10000")->values.size(), 10'000u);
  EXPECT_EQ(parse_parameter("W=-2147483647..2147483647..2147483647")->values.size(), 3u);
  std::string list = "W=0";
  for (int i = 1; i < 200'000; ++i) list += "," + std::to_string(i);
  EXPECT_EQ(read(list), "more than 10000 values");
}

// Whatever bytes: an answer, and of values never none, never one twice.
TEST(Parameters, OfAnyBytesAreReadOrRefused) {
  constexpr std::string_view letters = "W1209.,-=?: x\n\xFF";
  std::uint64_t chance = 1, accepted = 0;
  for (int i = 0; i < 200'000; ++i) {
    std::string text = i % 2 == 0 ? "" : "W=";
    for (std::size_t length = next_random(chance) % 12; length > 0; --length)
      text += letters[next_random(chance) % letters.size()];
    const auto parameter = parse_parameter(text);
    if (!parameter) {
      EXPECT_FALSE(parameter.failure().empty()) << text;
      continue;
    }
    ++accepted;
    EXPECT_FALSE(parameter->values.empty()) << text;
    EXPECT_LE(parameter->values.size(), most_combinations) << text;
    EXPECT_EQ(text.substr(0, parameter->name.size()), parameter->name);
  }
  EXPECT_GT(accepted, 1000u);
}

Parameter parsed(std::string_view text) { return *parse_parameter(text); }

TEST(Combinations, AreCountedWithoutOverflow) {
  EXPECT_EQ(count_combinations({}), 1u);
  const std::vector<Parameter> few{parsed("A=1..4"), parsed("B=0,1"), parsed("C?")};
  EXPECT_EQ(count_combinations(few), 16u);
  const std::vector<Parameter> most{parsed("A=1..100"), parsed("B=1..100")};
  EXPECT_EQ(count_combinations(most), most_combinations);
  const std::vector<Parameter> many(64, parsed("A=1..10000"));
  EXPECT_EQ(count_combinations(many), most_combinations + 1);
}

TEST(Settings, HaveShortNames) {
  EXPECT_EQ(setting_text(parsed("W=1..4"), 1), "W=2");
  EXPECT_EQ(setting_text(parsed("FAULT?"), 0), "FAULT=-");
  EXPECT_EQ(setting_text(parsed("FAULT?"), 1), "FAULT");
  EXPECT_EQ(setting_text(parsed("FAULT?=2,3"), 1), "FAULT=2");
  EXPECT_EQ(definition_of(parsed("FAULT?"), 0), std::nullopt);
  EXPECT_EQ(definition_of(parsed("FAULT?"), 1), "FAULT");
  EXPECT_EQ(definition_of(parsed("LIST:=1,2"), 0), "LIST=1,2");
}

TEST(Settings, AreNumbersWhereTheyCanBeCompared) {
  EXPECT_EQ(number_of("12"), 12);
  EXPECT_EQ(number_of("-3"), -3);
  for (const char* text : {"", "x", "1x", " 1", "+1", "0x1", "1.0", "99999999999999999999"})
    EXPECT_EQ(number_of(text), std::nullopt) << text;
  EXPECT_EQ(number_of(std::nullopt), std::nullopt);
}

}  // namespace
}  // namespace panoptes
