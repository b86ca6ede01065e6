// SPDX-License-Identifier: Apache-2.0
// The table of options on the page of the command line is that of the program, and wherever
// commands and options are written about, all of them are.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>

#include "docs/pages.hpp"
#include "models/run_program.hpp"
#include "options/table.hpp"

namespace panoptes::docs {
namespace {

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += with.size())
    text.replace(at, what.size(), with);
  return text;
}

std::string row(const OptionInfo& option) {
  std::string usage = fmt::format("{}{}", option.name.size() == 1 ? "-" : "--", option.name);
  if (!option.argument.empty()) usage += fmt::format(" {}", option.argument);
  const std::string standard = option.standard.empty() ? "" : fmt::format("`{}`", option.standard);
  std::string choices;
  for (const ChoiceInfo& choice : option.choices)
    choices += fmt::format("<br>`{}`: {}", choice.word, choice.meaning);
  return fmt::format("| `{}` | {} | {} | {}{}{} |\n", usage,
                     replaced(std::string(option.commands), " ", ", "), standard, option.sentence,
                     option.repeats ? "; may be repeated" : "", choices);
}

TEST(DocumentedOptions, AreThoseOfTheProgram) {
  std::string wanted = "| option | of | if not given | |\n|---|---|---|---|\n";
  for (const OptionInfo& option : option_table()) wanted += row(option);
  EXPECT_TRUE(section("docs/command-line.md", "options") == wanted)
      << "between the comments `options` of docs/command-line.md must stand\n"
      << wanted;
}

// What the manual has under the name of a command; headings of sections stand at the left edge,
// those of commands three columns from it.
std::string manual_section(const std::string& manual, const std::string& command) {
  std::string text;
  bool is_inside = false;
  for (const std::string& line : lines_of(manual)) {
    const std::size_t edge = line.find_first_not_of(' ');
    if (edge == 0 || edge == 3) is_inside = line == "   " + command;
    if (is_inside) text += line + "\n";
  }
  return text;
}

// Where commands and options are written about, each as plain text.
std::map<std::string, std::string> every_text(const CommandInfo& command) {
  const std::string name(command.name);
  const auto printed = [](const std::string& arguments) {
    return models::run_program(arguments).output;
  };
  return {{"help of the program", printed("--help")},
          {"help of the command", printed("help " + name)},
          {"--help of the command", printed(name + " --help")},
          {"manual", manual_section(printed("manual | groff -man -Tascii -P-cbou"), name)},
          {"bash completion", printed("completion bash")},
          {"zsh completion", printed("completion zsh")},
          {"fish completion", printed("completion fish")},
          {"docs", read_file(root / "docs" / "command-line.md")}};
}

// A command or option, with nothing that would make it another one around it.
bool has_word(const std::string& text, const std::string& word) {
  const auto is_part = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '_';
  };
  for (std::size_t at = 0; (at = text.find(word, at)) != std::string::npos; ++at)
    if ((at == 0 || !is_part(text[at - 1])) &&
        (at + word.size() == text.size() || !is_part(text[at + word.size()])))
      return true;
  return false;
}

TEST(EveryCommandAndOption, IsInHelpManualCompletionsAndDocs) {
  for (const CommandInfo& command : command_table()) {
    for (const auto& [where, text] : every_text(command)) {
      EXPECT_TRUE(has_word(text, std::string(command.name))) << command.name << ": " << where;
      if (where == "help of the program") continue;
      for (const OptionInfo& option : option_table()) {
        if (!takes(command.name, option)) continue;
        // fish has the dashes apart.
        const std::string flag =
            where == "fish completion"
                ? (option.name.size() == 1 ? "-s " : "-l ") + std::string(option.name)
                : flag_of(option);
        EXPECT_TRUE(has_word(text, flag)) << command.name << " " << flag << ": " << where;
      }
    }
  }
}

TEST(Manual, IsReadByGroffWithoutAWarning) {
  EXPECT_EQ(models::run_program("manual | groff -ww -man -Tutf8 -z 2>&1").output, "");
  // As lintian asks: in a narrow terminal, and with a complaint where a line cannot be filled.
  EXPECT_EQ(models::run_program("manual | groff -ww -man -Tutf8 -rLL=80n -rLT=80n -z 2>&1").output,
            "");
}

TEST(Manual, HasTheUsualSections) {
  const std::string page = models::run_program("manual | groff -man -Tascii -P-cbou").output;
  std::size_t at = 0;
  for (const char* section : {"NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "COMMANDS",
                              "EXIT STATUS", "ENVIRONMENT", "FILES", "EXAMPLES", "SEE ALSO"}) {
    at = page.find(std::string("\n") + section + "\n", at);
    EXPECT_NE(at, std::string::npos) << section;
  }
}

}  // namespace
}  // namespace panoptes::docs
