// SPDX-License-Identifier: Apache-2.0
#include "report/comments.hpp"

#include <gtest/gtest.h>

namespace panoptes {
namespace {

// The comment of the first `word` of a text.
std::string of(const std::string& text, const std::string& word) {
  SourceSet sources;
  const std::uint32_t file = sources.add("m", text);
  return comment_of(sources, {file, static_cast<std::uint32_t>(text.find(word)),
                              static_cast<std::uint32_t>(word.size())});
}

TEST(Comments, StandAtTheEndOfALine) {
  EXPECT_EQ(of("a;  // one\nb;", "a"), "one");
  EXPECT_EQ(of("a;  // one\nb;", "b"), "");
  EXPECT_EQ(of("b /* x / y */; a; /* two */  \r\n", "a"), "two");
  EXPECT_EQ(of("a; /* two */ b; // three", "a"), "three");
  EXPECT_EQ(of("a / b / c;", "a"), "");
  EXPECT_EQ(of("a; /* goes\non */", "a"), "");
  EXPECT_EQ(of("a;  //", "a"), "");
}

TEST(Comments, GoOnInTheSameColumn) {
  EXPECT_EQ(of("a;  // one\n    // two\n   // three\n", "a"), "one two");
  EXPECT_EQ(of("a;  // one\nb;  // two\n", "a"), "one");
}

TEST(Comments, OfWhatHasSeveralLinesStandAtItsEndOrItsBeginning) {
  EXPECT_EQ(of("(a &&\n  b);  // one\n", "a &&\n  b"), "one");
  EXPECT_EQ(of("(a &&  // one\n  b);\n", "a &&  // one\n  b"), "one");
}

TEST(Comments, StandDirectlyAbove) {
  EXPECT_EQ(of("// no\n\n// one\n// two\na;", "a"), "one two");
  EXPECT_EQ(of("// no\n\na;", "a"), "");
  EXPECT_EQ(of("b;  // one\n    // two\na;", "a"), "");  // that goes on
  EXPECT_EQ(of("// ---- all ----\na;", "a"), "");
  EXPECT_EQ(of("// SPDX-License-Identifier: none\na;", "a"), "");
  EXPECT_EQ(of("  // one\n  a;", "a"), "one");
  EXPECT_EQ(of("#if x\na;", "a"), "");
}

TEST(Comments, OfNothingAreNone) {
  SourceSet sources;
  EXPECT_EQ(comment_of(sources, {}), "");
  const std::uint32_t file = sources.add("m", "");
  EXPECT_EQ(comment_of(sources, {file, 0, 0}), "");
}

}  // namespace
}  // namespace panoptes
