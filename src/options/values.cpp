// SPDX-License-Identifier: Apache-2.0
#include "options/values.hpp"

#include <algorithm>

namespace panoptes {

OptionValues::OptionValues(std::string_view command) : command_(command) {
  for (const OptionInfo& option : option_table())
    if (takes(command, option) && !option.standard.empty())
      values_[std::string(option.name)] = option.standard;
}

std::string OptionValues::text(OptionName option) const {
  const auto found = values_.find(key(option));
  return found == values_.end() ? std::string{} : found->second;
}

std::vector<std::string> OptionValues::texts(OptionName option) const {
  const auto found = repeated_.find(key(option));
  return found == repeated_.end() ? std::vector<std::string>{} : found->second;
}

std::string OptionValues::text_or_standard(OptionName option) const {
  if (has(option)) return text(option);
  const OptionInfo* const row = find_option(option.text(), command_);
  return row ? std::string(row->standard) : "";
}

int OptionValues::word_of(OptionName option) const {
  const OptionInfo& row = row_of(option, command_);
  const auto word = parse_word(row, text(option));
  return word ? *word : *parse_word(row, std::string(row.standard));
}

std::vector<int> OptionValues::words_of(OptionName option) const {
  const OptionInfo& row = row_of(option, command_);
  const auto words = parse_words(row, text(option));
  return words ? *words : *parse_words(row, std::string(row.standard));
}

void OptionValues::set_all(OptionName option, std::vector<std::string> texts) {
  repeated_[key(option)] = std::move(texts);
}

void OptionValues::give(OptionName option, std::string text) {
  given_.insert(key(option));
  set(option, std::move(text));
}

void OptionValues::take_back(OptionName option) {
  given_.erase(key(option));
  if (const std::string_view standard = row_of(option, command_).standard; standard.empty())
    erase(option);
  else
    set(option, std::string(standard));
}

void OptionValues::read(const OptionInfo& option, std::vector<std::string> texts) {
  const std::string name(option.name);
  given_.insert(name);
  if (option.repeats)
    repeated_[name] = std::move(texts);
  else
    values_[name] = option.kind == ValueKind::on_off ? "on" : texts.at(0);
}

std::vector<std::string> OptionValues::texts_of(const std::string& name) const {
  if (const auto found = repeated_.find(name); found != repeated_.end()) return found->second;
  const auto found = values_.find(name);
  return found == values_.end() ? std::vector<std::string>{} : std::vector{found->second};
}

bool OptionValues::is_there(const std::string& name, std::string_view value) const {
  const auto found = values_.find(name);
  if (value.empty()) return found != values_.end() || given_.contains(name);
  if (found == values_.end()) return false;
  const OptionInfo* const row = find_option(name, command_);
  if (!row || row->kind != ValueKind::words) return found->second == value;
  return std::ranges::count(parts_of(found->second, ','), value) > 0;
}

}  // namespace panoptes
