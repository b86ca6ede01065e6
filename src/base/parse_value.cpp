// SPDX-License-Identifier: Apache-2.0
#include "base/parse_value.hpp"

#include <charconv>
#include <cmath>
#include <utility>

namespace panoptes {
namespace {

template <typename Number>
std::optional<Number> parse_number(std::string_view text, std::string_view& rest) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{}) return {};
  rest = text.substr(static_cast<std::size_t>(end - text.data()));
  return value;
}

}  // namespace

std::optional<std::uint64_t> parse_count(std::string_view text) {
  std::string_view rest;
  const auto value = parse_number<std::uint64_t>(text, rest);
  return value && rest.empty() ? value : std::nullopt;
}

std::optional<std::int64_t> parse_integer(std::string_view text) {
  std::string_view rest;
  const auto value = parse_number<std::int64_t>(text, rest);
  return value && rest.empty() ? value : std::nullopt;
}

std::optional<std::uint64_t> parse_size(std::string_view text) {
  std::string_view rest;
  const auto value = parse_number<std::uint64_t>(text, rest);
  if (!value || rest.size() > 1) return {};
  if (rest.empty()) return value;
  const std::size_t unit = std::string_view("KMGT").find(rest[0]);
  if (unit == std::string_view::npos) return {};
  const unsigned shift = 10 * (static_cast<unsigned>(unit) + 1);
  if (*value > (UINT64_MAX >> shift)) return {};
  return *value << shift;
}

std::optional<double> parse_duration(std::string_view text) {
  std::string_view rest;
  const auto value = parse_number<double>(text, rest);
  if (!value || *value < 0.0) return {};
  constexpr std::pair<std::string_view, double> units[] = {
      {"", 1.0}, {"ms", 0.001}, {"s", 1.0}, {"m", 60.0}, {"h", 3600.0}};
  for (const auto& [name, seconds] : units)
    if (name == rest && std::isfinite(*value * seconds)) return *value * seconds;
  return {};
}

bool is_name(std::string_view text) {
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  if (text.empty() || !is_letter(text[0])) return false;
  for (const char c : text)
    if (!is_letter(c) && !(c >= '0' && c <= '9')) return false;
  return true;
}

}  // namespace panoptes
