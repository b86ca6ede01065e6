// SPDX-License-Identifier: Apache-2.0
// Characters of UTF-8.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace panoptes {

struct Character {
  std::uint32_t code = 0;
  std::size_t length = 0;  // bytes
};

// What `text` begins with; nothing where it is empty or where its first bytes are no character:
// broken off, longer than need be, a surrogate, or beyond the last there is.
std::optional<Character> first_character(std::string_view text);

// What stands for bytes that are none: U+FFFD.
inline constexpr std::string_view replacement_character = "\xEF\xBF\xBD";

// `text` with that for every byte of it that is none.
std::string as_utf8(std::string_view text);

}  // namespace panoptes
