// SPDX-License-Identifier: Apache-2.0
// Text on a terminal.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace panoptes {

// Columns that take one place each, whatever their bytes: UTF-8 but for the bytes that continue a
// character.
inline std::size_t display_width(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

}  // namespace panoptes
