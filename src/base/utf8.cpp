// SPDX-License-Identifier: Apache-2.0
#include "base/utf8.hpp"

namespace panoptes {

std::optional<Character> first_character(std::string_view text) {
  if (text.empty()) return {};
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return Character{first, 1};
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < length) return {};
  std::uint32_t code = first & (0xFFu >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {};
    code = (code << 6) | (byte(i) & 0x3Fu);
  }
  constexpr std::uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool is_surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (code < least[length] || is_surrogate || code > 0x10FFFF) return {};
  return Character{code, length};
}

std::string as_utf8(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::optional<Character> character = first_character(text);
    const std::size_t length = character ? character->length : 1;
    result += character ? text.substr(0, length) : replacement_character;
    text.remove_prefix(length);
  }
  return result;
}

}  // namespace panoptes
