// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cassert>

#include "options/table.hpp"

namespace panoptes {

const CommandInfo* find_command(std::string_view name) {
  const auto found = std::ranges::find(command_table(), name, &CommandInfo::name);
  return found == command_table().end() ? nullptr : &*found;
}

std::vector<Operand> operands_of(const CommandInfo& command) {
  std::vector<Operand> result;
  for (std::string_view word : parts_of(command.operands, ' ')) {
    Operand operand;
    operand.is_optional = word.starts_with('[');
    if (operand.is_optional) word = word.substr(1, word.size() - 2);
    operand.repeats = word.ends_with("...");
    if (operand.repeats) word.remove_suffix(3);
    const auto found = std::ranges::find(operand_table(), word, &OperandInfo::name);
    assert(found != operand_table().end());
    operand.info = *found;
    result.push_back(operand);
  }
  return result;
}

std::string flag_of(const OptionInfo& option) {
  return (option.name.size() == 1 ? "-" : "--") + std::string(option.name);
}

std::vector<HeadedOptions> headed_options(std::string_view command) {
  std::vector<const OptionInfo*> left;
  for (const OptionInfo& option : option_table())
    if (takes(command, option)) left.push_back(&option);
  std::vector<HeadedOptions> result;
  for (const OptionGroup& group : option_groups()) {
    HeadedOptions headed{group.heading, {}};
    for (std::string_view name : parts_of(group.options, ' ')) {
      if (const std::size_t dot = name.find('.'); dot != std::string_view::npos) {
        if (name.substr(0, dot) != command) continue;
        name.remove_prefix(dot + 1);
      }
      const auto found = std::ranges::find(left, name, &OptionInfo::name);
      if (found == left.end()) continue;
      headed.options.push_back(*found);
      left.erase(found);
    }
    if (!headed.options.empty()) result.push_back(std::move(headed));
  }
  if (!left.empty())
    result.push_back({result.empty() ? "Options" : "Other options", std::move(left)});
  return result;
}

const OptionInfo* find_option(std::string_view name, std::string_view command) {
  for (const OptionInfo& option : option_table())
    if (option.name == name && (command.empty() || takes(command, option))) return &option;
  return nullptr;
}

const OptionInfo& row_of(OptionName option, std::string_view command) {
  const OptionInfo* row = find_option(option.text(), command);
  if (row == nullptr) row = find_option(option.text());
  assert(row != nullptr);
  return *row;
}

bool takes(std::string_view command, const OptionInfo& option) {
  const std::vector<std::string_view> takers = parts_of(option.commands, ' ');
  return std::ranges::find(takers, command) != takers.end();
}

std::vector<std::string> words_in(std::span<const ChoiceInfo> choices) {
  std::vector<std::string> result;
  for (const ChoiceInfo& choice : choices) result.emplace_back(choice.word);
  return result;
}

}  // namespace panoptes
