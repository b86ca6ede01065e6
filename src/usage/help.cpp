// SPDX-License-Identifier: Apache-2.0
#include "usage/help.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace panoptes {
namespace {

// Columns of the left side; what is longer has a line of its own.
constexpr std::size_t left_width = 24;

// `left` and `right` side by side.
std::string entry(std::string_view left, std::string_view right) {
  std::string text = wrapped(right, left_width);
  const std::string head = fmt::format("  {}", left);
  if (head.size() + 2 > left_width) return head + "\n" + text;
  return text.replace(0, head.size(), head);
}

// Each word beside its meaning, below what they are the choices of.
std::string choices_help(std::span<const ChoiceInfo> choices) {
  std::string out;
  for (const ChoiceInfo& choice : choices)
    out += entry(fmt::format("    {}", choice.word), choice.meaning);
  return out;
}

std::string option_help(const OptionInfo& option) {
  return entry(usage_of(option), explanation_of(option)) + choices_help(option.choices);
}

std::string operand_help(const OperandInfo& operand) {
  return entry(operand.name, operand.sentence) + choices_help(operand.choices);
}

std::string general_help() {
  std::string out = "\nOptions of the program:\n";
  for (const OptionInfo& option : general_options()) out += option_help(option);
  return out;
}

}  // namespace

std::string wrapped(std::string_view text, std::size_t indent, std::size_t width) {
  std::string out;
  std::string line;
  const auto end_line = [&] {
    if (!line.empty()) out += std::string(indent, ' ') + line + "\n";
    line.clear();
  };
  for (const std::string_view word : parts_of(text, ' ')) {
    if (!line.empty() && indent + line.size() + 1 + word.size() > width) end_line();
    line += line.empty() ? std::string(word) : fmt::format(" {}", word);
  }
  end_line();
  return out;
}

std::string synopsis(const CommandInfo& command) {
  const bool has_options = !headed_options(command.name).empty();
  return fmt::format("panoptes {}{}{}{}", command.name, command.operands.empty() ? "" : " ",
                     command.operands, has_options ? " [OPTIONS]" : "");
}

std::string usage_of(const OptionInfo& option) {
  return fmt::format("{}{}{}", flag_of(option), option.argument.empty() ? "" : " ",
                     option.argument);
}

std::string explanation_of(const OptionInfo& option) {
  std::string text(option.sentence);
  if (!option.standard.empty()) text += fmt::format("; {} if not given", option.standard);
  if (option.repeats) text += "; may be repeated";
  return text;
}

std::string short_help() {
  std::string out = "Usage: panoptes COMMAND [OPERANDS] [OPTIONS]\n\nCommands:\n";
  for (const CommandInfo& command : command_table()) out += entry(command.name, command.sentence);
  return out;
}

std::string program_help() {
  return wrapped(
             "Panoptes: does this protocol have a fault, and what is the shortest exchange of "
             "messages that shows it?",
             0) +
         "\n" + short_help() + general_help() +
         "\nExamples:\n"
         "  panoptes check protocol.argos\n"
         "  panoptes help check\n"
         "\n" +
         wrapped(
             "`panoptes help COMMAND` has the options of a command, examples and exit codes; "
             "`panoptes manual` is all of it as a manual page.",
             0);
}

std::string command_help(const CommandInfo& command) {
  std::string out = fmt::format("Usage: {}\n\n{}", synopsis(command), wrapped(command.sentence, 0));
  if (!command.operands.empty()) out += "\nOperands:\n";
  for (const Operand& operand : operands_of(command)) out += operand_help(operand.info);
  for (const HeadedOptions& group : headed_options(command.name)) {
    out += fmt::format("\n{}:\n", group.heading);
    for (const OptionInfo* option : group.options) out += option_help(*option);
  }
  out += "\nExamples:\n";
  for (const std::string_view line : parts_of(command.examples, '\n'))
    out += fmt::format("  {}\n", line);
  return out + "\n" + wrapped(fmt::format("Exit codes: {}.", command.exit_codes), 0);
}

}  // namespace panoptes
