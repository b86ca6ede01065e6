// SPDX-License-Identifier: Apache-2.0
#include "report/xml.hpp"

#include "base/utf8.hpp"

namespace panoptes {
namespace {

// The bytes of the character that `text` begins with; 0 where it begins with none that XML has.
std::size_t character_length(std::string_view text) {
  const auto character = first_character(text);
  if (!character) return 0;
  const std::uint32_t code = character->code;
  const bool is_blank = code == '\t' || code == '\n' || code == '\r';
  const bool is_character = (code >= 0x20 || is_blank) && code != 0xFFFE && code != 0xFFFF;
  return is_character ? character->length : 0;
}

}  // namespace

std::string xml_escaped(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    switch (text[0]) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\'': out += "&apos;"; break;
      case '\r': out += "&#13;"; break;  // else it would be read as a newline
      default: out += length == 0 ? replacement_character : text.substr(0, length);
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return out;
}

}  // namespace panoptes
