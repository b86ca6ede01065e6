// SPDX-License-Identifier: Apache-2.0
// How tokens are named in messages, and the value of a number.
#include "argos/token.hpp"

#include <fmt/format.h>

#include <array>

namespace panoptes::argos {
namespace {

// A name of a megabyte must not make a message of a megabyte.
constexpr std::size_t longest_quote = 40;

constexpr std::int64_t largest_number = INT32_MAX;

// In the order of TokenKind.
constexpr std::array<std::string_view, 47> descriptions = {
    "the end of the file",
    "the end of the line",
    "the end of the argument",
    "broken text",
    "an unknown character",
    "an unterminated comment",
    "a name",
    "a number",
    "`#`",
    "`::`",
    "`:`",
    "`;`",
    "`->`",
    "`,`",
    "`(`",
    "`)`",
    "`{`",
    "`}`",
    "`[`",
    "`]`",
    "`..`",
    "`!`",
    "`?`",
    "`=`",
    "`==`",
    "`!=`",
    "`<`",
    "`<=`",
    "`>`",
    "`>=`",
    "`+`",
    "`-`",
    "`*`",
    "`/`",
    "`%`",
    "`++`",
    "`--`",
    "`+%`",
    "`+=`",
    "`-=`",
    "`*=`",
    "`/=`",
    "`%=`",
    "`&&`",
    "`||`",
    "`.`",
    "`@`",
};
static_assert(descriptions.size() == static_cast<std::size_t>(TokenKind::at_sign) + 1);

int digit_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return 16;
}

}  // namespace

std::string_view text_of(const Token& token, const SourceSet& sources) {
  return sources.text(Place{token.spelling.file, token.spelling.offset, token.spelling.length, 0});
}

std::string in_quotes(const Token& token, const SourceSet& sources) {
  if (token.kind <= TokenKind::end_of_list) return std::string(describe(token.kind));
  return in_quotes(text_of(token, sources));
}

std::string in_quotes(std::string_view text) {
  std::string shown;
  for (const char c : text.substr(0, longest_quote)) shown += (c >= 0x20 && c < 0x7f) ? c : '?';
  return fmt::format("`{}{}`", shown, text.size() > longest_quote ? "..." : "");
}

std::string_view describe(TokenKind kind) { return descriptions[static_cast<std::size_t>(kind)]; }

std::optional<std::int64_t> number_value(std::string_view text, std::string& problem) {
  int base = 10;
  std::string_view digits = text;
  if (text.size() > 1 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
    base = 16;
    digits.remove_prefix(2);
  }
  bool malformed = digits.empty();
  bool too_large = false;
  std::int64_t value = 0;
  for (const char c : digits) {
    const int digit = digit_value(c);
    malformed = malformed || digit >= base;
    if (!too_large) value = value * base + digit;
    too_large = too_large || value > largest_number;
  }
  if (malformed) {
    problem = fmt::format("{} is no number", in_quotes(text));
    return std::nullopt;
  }
  if (too_large) {
    problem =
        fmt::format("number {} is too large: the largest is {}", in_quotes(text), largest_number);
    return std::nullopt;
  }
  return value;
}

}  // namespace panoptes::argos
