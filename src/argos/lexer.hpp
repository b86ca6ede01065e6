// SPDX-License-Identifier: Apache-2.0
// Bytes to tokens, one at a time.
//
// The lexer knows blanks, comments, line ends and continuation lines, nothing else. It never
// reports: what is no token comes out as a token of kind `unknown` or `unterminated_comment`, since
// only the preprocessor knows whether the text is skipped by an `#if`.
#pragma once

#include <cstdint>
#include <string_view>

#include "argos/token.hpp"

namespace panoptes::argos {

// Passed over where a file begins with it.
inline constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

// True for what separates tokens and ends no line.
constexpr bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

// True where the two are one operator when nothing stands between them.
bool is_operator(char first, char second);

// REQUIRES: `sources` outlives the lexer; files may be added to it meanwhile.
class Lexer {
 public:
  Lexer(const SourceSet& sources, std::uint32_t file);

  // The next token, whatever line it stands in.
  Token next();
  // The next token of this line, or end_of_line.
  Token next_in_line();

  // What is left of this line, from its first character that is not blank, as it stands.
  Place rest_of_line() const;
  // Goes on at `offset`, which must lie in this line.
  void continue_at(std::uint32_t offset) { offset_ = offset; }
  // Goes to the end of this line; comments and continuation lines belong to it.
  void skip_line();

  std::uint32_t file() const { return file_; }
  // Counts line ends passed so far.
  std::uint32_t line() const { return line_; }

 private:
  enum class Stop { token, line_end, file_end, open_comment };

  std::string_view text() const { return sources_->text(file_); }
  Stop skip_blanks(bool cross_lines);
  bool skip_continuation(std::string_view text);
  void skip_line_comment(std::string_view text, bool cross_lines);
  bool skip_block_comment(std::string_view text);
  Token lex(bool cross_lines);
  Token make(TokenKind kind, std::uint32_t length);

  const SourceSet* sources_;
  std::uint32_t file_;
  std::uint32_t offset_ = 0;
  std::uint32_t line_ = 0;
  bool at_line_start_ = true;
};

}  // namespace panoptes::argos
