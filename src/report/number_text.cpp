// SPDX-License-Identifier: Apache-2.0
#include "report/number_text.hpp"

#include <fmt/format.h>

namespace panoptes {

std::string with_commas(std::uint64_t value) {
  std::string digits = std::to_string(value);
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
  return digits;
}

std::string as_bytes(std::uint64_t bytes) {
  constexpr std::string_view units[] = {"bytes", "KB", "MB", "GB", "TB"};
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; value >= 1000.0 && unit + 1 < std::size(units); ++unit) value /= 1000.0;
  return fmt::format("{:.{}f} {}", value, unit == 0 ? 0 : 1, units[unit]);
}

}  // namespace panoptes
