// SPDX-License-Identifier: Apache-2.0
// A text as a reader sees it: its tokens before any macro is expanded, its comments, its
// directives.
//
// The blanks, line ends and joined lines between pieces are all that a formatter may change.
// same_pieces() is what it is held to.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "argos/token.hpp"
#include "base/diagnostic.hpp"
#include "base/source.hpp"

namespace panoptes::argos {

enum class PieceKind : std::uint8_t { token, line_comment, block_comment, directive };

struct Piece {
  PieceKind kind = PieceKind::token;
  TokenKind token = TokenKind::end_of_file;  // tokens only
  Word word = Word::none;                    // tokens only
  std::uint32_t line_ends = 0;               // between the piece before and this one
  std::string_view text;                     // blanks at its end apart
  std::string_view name;                     // directives: `define`, `if`; "" where it has none
  Place place;
};

// The pieces of a file; nothing where it has a byte that begins no token, a `#` that begins no
// directive, a comment that is never closed or more pieces than a model may have tokens, which is
// reported. Texts of pieces are valid until a
// file is added to `sources`.
std::optional<std::vector<Piece>> cut(const SourceSet& sources, std::uint32_t file,
                                      Diagnostics& diagnostics);

// A comment of several lines.
bool spans_lines(const Piece& piece);

// True where a line ends before or in the piece, or has to end behind it.
bool breaks_line(const Piece& piece);

// A comment or directive as it is written out: line ends are `\n`, no blanks at the end of the
// lines of a comment. A line of a directive that ends with a backslash and a blank keeps them:
// without the blank, the next line would belong to it.
std::string written(const Piece& piece);

// True where the texts differ in nothing but the blanks and line ends between pieces, at the ends
// of lines, and before the lines of a comment.
bool same_pieces(const std::vector<Piece>& left, const std::vector<Piece>& right);

}  // namespace panoptes::argos
