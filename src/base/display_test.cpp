// SPDX-License-Identifier: Apache-2.0
#include "base/display.hpp"

#include <gtest/gtest.h>

namespace panoptes {
namespace {

TEST(CutText, IsAsWideAsItMayBeAndEndsWithAWholeCharacter) {
  EXPECT_EQ(cut_to_width("túnel", 5), "túnel");
  EXPECT_EQ(cut_to_width("túnel", 4), "tún…");
  EXPECT_EQ(cut_to_width("túnel", 3), "tú…");
  EXPECT_EQ(cut_to_width("→→", 1), "…");
  EXPECT_EQ(cut_to_width("→→", 0), "");
  EXPECT_EQ(cut_to_width("", 0), "");
  for (std::size_t width = 0; width < 9; ++width)
    EXPECT_EQ(display_width(cut_to_width("ä → ö, ü", width)), std::min<std::size_t>(width, 8));
}

}  // namespace
}  // namespace panoptes
