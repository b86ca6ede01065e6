// SPDX-License-Identifier: Apache-2.0
// The options of one command line, as texts and as what they mean.
//
// Texts are what reports, trail files and complaints have; everybody else asks by the name of the
// option and gets a value of its type. A value that is not valid is none: REQUIRES of whoever acts
// on values that wrong_value() in options/parse.hpp has nothing to say of any of them.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <type_traits>
#include <vector>

#include "options/option.hpp"
#include "options/parse.hpp"

namespace panoptes {

class OptionValues {
 public:
  OptionValues() = default;
  // Those of a command that was given none: standard values only.
  explicit OptionValues(std::string_view command);

  const std::string& command() const { return command_; }

  // Whether it has a value, if only the standard one. Of a switch: whether it is on.
  bool has(OptionName option) const { return values_.contains(key(option)); }
  // Whether it was written down.
  bool is_given(OptionName option) const { return given_.contains(key(option)); }

  // As it is written; "" where it has no value.
  std::string text(OptionName option) const;
  // The same of one that may be repeated.
  std::vector<std::string> texts(OptionName option) const;

  bool get(Option<option::Switch> option) const { return has(option); }
  // Names and other texts: "" where there is none.
  std::string get(Option<option::Text> option) const { return text(option); }
  std::string get(Option<option::File> option) const { return text(option); }
  std::string get(Option<option::Folder> option) const { return text(option); }
  // Words: where there is none, the standard one.
  template <typename Enum>
  requires std::is_enum_v<Enum> Enum get(Option<Enum> option)
  const { return static_cast<Enum>(word_of(option)); }
  // Several of them.
  template <typename Enum>
  std::vector<Enum> get(Option<option::Words<Enum>> option) const {
    std::vector<Enum> result;
    for (const int word : words_of(option)) result.push_back(static_cast<Enum>(word));
    return result;
  }
  // Anything else: where there is none, the standard value, or nothing.
  template <typename Type>
  requires(!std::is_enum_v<Type>) std::optional<typename Type::Value> get(Option<Type> option)
  const { return parse_as<Type>(row_of(option, command_), text_or_standard(option)); }
  // Every value of an option that may be repeated.
  template <typename Type>
  std::vector<typename Type::Value> all(Option<option::Several<Type>> option) const {
    std::vector<typename Type::Value> result;
    for (const std::string& each : texts(option))
      if (auto value = parse_as<Type>(row_of(option, command_), each))
        result.push_back(std::move(*value));
    return result;
  }

  // Gives it that value, as if it were the standard one; a switch is on with any.
  void set(OptionName option, std::string text) { values_[key(option)] = std::move(text); }
  void set_all(OptionName option, std::vector<std::string> texts);
  // As if it had been written down, or not; without one, it has its standard value.
  void give(OptionName option, std::string text);
  void take_back(OptionName option);
  // Not even a standard value.
  void erase(OptionName option) { values_.erase(key(option)); }

  // What a command line has of the row `option`; empty values are values, too.
  void read(const OptionInfo& option, std::vector<std::string> texts);

  // All that have a value, by name; those that may be repeated are not among them.
  const std::map<std::string, std::string>& values() const { return values_; }
  const std::set<std::string>& given() const { return given_; }
  // Every text of the option that somebody calls so.
  std::vector<std::string> texts_of(const std::string& name) const;
  // Whether the option that somebody calls so has that value; with "", whether it is there at all.
  bool is_there(const std::string& name, std::string_view value) const;

 private:
  static std::string key(OptionName option) { return std::string(option.text()); }
  int word_of(OptionName option) const;
  std::vector<int> words_of(OptionName option) const;
  std::string text_or_standard(OptionName option) const;

  std::string command_;
  std::map<std::string, std::string> values_;  // switches that are on have the value "on"
  std::set<std::string> given_;
  // Of options that may be repeated; where one takes several words, with blanks between.
  std::map<std::string, std::vector<std::string>> repeated_;
};

}  // namespace panoptes
