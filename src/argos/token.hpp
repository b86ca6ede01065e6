// SPDX-License-Identifier: Apache-2.0
// Tokens: what the lexer cuts the text into, what the preprocessor passes on, what the parser
// reads.
//
// A token does not own its text. It knows where it is spelled, so it stays small (macro bodies and
// arguments are kept as tokens) and stays valid when further files are added to the SourceSet.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/source.hpp"

namespace panoptes::argos {

enum class TokenKind : std::uint8_t {
  end_of_file,
  end_of_line,           // inside a preprocessor directive only
  end_of_list,           // the end of a macro argument while it is expanded
  broken,                // something an error was already reported about
  unknown,               // a byte that begins no token
  unterminated_comment,  // the `/*` of it
  identifier,
  number,
  hash,
  double_colon,
  colon,
  semicolon,
  arrow,
  comma,
  left_parenthesis,
  right_parenthesis,
  left_brace,
  right_brace,
  left_bracket,
  right_bracket,
  dots,
  exclamation,
  question,
  assign,
  equal,
  not_equal,
  less,
  less_equal,
  greater,
  greater_equal,
  plus,
  minus,
  star,
  slash,
  percent,
  increment,
  decrement,
  plus_percent,
  plus_assign,
  minus_assign,
  star_assign,
  slash_assign,
  percent_assign,
  logical_and,
  logical_or,
  dot,
  at_sign,
};

// Identifiers that mean something in some position. The parser decides by position whether they do:
// a process may be called `channel`.
enum class Word : std::uint8_t {
  none,
  underscore,
  always,
  assert_,
  break_,
  channel,
  const_,
  count,
  default_,
  do_,
  else_,
  empty,
  enum_,
  exists,
  fair,
  fi,
  forall,
  full,
  goto_,
  head,
  if_,
  len,
  ltl,
  message,
  never,
  od,
  proc,
  procedure,
  process,
  queue,
  sink,
  skip,
  timeout,
  var,
  variable,
  when,
  wraps,
};

// Where a token is written, be that in a macro's body.
struct Spelling {
  std::uint32_t file = 0;
  std::uint32_t offset = 0;
  std::uint32_t length = 0;
};

struct Token {
  TokenKind kind = TokenKind::end_of_file;
  Word word = Word::none;    // identifiers only
  bool starts_line = false;  // first of its line in the file it is spelled in
  bool painted = false;      // met inside its own macro: never expanded again
  Spelling spelling;
  Place place;  // where the user wrote it; for a token of a macro's body, where the macro is used
};

// The text a token is spelled with; valid until a file is added to `sources`.
std::string_view text_of(const Token& token, const SourceSet& sources);

// The token's text in backquotes for a message, cut where it is long; "the end of the file" for
// that.
std::string in_quotes(const Token& token, const SourceSet& sources);
// Any text in backquotes for a message: cut where it is long, bytes that are no text replaced.
std::string in_quotes(std::string_view text);

// How a kind of token is written, in backquotes; for identifiers and numbers what they are.
std::string_view describe(TokenKind kind);

// The value of a number token, decimal or 0x hexadecimal; nothing, and the reason in `problem`, if
// it is malformed or larger than 2^31 - 1.
std::optional<std::int64_t> number_value(std::string_view text, std::string& problem);

}  // namespace panoptes::argos
