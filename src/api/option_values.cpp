// SPDX-License-Identifier: Apache-2.0
#include "api/option_values.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "api/arguments.hpp"
#include "protocol/limits.hpp"
#include "relational/open.hpp"
#include "report/chart.hpp"
#include "session/choose_step.hpp"
#include "session/walk.hpp"
#include "store/bit_store.hpp"
#include "store/hash_store.hpp"
#include "verdict/global_graph.hpp"

namespace panoptes {
namespace {

struct Range {
  std::string_view option;
  std::uint64_t least, most;
};
constexpr Range ranges[] = {
    {"length", 1, Walk::most_steps},
    {"step", 0, UINT64_MAX},
    {"threads", 1, 1024},
    {"width", least_chart_width, most_chart_width},
    {"capacity", 1, BuildLimits::capacity},
    {"at-most-slots", 1, BuildLimits::capacity},
    {"states", 1, GlobalGraph::most_states},
    {"bits-per-state", 1, BitStore::most_bits_per_state},
    {"fingerprint-bits", HashStore::least_fingerprint_bits, HashStore::most_fingerprint_bits},
};

// Of an option whose value is a number.
Range range_of(const OptionInfo& option) {
  const auto* const found = std::ranges::find(ranges, option.name, &Range::option);
  return found == std::end(ranges) ? Range{option.name, 1, UINT64_MAX} : *found;
}

// Whether it can be that of a macro.
bool is_name(std::string_view text) {
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  if (text.empty() || !is_letter(text[0])) return false;
  for (const char c : text)
    if (!is_letter(c) && !(c >= '0' && c <= '9')) return false;
  return true;
}

}  // namespace

bool is_valid(const OptionInfo& option, const std::string& value) {
  if (value.empty()) return false;
  if (option.argument == "SIZE") return parse_size(value).value_or(0) > 0;
  if (option.argument == "TIME") return parse_duration(value).value_or(0.0) > 0.0;
  if (option.argument == "DATABASE") return parse_database_address(value).has_value();
  if (option.argument == "N") {
    const Range range = range_of(option);
    const auto count = parse_count(value);
    return count && *count >= range.least && *count <= range.most;
  }
  if (option.name == "D") return is_name(std::string_view(value).substr(0, value.find('=')));
  return is_choice(option.choices, value);
}

std::string wanted_by(const OptionInfo& option) {
  if (option.argument == "SIZE") return "a size, e.g. 64M or 4G";
  if (option.argument == "TIME") return "a time, e.g. 60s, 5m or 1h";
  if (option.argument == "DATABASE") return "duckdb, duckdb:FILE or postgresql://...";
  if (option.argument == "N") {
    const Range range = range_of(option);
    return range.most == UINT64_MAX
               ? fmt::format("a whole number, from {} on", range.least)
               : fmt::format("a whole number, from {} to {}", range.least, range.most);
  }
  if (option.name == "D") return "NAME or NAME=VALUE";
  if (option.name == "weight")
    return fmt::format("NAME=N, N from 0 to {}", StepChooser::most_weight);
  if (option.choices.empty()) return std::string(option.argument);
  return fmt::format("one of {}", fmt::join(words_in(option.choices), "|"));
}

}  // namespace panoptes
