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

// As much of the beginning of a text as takes so many columns.
inline std::string_view first_columns(std::string_view text, std::size_t width) {
  std::size_t end = 0;
  for (std::size_t columns = 0; end < text.size(); ++end)
    if (begins_character(text[end]) && columns++ == width) break;
  return text.substr(0, end);
}

// The text, if it is no wider than that; otherwise what there is room for, and `…`.
inline std::string cut_to_width(std::string_view text, std::size_t width) {
  if (display_width(text) <= width) return std::string(text);
  if (width == 0) return {};
  return std::string(first_columns(text, width - 1)) + "…";
}

// The text in lines of at most that width: broken at blanks, and in words that are wider.
// REQUIRES: width > 0.
inline std::vector<std::string> broken_to_width(std::string_view text, std::size_t width) {
  std::vector<std::string> lines;
  while (display_width(text) > width) {
    std::string_view line = first_columns(text, width);
    const std::size_t blank =
        text[line.size()] == ' ' ? line.size() : std::min(line.rfind(' '), line.size());
    line = line.substr(0, blank);
    lines.emplace_back(line);
    text.remove_prefix(std::min(text.find_first_not_of(' ', blank), text.size()));
  }
  if (!text.empty() || lines.empty()) lines.emplace_back(text);
  return lines;
}

// "a, b and 98 more": the first few of them, and how many the others are.
inline std::string few_of(const std::vector<std::string>& names, std::size_t most = 8) {
  std::string out;
  for (std::size_t i = 0; i < std::min(names.size(), most); ++i)
    out += (i == 0 ? "" : ", ") + names[i];
  return names.size() <= most ? out : out + " and " + std::to_string(names.size() - most) + " more";
}

}  // namespace panoptes
