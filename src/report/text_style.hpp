// SPDX-License-Identifier: Apache-2.0
// What text for people is written on: how wide it is, and whether there are colours.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace panoptes {

struct TextStyle {
  std::size_t width = 0;  // of the terminal; 0: there is none
  bool has_colour = false;
};

enum class Colour : std::uint8_t { plain, good, bad, warning, faint, heading, message };
// The text in that colour, if there are colours.
std::string coloured(std::string_view text, Colour colour, const TextStyle& style);

}  // namespace panoptes
