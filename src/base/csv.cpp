// SPDX-License-Identifier: Apache-2.0
#include "base/csv.hpp"

namespace panoptes {

std::string csv_value(std::string_view text) {
  if (!text.empty() && text.find_first_of(",\"\r\n") == std::string_view::npos)
    return std::string(text);
  std::string value = "\"";
  for (const char c : text) {
    if (c == '"') value += '"';
    value += c;
  }
  return value += '"';
}

}  // namespace panoptes
