// SPDX-License-Identifier: Apache-2.0
#include "base/source.hpp"

#include <gtest/gtest.h>

namespace panoptes {
namespace {

TEST(Sources, KnowLineAndColumnOfEveryByte) {
  SourceSet sources;
  const std::string text = "one\n\n  two\nthree";
  const std::uint32_t file = sources.add("m", text);
  std::uint32_t line = 1, column = 1;
  for (std::uint32_t offset = 0; offset <= text.size(); ++offset) {
    const LineColumn at = sources.line_column({file, offset, 0, 0});
    EXPECT_EQ(at.line, line) << offset;
    EXPECT_EQ(at.column, column) << offset;
    const bool ends_line = offset < text.size() && text[offset] == '\n';
    line += ends_line;
    column = ends_line ? 1 : column + 1;
  }
}

TEST(Sources, GiveTheTextOfAPlaceAndItsLine) {
  SourceSet sources;
  sources.add("other", "zzz");
  const std::uint32_t file = sources.add("m", "first\nsecond line\nthird");
  const Place line{file, 13, 4, 0};
  EXPECT_EQ(sources.text(line), "line");
  EXPECT_EQ(sources.line(line), "second line");
  EXPECT_EQ(sources.describe(line), "m:2:8");
  EXPECT_EQ(sources.line_and_column(line), "m:2:8");  // not the model, which is file 0
  EXPECT_EQ(sources.line_and_column({0, 1, 1, 0}), "1:2");
  EXPECT_EQ(sources.line({file, 23, 0, 0}), "third");
  EXPECT_EQ(sources.text({file, 100, 4, 0}), "");
  EXPECT_EQ(sources.file_count(), 2u);
}

TEST(Sources, KnowNothingOfAnUnknownPlace) {
  SourceSet sources;
  sources.add("m", "text");
  EXPECT_EQ(sources.text(Place{}), "");
  EXPECT_EQ(sources.line(Place{}), "");
  EXPECT_EQ(sources.describe(Place{}), "");
  EXPECT_EQ(sources.line_column(Place{}).line, 0u);
}

TEST(Places, CoverWhatLiesBetweenThem) {
  EXPECT_EQ(cover({0, 3, 2, 0}, {0, 10, 4, 0}), (Place{0, 3, 11, 0}));
  EXPECT_EQ(cover({0, 3, 20, 0}, {0, 10, 4, 0}), (Place{0, 3, 20, 0}));  // inside it
  EXPECT_EQ(cover({0, 3, 2, 0}, {1, 10, 4, 0}), (Place{0, 3, 2, 0}));    // another file
  EXPECT_EQ(cover({0, 9, 2, 0}, {0, 3, 1, 0}), (Place{0, 9, 2, 0}));     // the wrong way round
}

}  // namespace
}  // namespace panoptes
