// SPDX-License-Identifier: Apache-2.0
#include "report/text_style.hpp"

#include <fmt/format.h>

namespace panoptes {
namespace {

std::string_view escape_of(Colour colour) {
  switch (colour) {
    case Colour::plain: return "";
    case Colour::good: return "\033[32m";
    case Colour::bad: return "\033[1;31m";
    case Colour::warning: return "\033[33m";
    case Colour::faint: return "\033[2m";
    case Colour::heading: return "\033[1m";
    case Colour::message: return "\033[36m";
  }
  return "";
}

}  // namespace

std::string coloured(std::string_view text, Colour colour, const TextStyle& style) {
  if (!style.has_colour || colour == Colour::plain || text.empty()) return std::string(text);
  return fmt::format("{}{}\033[0m", escape_of(colour), text);
}

}  // namespace panoptes
