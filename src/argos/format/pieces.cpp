// SPDX-License-Identifier: Apache-2.0
#include "argos/format/pieces.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "argos/hints.hpp"
#include "argos/lexer.hpp"
#include "argos/parse.hpp"

namespace panoptes::argos {
namespace {

class Cutter {
 public:
  Cutter(const SourceSet& sources, std::uint32_t file, Diagnostics& diagnostics)
      : text_(sources.text(file)),
        sources_(sources),
        file_(file),
        lexer_(sources, file),
        diagnostics_(diagnostics) {
    if (text_.starts_with(byte_order_mark)) at_ = byte_order_mark.size();
  }

  std::optional<std::vector<Piece>> cut() {
    while (!diagnostics_.full()) {
      const Token token = lexer_.next();
      comments(token.spelling.offset);
      if (is_too_long()) {
        diagnostics_.error(token.place, fmt::format("the text has more than {} tokens and comments",
                                                    Limits::expanded_tokens));
        break;
      }
      if (token.kind == TokenKind::end_of_file) break;
      if (token.kind == TokenKind::unterminated_comment) {
        never_closed(token);
      } else if (token.kind == TokenKind::hash && token.starts_line) {
        directive(token);
      } else if (token.kind == TokenKind::hash || token.kind == TokenKind::unknown) {
        bad_token(token);
      } else {
        Piece& piece = add(PieceKind::token, token.spelling.offset, end_of(token));
        piece.token = token.kind;
        piece.word = token.word;
      }
    }
    if (diagnostics_.has_errors()) return std::nullopt;
    return std::move(pieces_);
  }

 private:
  bool is_too_long() const { return pieces_.size() > Limits::expanded_tokens; }

  static std::size_t end_of(const Token& token) {
    return std::size_t{token.spelling.offset} + token.spelling.length;
  }

  Piece& add(PieceKind kind, std::size_t begin, std::size_t end) {
    std::size_t last = end;
    while (last > begin && is_blank(text_[last - 1])) --last;
    Piece piece;
    piece.kind = kind;
    piece.line_ends = std::exchange(line_ends_, 0);
    piece.text = text_.substr(begin, last - begin);
    piece.place = {file_, static_cast<std::uint32_t>(begin),
                   static_cast<std::uint32_t>(last - begin), 0};
    at_ = end;
    return pieces_.emplace_back(piece);
  }

  // What the lexer passed over before the token at `end`.
  void comments(std::size_t end) {
    while (at_ < end && !is_too_long()) {
      const std::string_view rest = text_.substr(at_, end - at_);
      if (rest.starts_with("//")) {
        add(PieceKind::line_comment, at_, at_ + std::min(rest.find('\n'), rest.size()));
      } else if (rest.starts_with("/*")) {
        add(PieceKind::block_comment, at_, at_ + rest.find("*/", 2) + 2);
      } else if (rest.starts_with("\\\n") || rest.starts_with("\\\r\n")) {
        at_ += rest[1] == '\n' ? 2 : 3;  // joins two lines, which here means nothing
      } else {
        line_ends_ += rest[0] == '\n' ? 1 : 0;
        ++at_;
      }
    }
  }

  void directive(const Token& hash) {
    const Token name = lexer_.next_in_line();
    if (name.kind == TokenKind::unterminated_comment) return never_closed(name);
    const std::string_view word =
        name.kind == TokenKind::identifier ? text_of(name, sources_) : std::string_view{};
    if (word == "include") {
      // What looks like a comment within a file's name is none.
      const Place rest = lexer_.rest_of_line();
      const std::string_view path = sources_.text(rest);
      const std::size_t quote = path.starts_with('"') ? path.find('"', 1) : std::string_view::npos;
      if (quote != std::string_view::npos)
        lexer_.continue_at(rest.offset + static_cast<std::uint32_t>(quote) + 1);
    }
    lexer_.skip_line();
    Piece& piece = add(PieceKind::directive, hash.spelling.offset, lexer_.rest_of_line().offset);
    piece.name = word;
  }

  void never_closed(const Token& token) {
    diagnostics_.error(token.place, "this comment is never closed", "close it with `*/`");
    at_ = text_.size();
  }

  void bad_token(const Token& token) {
    const Complaint complaint = complaint_about(text_of(token, sources_));
    if (std::exchange(last_bad_line_, lexer_.line()) != lexer_.line())
      diagnostics_.error(token.place, complaint.message, complaint.suggestion);
    at_ = end_of(token);
  }

  std::string_view text_;
  const SourceSet& sources_;
  std::uint32_t file_;
  Lexer lexer_;
  Diagnostics& diagnostics_;
  std::vector<Piece> pieces_;
  std::size_t at_ = 0;
  std::uint32_t line_ends_ = 0;
  std::uint32_t last_bad_line_ = UINT32_MAX;
};

std::string_view without_blanks(std::string_view line, bool at_start) {
  while (!line.empty() && is_blank(line.back())) line.remove_suffix(1);
  while (at_start && !line.empty() && is_blank(line.front())) line.remove_prefix(1);
  return line;
}

std::string written_directive(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    // `\r\r\n` stays: a backslash before it continues no line, and must not begin to.
    const bool ends_line = text.substr(i).starts_with("\r\n") && (i == 0 || text[i - 1] != '\r');
    if (!ends_line) result += text[i];
  }
  if (result.ends_with('\\')) result += ' ';
  return result;
}

// `each_line` is what is left of a line.
template <typename EachLine>
std::string by_line(std::string_view text, EachLine each_line) {
  std::string result;
  while (true) {
    const std::size_t end = text.find('\n');
    result += each_line(text.substr(0, end));
    if (end == std::string_view::npos) return result;
    result += '\n';
    text.remove_prefix(end + 1);
  }
}

// What must not change in it.
std::string essence(const Piece& piece) {
  if (piece.kind == PieceKind::directive) return written_directive(piece.text);
  return by_line(piece.text, [](std::string_view line) { return without_blanks(line, true); });
}

}  // namespace

std::optional<std::vector<Piece>> cut(const SourceSet& sources, std::uint32_t file,
                                      Diagnostics& diagnostics) {
  return Cutter(sources, file, diagnostics).cut();
}

bool spans_lines(const Piece& piece) {
  return piece.kind == PieceKind::block_comment && piece.text.find('\n') != std::string_view::npos;
}

bool breaks_line(const Piece& piece) {
  return piece.line_ends > 0 || piece.kind == PieceKind::line_comment ||
         piece.kind == PieceKind::directive || spans_lines(piece);
}

std::string written(const Piece& piece) {
  if (piece.kind == PieceKind::directive) return written_directive(piece.text);
  return by_line(piece.text, [](std::string_view line) { return without_blanks(line, false); });
}

bool same_pieces(const std::vector<Piece>& left, const std::vector<Piece>& right) {
  return std::equal(
      left.begin(), left.end(), right.begin(), right.end(), [](const Piece& a, const Piece& b) {
        return a.kind == b.kind && a.token == b.token &&
               (a.kind == PieceKind::token ? a.text == b.text : essence(a) == essence(b));
      });
}

}  // namespace panoptes::argos
