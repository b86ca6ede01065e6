// SPDX-License-Identifier: Apache-2.0
#include "base/parameter.hpp"

#include <fmt/format.h>

#include <set>

#include "base/parse_value.hpp"
#include "base/parts.hpp"

namespace panoptes {
namespace {

using Problem = std::string;  // "" where there is none

constexpr std::string_view dots = "..";
// As models have them: the least and the greatest number that a text can have.
constexpr std::int64_t greatest = 2'147'483'647, least = -greatest;

// What stands between two dots, or at an end.
Problem parse_bound(std::string_view text, std::int64_t& value) {
  const std::string_view plain = trimmed(text);
  const auto number = parse_integer(plain);
  const bool is_long = !number && plain.find_first_not_of("-0123456789") == std::string::npos &&
                       plain.find_first_of("0123456789") != std::string::npos;
  if (is_long || (number && (*number < least || *number > greatest)))
    return fmt::format("{} is not from {} to {}", plain, least, greatest);
  if (!number)
    return fmt::format("wanted whole numbers around `..`{}; NAME:=VALUE takes any value",
                       plain.empty() ? "" : fmt::format(", not `{}`", plain));
  value = *number;
  return {};
}

struct Range {
  std::int64_t first = 0, last = 0, step = 1;
};

Problem parse_range(std::string_view text, Range& range) {
  const std::size_t middle = text.find(dots);
  const std::string_view rest = text.substr(middle + dots.size());
  const std::size_t end = rest.find(dots);
  if (Problem wrong = parse_bound(text.substr(0, middle), range.first); !wrong.empty())
    return wrong;
  if (Problem wrong = parse_bound(rest.substr(0, end), range.last); !wrong.empty()) return wrong;
  if (range.last < range.first)
    return fmt::format("{}..{} has no values: write {}..{}", range.first, range.last, range.last,
                       range.first);
  if (end == std::string_view::npos) return {};
  if (Problem wrong = parse_bound(rest.substr(end + dots.size()), range.step); !wrong.empty())
    return wrong;
  return range.step > 0 ? Problem{} : fmt::format("a step of {} leads nowhere", range.step);
}

// The values of a list, each once.
class Values {
 public:
  explicit Values(Parameter& parameter) : parameter_(parameter) {}

  Problem add_all(std::string_view text) {
    while (true) {
      const std::size_t comma = text.find(',');
      if (Problem wrong = add_item(trimmed(text.substr(0, comma))); !wrong.empty()) return wrong;
      if (comma == std::string_view::npos) return {};
      text.remove_prefix(comma + 1);
    }
  }

 private:
  Problem add_item(std::string_view item) {
    if (item.empty()) return "there is a value missing in the list";
    if (item.find(dots) == std::string_view::npos) return add(std::string(item));
    Range range;
    if (Problem wrong = parse_range(item, range); !wrong.empty()) return wrong;
    if ((range.last - range.first) / range.step >= std::int64_t{most_combinations})
      return too_many();
    for (std::int64_t value = range.first; value <= range.last; value += range.step)
      if (Problem wrong = add(std::to_string(value)); !wrong.empty()) return wrong;
    return {};
  }

  Problem add(std::string value) {
    if (!seen_.insert(value).second) return fmt::format("{} is there twice", value);
    if (parameter_.values.size() == most_combinations) return too_many();
    parameter_.values.emplace_back(std::move(value));
    return {};
  }

  static Problem too_many() { return fmt::format("more than {} values", most_combinations); }

  Parameter& parameter_;
  std::set<std::string> seen_;
};

}  // namespace

Result<Parameter, std::string> parse_parameter(std::string_view text) {
  constexpr const char* wanted =
      "wanted NAME=VALUES (1..4, 1..9..2, 0,1,4), NAME? (without and with), NAME or NAME=VALUE";
  Parameter result;
  const std::size_t equals = text.find('=');
  const bool has_value = equals != std::string_view::npos;
  std::string_view name = text.substr(0, equals);
  const std::string_view value = has_value ? text.substr(equals + 1) : "1";
  const bool is_literal = has_value && name.ends_with(':');
  const bool may_be_missing = !is_literal && name.ends_with('?');
  if (is_literal || may_be_missing) name.remove_suffix(1);
  if (!is_name(name)) return std::string(wanted);
  result.name = name;
  result.is_switch = may_be_missing && !has_value;
  result.is_varied = may_be_missing;
  if (may_be_missing) result.values.emplace_back();
  const bool is_list =
      value.find(',') != std::string_view::npos || value.find(dots) != std::string_view::npos;
  if (is_literal || (!is_list && !may_be_missing)) {
    result.values.emplace_back(value);
    return result;
  }
  result.is_varied = true;
  if (std::string wrong = Values(result).add_all(value); !wrong.empty()) return wrong;
  return result;
}

std::size_t count_combinations(std::span<const Parameter> parameters) {
  std::size_t count = 1;
  for (const Parameter& parameter : parameters) {
    if (parameter.values.size() > most_combinations / count) return most_combinations + 1;
    count *= parameter.values.size();
  }
  return count;
}

std::optional<std::int64_t> number_of(const Parameter::Value& value) {
  return value ? parse_integer(*value) : std::nullopt;
}

std::string setting_text(const Parameter& parameter, std::size_t value) {
  const auto text = definition_of(parameter, value);
  return text ? *text : parameter.name + "=-";
}

std::optional<std::string> definition_of(const Parameter& parameter, std::size_t value) {
  const Parameter::Value& defined = parameter.values[value];
  if (!defined) return {};
  if (parameter.is_switch) return parameter.name;
  return fmt::format("{}={}", parameter.name, *defined);
}

}  // namespace panoptes
