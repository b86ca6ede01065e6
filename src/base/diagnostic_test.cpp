// SPDX-License-Identifier: Apache-2.0
#include "base/diagnostic.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace panoptes {
namespace {

// The place of the first occurrence of `word` in a file.
Place place_of_word(const SourceSet& sources, std::uint32_t file, std::string_view word) {
  const std::size_t offset = sources.text(file).find(word);
  EXPECT_NE(offset, std::string_view::npos) << word;
  return {file, static_cast<std::uint32_t>(offset), static_cast<std::uint32_t>(word.size()), 0};
}

// An error "here" at `word` of a text, rendered.
std::string shown_at(const std::string& text, std::string_view word) {
  SourceSet sources;
  const std::uint32_t file = sources.add("m", text);
  return render({Severity::error, place_of_word(sources, file, word), "here", {}, {}}, sources);
}

// ---- one diagnostic ----------------------------------------------------------------------------

TEST(Diagnostic, ShowsPlaceLineCaretAndSuggestion) {
  SourceSet sources;
  const std::uint32_t file = sources.add("abp.argos", "channel link;\nproc p { lnk!msg }\n");
  const Diagnostic diagnostic{Severity::error,
                              place_of_word(sources, file, "lnk"),
                              "no channel is called `lnk`",
                              "did you mean `link`?",
                              {}};
  EXPECT_EQ(render(diagnostic, sources),
            "abp.argos:2:10: error: no channel is called `lnk`\n"
            "  proc p { lnk!msg }\n"
            "           ^~~\n"
            "  did you mean `link`?\n");
}

TEST(Diagnostic, ShowsNotesAfterTheSuggestion) {
  SourceSet sources;
  const std::uint32_t file = sources.add("m", "channel c;\nchannel c;\n");
  const Diagnostic diagnostic{Severity::warning,
                              {file, 19, 1, 0},
                              "twice",
                              "take one away",
                              {{{file, 8, 1, 0}, "first here"}, {{}, "nowhere"}}};
  EXPECT_EQ(render(diagnostic, sources),
            "m:2:9: warning: twice\n"
            "  channel c;\n"
            "          ^\n"
            "  take one away\n"
            "m:1:9: note: first here\n"
            "  channel c;\n"
            "          ^\n"
            "note: nowhere\n");
}

TEST(Diagnostic, WithoutAPlaceIsOneLine) {
  EXPECT_EQ(render({Severity::error, {}, "the model has no process", {}, {}}, SourceSet{}),
            "error: the model has no process\n");
}

TEST(Diagnostic, PointsBehindTheLastCharacterOfAText) {
  SourceSet sources;
  const std::uint32_t file = sources.add("m", "proc p {");
  EXPECT_EQ(render({Severity::error, {file, 8, 0, 0}, "`}` is missing", {}, {}}, sources),
            "m:1:9: error: `}` is missing\n"
            "  proc p {\n"
            "          ^\n");
}

TEST(Diagnostic, PointsIntoAnEmptyText) {
  SourceSet sources;
  const std::uint32_t file = sources.add("m", "");
  EXPECT_EQ(render({Severity::error, {file, 0, 0, 0}, "nothing here", {}, {}}, sources),
            "m:1:1: error: nothing here\n  \n  ^\n");
}

TEST(Diagnostic, UnderlinesOneLineOfAPlaceThatCoversSeveral) {
  EXPECT_EQ(shown_at("a?m;\nif\n:: b fi", "if\n:: b fi"), "m:2:1: error: here\n  if\n  ^~\n");
}

TEST(Diagnostic, ShowsALineWithoutItsCarriageReturn) {
  EXPECT_EQ(shown_at("first\r\nsecond\r\n", "cond"), "m:2:3: error: here\n  second\n    ^~~~\n");
}

// Whatever the bytes are, each takes one column, so that the caret is where it belongs.
TEST(Diagnostic, ShowsTabsAsBlanksAndControlOrForeignBytesAsQuestionMarks) {
  EXPECT_EQ(shown_at("\tx\x1b[2J\xc3\xa9\x7f x", " x"),
            "m:1:10: error: here\n"
            "   x?[2J??? x\n"
            "           ^~\n");
  EXPECT_EQ(shown_at(std::string("a\0b!c", 5), "b"), "m:1:3: error: here\n  a?b!c\n    ^\n");
}

TEST(Diagnostic, CutsALongLineAroundTheCaret) {
  std::string text;
  for (int i = 0; i < 300; ++i) text += static_cast<char>('a' + i % 26);
  text[200] = '#';
  const std::string window = text.substr(150, 100);
  EXPECT_EQ(shown_at(text, "#"),
            "m:1:201: error: here\n  " + window + "\n  " + std::string(50, ' ') + "^\n");
  // At the start of the line nothing is cut away on the left.
  EXPECT_EQ(shown_at(text, "def"), "m:1:4: error: here\n  " + text.substr(0, 100) + "\n     ^~~\n");
}

TEST(Diagnostic, UnderlinesNoMoreThanTheShownPartOfALongLine) {
  const std::string text(500, 'x');
  EXPECT_EQ(shown_at(text, text), "m:1:1: error: here\n  " + std::string(100, 'x') + "\n  ^" +
                                      std::string(99, '~') + "\n");
}

TEST(Diagnostic, LeadsThroughMacrosToTheirSpelling) {
  SourceSet sources;
  const std::uint32_t file = sources.add("m",
                                         "#define SEND lnk!msg\n"
                                         "#define TWICE SEND; SEND\n"
                                         "proc p { TWICE }\n");
  const std::uint32_t inner = sources.add_expansion({"SEND", place_of_word(sources, file, "lnk")});
  Place send_in_twice = place_of_word(sources, file, "SEND; SEND");
  send_in_twice.length = 4;
  send_in_twice.expansion = inner;
  const std::uint32_t outer = sources.add_expansion({"TWICE", send_in_twice});
  Place use = place_of_word(sources, file, "TWICE }");
  use.length = 5;
  use.expansion = outer;
  EXPECT_EQ(render({Severity::error, use, "no channel is called `lnk`", "", {}}, sources),
            "m:3:10: error: no channel is called `lnk`\n"
            "  proc p { TWICE }\n"
            "           ^~~~~\n"
            "m:2:15: note: expanded from macro `TWICE`\n"
            "  #define TWICE SEND; SEND\n"
            "                ^~~~\n"
            "m:1:14: note: expanded from macro `SEND`\n"
            "  #define SEND lnk!msg\n"
            "               ^~~\n");
}

TEST(Diagnostic, FollowsAtMostFourMacros) {
  SourceSet sources;
  const std::uint32_t file = sources.add("m", "x\n");
  std::uint32_t expansion = 0;
  for (int i = 0; i < 10; ++i)
    expansion = sources.add_expansion({"M" + std::to_string(i), {file, 0, 1, expansion}});
  const std::string shown =
      render({Severity::error, {file, 0, 1, expansion}, "deep", {}, {}}, sources);
  std::vector<std::string> macros;
  for (std::size_t at = shown.find("macro `"); at != std::string::npos;
       at = shown.find("macro `", at + 1))
    macros.push_back(shown.substr(at + 7, 2));
  EXPECT_EQ(macros, (std::vector<std::string>{"M9", "M8", "M7", "M6"}));
}

// ---- many diagnostics --------------------------------------------------------------------------

std::vector<std::string> messages(const Diagnostics& diagnostics) {
  std::vector<std::string> result;
  for (const Diagnostic& d : diagnostics.all()) result.push_back(d.message);
  return result;
}

TEST(Diagnostics, EndWithAWordAfterTwentyErrors) {
  Diagnostics diagnostics;
  std::vector<std::string> expected;
  for (std::uint32_t i = 0; i < 1000; ++i) {
    EXPECT_EQ(diagnostics.full(), i >= Diagnostics::error_limit);
    diagnostics.error({0, i, 1, 0}, "error " + std::to_string(i));
    if (i < Diagnostics::error_limit) expected.push_back("error " + std::to_string(i));
  }
  expected.emplace_back("too many errors; giving up here");
  EXPECT_EQ(messages(diagnostics), expected);
  EXPECT_EQ(diagnostics.error_count(), Diagnostics::error_limit);
}

TEST(Diagnostics, KeepAtMostFiftyWarningsWhichAreNoErrors) {
  Diagnostics diagnostics;
  for (std::uint32_t i = 0; i < 1000; ++i) diagnostics.warning({0, i, 1, 0}, "odd");
  EXPECT_EQ(diagnostics.all().size(), Diagnostics::warning_limit + 1);
  EXPECT_EQ(diagnostics.all().back().message, "too many warnings; others are left out");
  EXPECT_FALSE(diagnostics.has_errors());
  EXPECT_FALSE(diagnostics.full());
}

TEST(Diagnostics, SayTheSameAboutThePlaceOnce) {
  Diagnostics diagnostics;
  for (int i = 0; i < 3; ++i) {
    diagnostics.error({0, 5, 1, 0}, "wrong");
    diagnostics.error({0, 5, 1, 0}, "also wrong");
    diagnostics.error({0, 6, 1, 0}, "wrong");
    diagnostics.warning({0, 7, 1, 0}, "odd");
  }
  EXPECT_EQ(messages(diagnostics),
            (std::vector<std::string>{"wrong", "also wrong", "wrong", "odd"}));
  EXPECT_EQ(diagnostics.error_count(), 3u);
}

TEST(Diagnostics, AreShownInTheOrderOfTheText) {
  SourceSet sources;
  const std::uint32_t first = sources.add("first", "ab\n");
  const std::uint32_t second = sources.add("second", "cd\n");
  Diagnostics diagnostics;
  diagnostics.error({}, "nowhere");
  diagnostics.warning({second, 1, 1, 0}, "d");
  diagnostics.error({first, 1, 1, 0}, "b");
  diagnostics.error({first, 0, 1, 0}, "a");
  diagnostics.warning({first, 0, 1, 0}, "a too");
  EXPECT_EQ(diagnostics.render(sources),
            "first:1:1: error: a\n  ab\n  ^\n"
            "first:1:1: warning: a too\n  ab\n  ^\n"
            "first:1:2: error: b\n  ab\n   ^\n"
            "second:1:2: warning: d\n  cd\n   ^\n"
            "error: nowhere\n");
}

// ---- the nearest word --------------------------------------------------------------------------

TEST(Nearest, IsTheCandidateWithTheFewestSlipsOfTheFinger) {
  const std::vector<std::string> candidates{"receiver", "sender", "link", "ack1", "ack0", "ok"};
  const auto near = [&](std::string_view word) { return nearest(word, candidates); };
  EXPECT_EQ(near("reciever"), "receiver");  // swapped
  EXPECT_EQ(near("receivr"), "receiver");   // left out
  EXPECT_EQ(near("ssender"), "sender");     // doubled
  EXPECT_EQ(near("lonk"), "link");          // wrong
  EXPECT_EQ(near("acl1"), "ack1");
  EXPECT_EQ(near("ack"), "ack1");  // both are as near: the first
  EXPECT_EQ(near("ko"), "ok");
}

TEST(Nearest, IsNothingWhereNoCandidateIsNear) {
  const std::vector<std::string> candidates{"receiver", "x", "link"};
  EXPECT_EQ(nearest("sender", candidates), "");
  EXPECT_EQ(nearest("link", candidates), "");  // the word itself is no suggestion
  EXPECT_EQ(nearest("y", candidates), "");     // a name of one letter is like any other
  EXPECT_EQ(nearest("", candidates), "");
  EXPECT_EQ(nearest("lxnx", candidates), "");  // two slips in four letters
  EXPECT_EQ(nearest("link", {}), "");
}

TEST(Nearest, DoesNotLookAtWordsOfAnyLength) {
  const std::vector<std::string> candidates{std::string(65, 'a'), std::string(64, 'b')};
  EXPECT_EQ(nearest(std::string(64, 'a'), candidates), "");
  EXPECT_EQ(nearest(std::string(65, 'b'), candidates), "");
  EXPECT_EQ(nearest(std::string(63, 'b'), candidates), candidates[1]);
}

TEST(Nearest, BecomesAQuestion) {
  const std::vector<std::string> candidates{"link"};
  EXPECT_EQ(did_you_mean("lnk", candidates), "did you mean `link`?");
  EXPECT_EQ(did_you_mean("user", candidates), "");
}

}  // namespace
}  // namespace panoptes
