// SPDX-License-Identifier: Apache-2.0
// Text on a terminal.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace panoptes {

// Whether a byte of UTF-8 begins a character, and does not continue one.
inline bool begins_character(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0) != 0x80;
}

// Columns that take one place each, whatever their bytes.
inline std::size_t display_width(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), begins_character));
}

// The text, if it is no wider than that; otherwise what there is room for, and `…`.
inline std::string cut_to_width(std::string_view text, std::size_t width) {
  if (display_width(text) <= width) return std::string(text);
  if (width == 0) return {};
  std::size_t end = 0;
  for (std::size_t columns = 0; end < text.size(); ++end)
    if (begins_character(text[end]) && columns++ == width - 1) break;
  return std::string(text.substr(0, end)) + "…";
}

// "a, b and 98 more": the first few of them, and how many the others are.
inline std::string few_of(const std::vector<std::string>& names) {
  constexpr std::size_t most = 8;
  std::string out;
  for (std::size_t i = 0; i < std::min(names.size(), most); ++i)
    out += (i == 0 ? "" : ", ") + names[i];
  return names.size() <= most ? out : out + " and " + std::to_string(names.size() - most) + " more";
}

}  // namespace panoptes
