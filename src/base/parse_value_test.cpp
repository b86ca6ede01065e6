// SPDX-License-Identifier: Apache-2.0
#include "base/parse_value.hpp"

#include <gtest/gtest.h>

namespace panoptes {
namespace {

TEST(Values, OfSizesHaveBinaryMultiples) {
  EXPECT_EQ(parse_size("0"), 0u);
  EXPECT_EQ(parse_size("17"), 17u);
  EXPECT_EQ(parse_size("1K"), 1024u);
  EXPECT_EQ(parse_size("64M"), 64u << 20);
  EXPECT_EQ(parse_size("4G"), std::uint64_t{4} << 30);
  EXPECT_EQ(parse_size("16777215T"), std::uint64_t{16777215} << 40);
  EXPECT_EQ(parse_size("18446744073709551615"), UINT64_MAX);
  for (const char* text : {"", "K", "-1", "+1", " 1", "1 K", "1k", "1KB", "1.5G", "0x10", "four",
                           "16777216T", "18446744073709551616", "18446744073709551615K"})
    EXPECT_EQ(parse_size(text), std::nullopt) << text;
}

TEST(Values, OfDurationsAreSecondsUnlessTheySayOtherwise) {
  EXPECT_EQ(parse_duration("60"), 60.0);
  EXPECT_EQ(parse_duration("60s"), 60.0);
  EXPECT_EQ(parse_duration("0.5s"), 0.5);
  EXPECT_EQ(parse_duration("500ms"), 0.5);
  EXPECT_EQ(parse_duration("5m"), 300.0);
  EXPECT_EQ(parse_duration("1.5h"), 5400.0);
  for (const char* text : {"", "s", "-1s", "5d", "5sm", "5 m", "5 ms", "5msm", "nan", "inf",
                           "1e999", "1e307h", "five"})
    EXPECT_EQ(parse_duration(text), std::nullopt) << text;
}

TEST(Values, OfCountsAreWholeNumbers) {
  EXPECT_EQ(parse_count("0"), 0u);
  EXPECT_EQ(parse_count("250"), 250u);
  for (const char* text : {"", "-1", "2.5", "3x", "0x3", "99999999999999999999"})
    EXPECT_EQ(parse_count(text), std::nullopt) << text;
}

}  // namespace
}  // namespace panoptes
