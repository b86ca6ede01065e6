// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <string>

#include "usage/help.hpp"
#include "usage/manual.hpp"

namespace panoptes {
namespace {

TEST(Wrapping, BreaksBetweenWordsAndNowhereElse) {
  EXPECT_EQ(wrapped("", 2, 10), "");
  EXPECT_EQ(wrapped("one two three", 2, 10), "  one two\n  three\n");
  EXPECT_EQ(wrapped("one two", 0, 7), "one two\n");
  EXPECT_EQ(wrapped("one two", 0, 6), "one\ntwo\n");
  EXPECT_EQ(wrapped("incomprehensible one", 0, 6), "incomprehensible\none\n");
}

TEST(Help, IsReadableInEightyColumns) {
  std::string all = short_help() + program_help();
  for (const CommandInfo& command : command_table()) all += command_help(command);
  for (const std::string_view line : parts_of(all, '\n')) EXPECT_LE(line.size(), 80u) << line;
}

TEST(Help, OfACommandHasEverythingTheTablesSayOfIt) {
  for (const CommandInfo& command : command_table()) {
    const std::string help = command_help(command);
    const auto has = [&](std::string_view text) { return help.find(text) != std::string::npos; };
    EXPECT_TRUE(has(synopsis(command))) << command.name;
    EXPECT_TRUE(has(command.operands)) << command.name;
    for (const std::string_view line : parts_of(command.examples, '\n'))
      EXPECT_TRUE(has("\n  " + std::string(line) + "\n")) << line;
    for (const OptionInfo& option : option_table()) {
      const OptionInfo* own = find_option(option.name, command.name);  // another may be spelt alike
      const std::string start = "\n  " + usage_of(option);
      EXPECT_EQ(has(start + "\n") || has(start + "  "), own && usage_of(*own) == usage_of(option))
          << command.name << " " << option.name;
    }
  }
}

TEST(Help, OfAnOptionHasItsStandardValue) {
  EXPECT_EQ(explanation_of(
                {.name = "order", .standard = "breadth", .sentence = "which states come first"}),
            "which states come first; breadth if not given");
  EXPECT_EQ(explanation_of({.name = "depth", .sentence = "how far"}), "how far");
  EXPECT_EQ(explanation_of({.name = "D", .sentence = "define", .repeats = true}),
            "define; may be repeated");
}

// Words of a line and those after it that are as far in, with single blanks between.
std::string joined(std::string_view text) {
  std::string out;
  for (const char c : text)
    if (c != ' ' && c != '\n')
      out += c;
    else if (!out.empty() && out.back() != ' ')
      out += ' ';
  return out;
}

// The meaning of a word stands behind it, and not behind those of the others.
TEST(Help, HasEveryWordOfAnOptionBesideItsMeaning) {
  const auto expect = [](const std::string& help, std::span<const ChoiceInfo> choices) {
    for (const ChoiceInfo& choice : choices) {
      const std::string both = std::string(choice.word) + " " + std::string(choice.meaning) + " ";
      EXPECT_NE(help.find(" " + both), std::string::npos) << both << "\n" << help;
    }
  };
  for (const CommandInfo& command : command_table()) {
    const std::string help = joined(command_help(command));
    for (const Operand& operand : operands_of(command)) expect(help, operand.info.choices);
    for (const OptionInfo& option : option_table())
      if (takes(command.name, option)) expect(help, option.choices);
  }
  const std::string check = command_help(*find_command("check"));
  EXPECT_NE(check.find("\n  --search HOW          which states to look at, and what to remember of "
                       "them;\n                        auto if not given\n"),
            std::string::npos)
      << check;
  EXPECT_NE(check.find("\n      stack             depth first, with only the path in memory\n"),
            std::string::npos)
      << check;
}

TEST(Manual, HasEveryWordOfAnOptionBesideItsMeaning) {
  const std::string page = joined(manual_page());
  for (const OptionInfo& option : option_table())
    for (const ChoiceInfo& choice : option.choices) {
      const std::string first(choice.meaning.substr(0, choice.meaning.find_first_of(" -'`\"")));
      const std::string both = ".TP \\fB" + std::string(choice.word) + "\\fR " + first;
      EXPECT_NE(page.find(both), std::string::npos) << both;
    }
}

TEST(Manual, HasNoLineThatIsTakenForARequest) {
  const std::string page = manual_page();
  for (const std::string_view line : parts_of(page, '\n')) {
    EXPECT_FALSE(line.starts_with('\'')) << line;
    EXPECT_FALSE(line.find("--") != std::string_view::npos) << "a hyphen, no minus sign: " << line;
    if (!line.starts_with('.')) continue;
    const std::string_view request = line.substr(1, line.find(' ') - 1);
    EXPECT_NE(std::string_view(" TH SH SS TP PP RS RE nf fi br \\\" ").find(request),
              std::string_view::npos)
        << line;
  }
}

}  // namespace
}  // namespace panoptes
