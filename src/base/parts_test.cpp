// SPDX-License-Identifier: Apache-2.0
#include "base/parts.hpp"

#include <gtest/gtest.h>

namespace panoptes {
namespace {

TEST(Parts, AreWhatStandsBetweenSeparators) {
  EXPECT_EQ(parts_of("", ' '), std::vector<std::string_view>{});
  EXPECT_EQ(parts_of("a", ' '), std::vector<std::string_view>{"a"});
  EXPECT_EQ(parts_of("a||b|", '|'), (std::vector<std::string_view>{"a", "", "b"}));
}

}  // namespace
}  // namespace panoptes
