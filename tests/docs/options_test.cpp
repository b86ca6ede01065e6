// SPDX-License-Identifier: Apache-2.0
// The table of options on the page of the command line is that of the program.
#include "base/options.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "docs/pages.hpp"

namespace panoptes::docs {
namespace {

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += with.size())
    text.replace(at, what.size(), with);
  return text;
}

std::string row(const OptionInfo& option) {
  std::string usage = fmt::format("{}{}", option.name.size() == 1 ? "-" : "--", option.name);
  const std::string_view value = option.choices.empty() ? option.argument : option.choices;
  if (!value.empty()) usage += fmt::format(" {}", replaced(std::string(value), "|", "\\|"));
  const std::string standard = option.standard.empty() ? "" : fmt::format("`{}`", option.standard);
  return fmt::format("| `{}` | {} | {} | {}{} |\n", usage,
                     replaced(std::string(option.commands), " ", ", "), standard, option.sentence,
                     option.repeats ? "; may be repeated" : "");
}

TEST(DocumentedOptions, AreThoseOfTheProgram) {
  std::string wanted = "| option | of | if not given | |\n|---|---|---|---|\n";
  for (const OptionInfo& option : option_table()) wanted += row(option);
  EXPECT_TRUE(section("docs/command-line.md", "options") == wanted)
      << "between the comments `options` of docs/command-line.md must stand\n"
      << wanted;
}

}  // namespace
}  // namespace panoptes::docs
