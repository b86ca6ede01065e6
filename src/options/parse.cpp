// SPDX-License-Identifier: Apache-2.0
#include "options/parse.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/diagnostic.hpp"
#include "base/parse_value.hpp"
#include "base/parts.hpp"
#include "session/choose_step.hpp"

namespace panoptes {
namespace {

// The value of a switch.
constexpr const char* switched_on = "on";
// Of an amount: as many as there are.
constexpr const char* all_of_them = "all";

// Any text but none.
std::optional<std::string> parse_text(const std::string& value) {
  return value.empty() ? std::nullopt : std::optional(value);
}

}  // namespace

template <>
std::optional<bool> parse_as<option::Switch>(const OptionInfo&, const std::string& value) {
  return !value.empty();
}

template <>
std::optional<std::uint64_t> parse_as<option::Count>(const OptionInfo& option,
                                                     const std::string& value) {
  const auto count = parse_count(value);
  const bool is_inside = count && *count >= option.range.least && *count <= option.range.most;
  return is_inside ? count : std::nullopt;
}

template <>
std::optional<std::uint64_t> parse_as<option::Bytes>(const OptionInfo&, const std::string& value) {
  const auto bytes = parse_size(value);
  return bytes.value_or(0) > 0 ? bytes : std::nullopt;
}

template <>
std::optional<double> parse_as<option::Seconds>(const OptionInfo&, const std::string& value) {
  const auto seconds = parse_duration(value);
  return seconds.value_or(0.0) > 0.0 ? seconds : std::nullopt;
}

template <>
std::optional<std::string> parse_as<option::Text>(const OptionInfo& option,
                                                  const std::string& value) {
  return is_choice(option.choices, value) ? parse_text(value) : std::nullopt;
}

template <>
std::optional<std::string> parse_as<option::File>(const OptionInfo&, const std::string& value) {
  return parse_text(value);
}

template <>
std::optional<std::string> parse_as<option::Folder>(const OptionInfo&, const std::string& value) {
  return parse_text(value);
}

template <>
std::optional<DatabaseAddress> parse_as<option::Database>(const OptionInfo&,
                                                          const std::string& value) {
  return parse_database_address(value);
}

// A name alone is defined as 1.
template <>
std::optional<Definition> parse_as<option::Definition>(const OptionInfo&,
                                                       const std::string& value) {
  const std::size_t equals = value.find('=');
  Definition result{value.substr(0, equals), "1"};
  if (!is_name(result.name)) return {};
  if (equals != std::string::npos) result.value = value.substr(equals + 1);
  return result;
}

template <>
std::optional<Parameter> parse_as<option::Parameter>(const OptionInfo&, const std::string& value) {
  auto parameter = parse_parameter(value);
  return parameter ? std::optional(std::move(*parameter)) : std::nullopt;
}

template <>
std::optional<option::Weight::Value> parse_as<option::Weight>(const OptionInfo&,
                                                              const std::string& value) {
  const std::size_t equals = value.find('=');
  if (equals == 0 || equals == std::string::npos) return {};
  const auto weight = parse_count(value.substr(equals + 1));
  if (!weight || *weight > StepChooser::most_weight) return {};
  return option::Weight::Value{value.substr(0, equals), *weight};
}

template <>
std::optional<std::uint64_t> parse_as<option::Amount>(const OptionInfo&, const std::string& value) {
  return value == all_of_them ? UINT64_MAX : parse_count(value);
}

template <>
std::optional<option::Numbers::Value> parse_as<option::Numbers>(const OptionInfo&,
                                                                const std::string& value) {
  option::Numbers::Value ranges;
  if (value.ends_with(',')) return {};
  for (const std::string_view part : parts_of(value, ',')) {
    const std::size_t dots = part.find("..");
    const auto first = parse_count(part.substr(0, dots));
    const auto last = dots == std::string_view::npos ? first : parse_count(part.substr(dots + 2));
    if (!first || !last || *first == 0 || *last < *first) return {};
    ranges.push_back({*first, *last});
  }
  return ranges.empty() ? std::nullopt : std::optional(ranges);
}

std::optional<int> parse_word(const OptionInfo& option, const std::string& value) {
  for (const ChoiceInfo& choice : option.choices)
    if (choice.word == value) return choice.value;
  return {};
}

std::optional<std::vector<int>> parse_words(const OptionInfo& option, const std::string& value) {
  std::vector<int> result;
  const std::vector<std::string_view> parts = parts_of(value, ',');
  for (const std::string_view part : parts) {
    const auto choice = std::ranges::find(option.choices, part, &ChoiceInfo::word);
    if (choice == option.choices.end() || (choice->stands_alone && parts.size() > 1)) return {};
    if (std::ranges::count(result, choice->value) > 0) return {};
    result.push_back(choice->value);
  }
  return result.empty() || value.ends_with(',') ? std::nullopt : std::optional(result);
}

bool is_valid(const OptionInfo& option, const std::string& value) {
  switch (option.kind) {
    case ValueKind::on_off: return value == switched_on;
    case ValueKind::word: return parse_word(option, value).has_value();
    case ValueKind::words: return parse_words(option, value).has_value();
    case ValueKind::count: return parse_as<option::Count>(option, value).has_value();
    case ValueKind::bytes: return parse_as<option::Bytes>(option, value).has_value();
    case ValueKind::seconds: return parse_as<option::Seconds>(option, value).has_value();
    case ValueKind::text:
    case ValueKind::file:
    case ValueKind::folder: return parse_text(value).has_value();
    case ValueKind::database: return parse_as<option::Database>(option, value).has_value();
    case ValueKind::definition: return parse_as<option::Definition>(option, value).has_value();
    case ValueKind::parameter: return parse_as<option::Parameter>(option, value).has_value();
    case ValueKind::weight: return parse_as<option::Weight>(option, value).has_value();
    case ValueKind::amount: return parse_as<option::Amount>(option, value).has_value();
    case ValueKind::numbers: return parse_as<option::Numbers>(option, value).has_value();
  }
  return false;
}

namespace {

// "; none and auto stand alone", or nothing.
std::string alone_among(std::span<const ChoiceInfo> choices) {
  std::string words;
  for (const ChoiceInfo& choice : choices)
    if (choice.stands_alone) words += (words.empty() ? "; " : " and ") + std::string(choice.word);
  return words.empty()
             ? words
             : words + (words.find(" and ") < words.size() ? " stand" : " stands") + " alone";
}

}  // namespace

std::string wanted_by(const OptionInfo& option) {
  switch (option.kind) {
    case ValueKind::word: return fmt::format("one of {}", fmt::join(words_in(option.choices), "|"));
    case ValueKind::words:
      return fmt::format("some of {}, joined by commas, each once{}",
                         fmt::join(words_in(option.choices), "|"), alone_among(option.choices));
    case ValueKind::count:
      return option.range.most == UINT64_MAX
                 ? fmt::format("a whole number, from {} on", option.range.least)
                 : fmt::format("a whole number, from {} to {}", option.range.least,
                               option.range.most);
    case ValueKind::bytes: return "a size, e.g. 64M or 4G";
    case ValueKind::seconds: return "a time, e.g. 60s, 5m or 1h";
    case ValueKind::database: return "duckdb, duckdb:FILE or postgresql://...";
    case ValueKind::definition: return "NAME or NAME=VALUE";
    case ValueKind::parameter: return "NAME=VALUES, NAME?, NAME or NAME=VALUE";
    case ValueKind::weight: return fmt::format("NAME=N, N from 0 to {}", StepChooser::most_weight);
    case ValueKind::amount: return fmt::format("a whole number, or {}", all_of_them);
    case ValueKind::numbers: return "numbers from 1 on, e.g. 17 or 3,17 or 3..5";
    case ValueKind::on_off: return switched_on;
    case ValueKind::text:
    case ValueKind::file:
    case ValueKind::folder: break;
  }
  return std::string(option.argument);
}

namespace {

// `1..3` for `3..1`; "" where that is not what is wrong.
std::string the_other_way_round(const std::string& value) {
  std::string right;
  for (const std::string_view part : parts_of(value, ',')) {
    const std::size_t dots = part.find("..");
    const auto first = parse_count(part.substr(0, dots));
    const auto last = dots == std::string_view::npos ? first : parse_count(part.substr(dots + 2));
    if (!first || !last || *first == 0 || *last == 0) return {};
    right += right.empty() ? "" : ",";
    right += *first <= *last ? std::string(part) : fmt::format("{}..{}", *last, *first);
  }
  return right;
}

}  // namespace

std::string wrong_value(const OptionInfo& option, const std::string& value,
                        const std::string& hint) {
  if (is_valid(option, value)) return {};
  if (option.kind == ValueKind::numbers && !value.ends_with(','))
    if (const std::string right = the_other_way_round(value); !right.empty())
      return fmt::format("{} {}: write {}", flag_of(option), value, right);
  if (option.kind == ValueKind::parameter)
    return fmt::format("{} {}: {}", flag_of(option), value.empty() ? "''" : value,
                       parse_parameter(value).failure());
  return fmt::format("{} {}: wanted {}{}", flag_of(option), value.empty() ? "''" : value,
                     wanted_by(option),
                     hint.empty() ? suggestion(value, words_in(option.choices)) : hint);
}

std::string suggestion(const std::string& word, const std::vector<std::string>& candidates) {
  if (word.empty()) return {};
  std::string text = did_you_mean(word, candidates);
  const auto begins = [&](const std::string& candidate) { return candidate.starts_with(word); };
  if (text.empty() && std::ranges::count_if(candidates, begins) == 1)
    text = fmt::format("did you mean `{}`?", *std::ranges::find_if(candidates, begins));
  return text.empty() ? text : "; " + text;
}

}  // namespace panoptes
