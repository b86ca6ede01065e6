// SPDX-License-Identifier: Apache-2.0
// Pieces are written one after the other; before each it is decided whether it starts a line.
//
// A group, that is `if ... fi`, `do ... od` or the body of a process, is flat where its author
// wrote it in one line and it fits into one: then nothing in it starts a line. In any other group,
// what must stand on a line of its own does, and of the other line ends those between statements
// are kept. Lines that get too long are ended behind a statement, or behind an operator.
//
// Why it is stable: a line end is written where the text has one that is kept, or where the rules
// want one whatever the text has. Written out, the former is there again, and so is the latter.
#include "argos/format/format.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "argos/format/pieces.hpp"
#include "argos/format/structure.hpp"
#include "argos/lexer.hpp"
#include "argos/word_classes.hpp"
#include "base/display.hpp"

namespace panoptes::argos {
namespace {

constexpr std::size_t indent_columns = 2;
constexpr std::size_t option_columns = 3;        // of `:: `
constexpr std::size_t continuation_columns = 4;  // of a statement's second line

// True where the two would be read as something else without a blank between them.
bool would_join(char last, char first) {
  const auto is_word = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  if (is_word(last) && is_word(first)) return true;
  const bool is_comment = last == '/' && (first == '/' || first == '*');
  return is_comment || is_operator(last, first);
}

bool is_separator(TokenKind kind) {
  return kind == TokenKind::semicolon || kind == TokenKind::arrow;
}

// A line end behind it, within a statement, is kept.
bool is_kept_operator(TokenKind kind) {
  return kind == TokenKind::comma || kind == TokenKind::logical_and ||
         kind == TokenKind::logical_or;
}

// A line that is too long may end behind it.
bool is_binary(TokenKind kind) {
  switch (kind) {
    case TokenKind::assign:
    case TokenKind::equal:
    case TokenKind::not_equal:
    case TokenKind::less:
    case TokenKind::less_equal:
    case TokenKind::greater:
    case TokenKind::greater_equal:
    case TokenKind::plus:
    case TokenKind::minus:
    case TokenKind::star:
    case TokenKind::slash:
    case TokenKind::percent: return true;
    default: return is_kept_operator(kind) || is_changing(kind);
  }
}

struct Line {
  std::string code;     // with its indentation; a comment of several lines has all of them
  std::string comment;  // at the end of it
};

class Layout {
 public:
  Layout(const std::vector<Piece>& pieces, const std::vector<Mark>& marks)
      : pieces_(pieces),
        marks_(marks),
        breaks_(pieces.size() + 1, 0),
        owners_(pieces.size(), no_piece),
        ends_comment_line_(pieces.size(), false) {
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      breaks_[i + 1] = breaks_[i] + (breaks_line(pieces[i]) ? 1 : 0);
      ends_comment_line_[i] = pieces[i].kind == PieceKind::block_comment &&
                              (i == 0 || pieces[i].line_ends > 0 || ends_comment_line_[i - 1]);
    }
    for (std::size_t i = pieces.size(); i-- > 0;) owners_[i] = owner_of(i);
  }

  std::string text() {
    for (std::size_t i = 0; i < pieces_.size(); ++i) piece(i);
    settle_comment(true);
    return joined();
  }

 private:
  // The token that a comment goes with, which is the next one in its line. Behind a statement it
  // does not go with what begins the next option or ends the group: that starts a line.
  std::size_t owner_of(std::size_t i) const {
    if (pieces_[i].kind == PieceKind::token) return i;
    if (i + 1 == pieces_.size() || breaks_line(pieces_[i + 1])) return no_piece;
    const std::size_t owner = owners_[i + 1];
    if (owner == no_piece || ends_comment_line_[i]) return owner;
    const bool starts_line = kind(owner) == TokenKind::double_colon || role(owner) == Role::close;
    return starts_line && !marks_[owner].is_inside ? no_piece : owner;
  }

  // An open group.
  struct Group {
    std::size_t indent = 0;  // of what opens and closes it
    bool is_body = false;    // else `if` or `do`
    bool is_flat = false;
    bool in_option = false;
  };
  struct State {
    std::vector<Group> groups;
    std::size_t definition = no_piece;  // the `proc` whose `{` is still to come
    std::size_t definition_line = 0;    // the line it is in
    bool after_long_group = false;      // a group of several lines was closed, and perhaps its `;`
  };

  // True where nothing between the two pieces, the last included, wants a line end.
  bool in_one_line(std::size_t first, std::size_t last) const {
    return breaks_[last + 1] == breaks_[first + 1];
  }

  bool is_flat() const { return !state_.groups.empty() && state_.groups.back().is_flat; }
  TokenKind kind(std::size_t i) const {
    return i == no_piece ? TokenKind::end_of_file : pieces_[i].token;
  }
  Role role(std::size_t i) const { return i == no_piece ? Role::plain : marks_[i].role; }

  // ---- columns

  std::size_t statement_indent() const {
    if (state_.groups.empty()) return state_.definition == no_piece ? 0 : indent_columns;
    const Group& group = state_.groups.back();
    return group.indent + (group.in_option ? option_columns : indent_columns);
  }

  // Where a line begins that starts with this token.
  std::size_t indent_of_token(std::size_t i) const {
    const Group* group = state_.groups.empty() ? nullptr : &state_.groups.back();
    const Mark& mark = marks_[i];
    if (!mark.is_inside) {
      if (kind(i) == TokenKind::double_colon) return group ? group->indent : 0;
      if (mark.role == Role::close && mark.partner != no_piece) return group ? group->indent : 0;
      if (mark.role == Role::open_body) return group ? statement_indent() : 0;
      if (mark.role == Role::label)
        return group && !group->in_option ? group->indent : statement_indent();
      if (begins_something(i)) return statement_indent();
    }
    return statement_indent() + continuation_columns;
  }

  bool begins_something(std::size_t i) const {
    const Mark& mark = marks_[i];
    return !mark.is_inside && (mark.starts_statement || mark.role == Role::close ||
                               mark.role == Role::open_body || kind(i) == TokenKind::double_colon);
  }

  // A comment stands where that stands which it is about: what follows, or else what came before.
  std::size_t indent_of_comment(std::size_t i) const {
    const std::size_t next = marks_[i].next;
    if (next == no_piece) return statement_indent();
    if (!state_.groups.empty() && marks_[next].role == Role::close && !marks_[next].is_inside) {
      const Group& group = state_.groups.back();
      return group.in_option ? group.indent : group.indent + indent_columns;
    }
    return indent_of_token(next);
  }

  // Where the next piece would stand, but for a blank.
  std::size_t column() const {
    return waiting_comment_ == no_piece ? column_
                                        : column_ + columns(waiting_comment_, waiting_comment_);
  }

  // ---- blanks

  bool has_blank(std::size_t before, std::size_t i) const {
    return wants_blank(before, i) ||
           would_join(pieces_[before].text.back(), pieces_[i].text.front());
  }

  bool wants_blank(std::size_t before, std::size_t i) const {
    const TokenKind left = kind(before), right = kind(i);
    switch (right) {
      case TokenKind::right_parenthesis:
      case TokenKind::right_bracket:
      case TokenKind::comma:
      case TokenKind::semicolon: return left == TokenKind::left_brace;
      default: break;
    }
    if (left == TokenKind::left_parenthesis || left == TokenKind::left_bracket) return false;
    if (pieces_[before].kind != PieceKind::token || pieces_[i].kind != PieceKind::token)
      return true;
    if (role(before) == Role::unary || left == TokenKind::exclamation ||
        left == TokenKind::question || left == TokenKind::dots || left == TokenKind::dot ||
        left == TokenKind::at_sign)
      return false;
    const Word word = pieces_[before].word;
    const bool is_name = left == TokenKind::identifier && role(before) != Role::open_options &&
                         role(before) != Role::close && role(before) != Role::temporal_word &&
                         word != Word::skip && word != Word::break_;
    const bool is_called =
        is_name || (left == TokenKind::right_bracket && role(before) != Role::tag_end);
    switch (right) {
      case TokenKind::left_parenthesis:
        return !is_called || word == Word::when || opens_quantifier(before, i) ||
               role(i) == Role::open_invariant;
      case TokenKind::left_bracket: return !is_called && left != TokenKind::right_parenthesis;
      case TokenKind::exclamation: return role(i) == Role::unary;
      case TokenKind::question:
      case TokenKind::dot:
      case TokenKind::at_sign:
      case TokenKind::dots: return false;
      case TokenKind::increment:
      case TokenKind::decrement: return !is_called;
      case TokenKind::colon: return role(i) != Role::label_colon;
      default: return true;
    }
  }

  // `forall (i : ...)`: the parenthesis behind one of its words, and an index in it.
  bool opens_quantifier(std::size_t before, std::size_t i) const {
    return is_quantifier(pieces_[before].word) && i + 2 < pieces_.size() &&
           pieces_[i + 1].token == TokenKind::identifier &&
           pieces_[i + 2].token == TokenKind::colon;
  }

  // Columns of the pieces from `first` to `last` in one line, the blank before them included; more
  // than a line has where they are too many.
  std::size_t columns(std::size_t first, std::size_t last) const {
    std::size_t sum = 0;
    for (std::size_t i = first; i <= last && sum <= line_columns; ++i)
      sum += display_width(pieces_[i].text) + (i > 0 && has_blank(i - 1, i) ? 1 : 0);
    return sum;
  }

  bool fits(std::size_t first, std::size_t last, std::size_t at) const {
    return at + columns(first, last) <= line_columns;
  }

  // The last piece of what begins at `i` and is not to be torn apart: a statement with the `;` or
  // `->` behind it; within a statement, what comes before the next operator.
  std::size_t end_of_part(std::size_t i, bool is_statement) const {
    std::size_t last = i;
    for (std::size_t k = i, seen = 0; k < pieces_.size() && seen <= line_columns; ++k, ++seen) {
      if (k > i && keeps_line_end(k)) break;
      if (k > i && pieces_[k].kind == PieceKind::token && !marks_[k].is_inside &&
          (marks_[k].starts_statement || role(k) == Role::close || role(k) == Role::open_body ||
           kind(k) == TokenKind::double_colon))
        break;
      last = k;
      if (pieces_[k].kind != PieceKind::token) continue;
      if (!marks_[k].is_inside && is_separator(kind(k))) break;
      if (!is_statement && role(k) != Role::unary && is_binary(kind(k))) break;
      if (!is_statement && marks_[k].is_inside && is_separator(kind(k))) break;
    }
    return last;
  }

  // True where the line end before a piece stays whatever the length of the lines.
  bool keeps_line_end(std::size_t i) const {
    const Piece& piece = pieces_[i];
    if (piece.line_ends == 0) return breaks_line(piece);
    const std::size_t token = owners_[i];
    if (token == no_piece) return true;
    const std::size_t before = marks_[token].previous;
    return marks_[token].starts_statement || is_kept_operator(kind(before)) ||
           (before != no_piece && marks_[before].is_inside && is_separator(kind(before)));
  }

  // A group and the `;` or `->` behind it.
  std::size_t end_of_group(std::size_t i) const {
    const std::size_t last = marks_[i].partner;
    return last + 1 < pieces_.size() && is_separator(kind(last + 1)) ? last + 1 : last;
  }

  // ---- line ends

  // True where the token `i` starts a line; `first` is the first of the comments before it that go
  // with it, or it itself.
  bool starts_line(std::size_t i, std::size_t first) {
    flat_ = false;
    const bool is_forced = must_start_line(first);
    if (is_flat()) {
      flat_ = true;
      return is_forced;
    }
    const Mark& mark = marks_[i];
    const bool has_line_end = pieces_[first].line_ends > 0;
    if (mark.is_inside) return is_forced || continues_on_next_line(first, has_line_end);
    if (mark.role == Role::open_body) return starts_body(i, first, is_forced);
    if (mark.role == Role::open_options) return starts_options(i, first, is_forced);
    return is_forced || wants_line(i, has_line_end) || tears_too_long(i, first, has_line_end);
  }

  // What is before it leaves no choice.
  bool must_start_line(std::size_t i) const {
    if (i == 0) return true;
    const Piece& before = pieces_[i - 1];
    return before.kind == PieceKind::line_comment || before.kind == PieceKind::directive ||
           spans_lines(before) || (ends_comment_line_[i - 1] && pieces_[i].line_ends > 0);
  }

  // Everything but the length of lines.
  bool wants_line(std::size_t i, bool has_line_end) const {
    const Mark& mark = marks_[i];
    const std::size_t previous = mark.previous;
    if (kind(i) == TokenKind::double_colon || mark.role == Role::close) return true;
    if (is_separator(kind(i))) return false;
    if (previous == no_piece || role(previous) == Role::open_body ||
        role(previous) == Role::open_options || state_.after_long_group)
      return true;
    if (mark.role == Role::defines || mark.role == Role::declares) return true;
    if (mark.starts_statement && is_continued_) return true;
    if (kind(previous) == TokenKind::semicolon &&
        (state_.groups.empty() || marks_[previous].in_declaration))
      return true;
    if (role(previous) == Role::close && state_.groups.empty()) return true;
    if (kind(previous) == TokenKind::double_colon || role(previous) == Role::tag_end) return false;
    if (mark.role == Role::label) return role(previous) != Role::label_colon || has_line_end;
    return mark.starts_statement && has_line_end;
  }

  // Only where the line would be too long, or the author thought so.
  bool tears_too_long(std::size_t i, std::size_t first, bool has_line_end) const {
    const Mark& mark = marks_[i];
    if (is_separator(kind(i))) return false;
    if (!mark.starts_statement) return continues_on_next_line(first, has_line_end);
    const std::size_t previous = mark.previous;
    if (kind(previous) == TokenKind::double_colon || role(previous) == Role::tag_end) return false;
    return !fits(first, end_of_part(first, true), column());
  }

  bool continues_on_next_line(std::size_t first, bool has_line_end) const {
    const std::size_t before = marks_[marks_[first].next].previous;
    if (before == no_piece || first == 0) return false;
    const TokenKind left = kind(before);
    const bool is_kept = is_kept_operator(left) || (marks_[before].is_inside && is_separator(left));
    if (is_kept && has_line_end) return true;
    const bool may_end = is_kept || (is_binary(left) && role(before) != Role::unary);
    return may_end && !fits(first, end_of_part(first, false), column());
  }

  bool starts_body(std::size_t i, std::size_t first, bool is_forced) {
    const std::size_t last = marks_[i].partner;
    const std::size_t from = state_.definition == no_piece ? first : state_.definition;
    flat_ = !is_forced && last != no_piece &&
            (state_.definition == no_piece || state_.definition_line == lines_.size()) &&
            pieces_[first].line_ends == 0 && in_one_line(from, last) && fits(first, last, column());
    // The brace of a body within a body, which is that of an `atomic`, stays where it is.
    const bool is_inner = !state_.groups.empty() && state_.definition == no_piece;
    return is_inner ? is_forced : !flat_;
  }

  bool starts_options(std::size_t i, std::size_t first, bool is_forced) {
    const bool is_line = is_forced || wants_line(i, pieces_[first].line_ends > 0);
    const bool may_be_flat = marks_[i].partner != no_piece && in_one_line(i, marks_[i].partner);
    const std::size_t last = may_be_flat ? end_of_group(i) : i;
    if (may_be_flat && !is_line && fits(first, last, column())) {
      flat_ = true;
      return false;
    }
    const bool is_first_of_option = kind(first - 1) == TokenKind::double_colon;
    if (may_be_flat) flat_ = fits(first, last, statement_indent());
    return is_line || !is_first_of_option;
  }

  // ---- writing

  void piece(std::size_t i) {
    const Piece& piece = pieces_[i];
    switch (piece.kind) {
      case PieceKind::directive:
        new_line(i, 0);
        append(written(piece));
        conditionals_.pass(piece, state_);
        return;
      case PieceKind::line_comment:
      case PieceKind::block_comment: return comment(i);
      case PieceKind::token: return token(i);
    }
  }

  void comment(std::size_t i) {
    const Piece& piece = pieces_[i];
    if (spans_lines(piece) || i == 0 || pieces_[i - 1].kind == PieceKind::directive) {
      new_line(i, indent_of_comment(i));
      append_comment_lines(i);
      return;
    }
    if (piece.kind == PieceKind::line_comment) {
      if (piece.line_ends > 0) {
        new_line(i, indent_of_comment(i));
        append(written(piece));
      } else {
        settle_comment(false);
        lines_.back().comment = written(piece);
      }
      return;
    }
    const std::size_t owner = owners_[i];
    if (owner != no_piece) {
      if (!is_taken_along_) {
        is_taken_along_ = true;
        start_token(owner, i);
      } else {
        append_after_blank(i);
      }
    } else if (piece.line_ends > 0 || must_start_line(i)) {
      new_line(i, indent_of_comment(i));
      append(written(piece));
    } else {
      settle_comment(false);
      waiting_comment_ = i;  // until it is known whether the line ends behind it
    }
  }

  void append_comment_lines(std::size_t i) {
    const std::string text = written(pieces_[i]);
    // Lines that all begin with a star stand below the first one's.
    bool has_stars = true;
    for (std::size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at + 1)) {
      const std::size_t start = text.find_first_not_of(" \t\r\v\f", at + 1);
      has_stars &= start != std::string::npos && text[start] == '*';
    }
    if (!has_stars) return append(text);
    const std::string indent(indent_of_comment(i) + 1, ' ');
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      const std::size_t start = at == 0 ? 0 : text.find_first_not_of(" \t\r\v\f", at);
      append((at == 0 ? "" : "\n" + indent) + text.substr(start, end - start));
      at = end + 1;
    }
  }

  void token(std::size_t i) {
    if (std::exchange(is_taken_along_, false))
      append_after_blank(i);
    else
      start_token(i, i);
    open_and_close(i);
  }

  // Writes the piece `first`, which is the token `i` or goes with it, on a new line or not.
  void start_token(std::size_t i, std::size_t first) {
    const bool is_new = starts_line(i, first);
    is_flat_next_ = flat_;
    if (is_new) {
      new_line(first, indent_of_token(i));
      is_continued_ = !begins_something(i);
      append(std::string(pieces_[first].text));
    } else {
      append_after_blank(first);
    }
  }

  void open_and_close(std::size_t i) {
    const Mark& mark = marks_[i];
    if (mark.is_inside) return;
    if (!is_separator(kind(i))) state_.after_long_group = false;
    switch (mark.role) {
      case Role::defines:
        state_.definition = i;
        state_.definition_line = lines_.size();
        break;
      case Role::open_body:
        open({indent_of_token(i), true, is_flat_next_, false});
        state_.definition = no_piece;
        break;
      case Role::open_options: open({statement_indent(), false, is_flat_next_, false}); break;
      case Role::close: close(mark.partner); break;
      default:
        if (kind(i) == TokenKind::double_colon && !state_.groups.empty())
          state_.groups.back().in_option = true;
    }
  }

  void open(Group group) { state_.groups.push_back(group); }

  void close(std::size_t partner) {
    if (partner == no_piece || state_.groups.empty()) {
      state_.after_long_group = true;
      if (state_.groups.empty()) state_.definition = no_piece;
      return;
    }
    // What nothing closed ends with the process.
    if (marks_[partner].role == Role::open_body)
      while (state_.groups.size() > 1 && !state_.groups.back().is_body) state_.groups.pop_back();
    state_.after_long_group = !state_.groups.back().is_flat;
    state_.groups.pop_back();
  }

  void new_line(std::size_t i, std::size_t indent) {
    settle_comment(true);
    if (wants_empty_line(i)) lines_.emplace_back();
    lines_.push_back({std::string(indent, ' '), ""});
    column_ = indent;
    is_continued_ = false;
  }

  bool wants_empty_line(std::size_t i) const {
    if (i == 0) return false;
    const std::size_t next = marks_[i].next;
    const Piece& before = pieces_[i - 1];
    const Mark* mark = pieces_[i].kind == PieceKind::token ? &marks_[i] : nullptr;
    const bool opens = before.kind == PieceKind::token && !marks_[i - 1].is_inside &&
                       (role(i - 1) == Role::open_body || role(i - 1) == Role::open_options ||
                        kind(i - 1) == TokenKind::double_colon);
    if (opens || (mark && (mark->role == Role::close || mark->role == Role::open_body)))
      return false;
    if (mark && mark->role == Role::defines && state_.after_long_group &&
        before.kind != PieceKind::directive && !stands_alone(i - 1))
      return true;
    if (pieces_[i].line_ends < 2) return false;
    return !mark || mark->starts_statement || kind(next) == TokenKind::double_colon;
  }

  // A comment that starts its line.
  bool stands_alone(std::size_t i) const {
    return pieces_[i].kind != PieceKind::token &&
           (pieces_[i].line_ends > 0 || spans_lines(pieces_[i]));
  }

  void append(const std::string& text) {
    lines_.back().code += text;
    column_ += display_width(text);
  }

  void append_after_blank(std::size_t i) {
    settle_comment(false);
    const bool is_at_start = lines_.back().code.find_first_not_of(' ') == std::string::npos;
    append((!is_at_start && has_blank(i - 1, i) ? " " : "") + std::string(pieces_[i].text));
  }

  // Decides about a comment that was the last in its line.
  void settle_comment(bool line_ends) {
    const std::size_t i = std::exchange(waiting_comment_, no_piece);
    if (i == no_piece) return;
    if (line_ends)
      lines_.back().comment = written(pieces_[i]);
    else
      append((has_blank(i - 1, i) ? " " : "") + std::string(pieces_[i].text));
  }

  // ---- lines

  // Comments at the ends of lines that follow each other stand below each other.
  std::string joined() const {
    std::string text;
    for (std::size_t i = 0; i < lines_.size();) {
      std::size_t end = i;
      std::size_t code = 0, comment = 0;
      while (end < lines_.size() && !lines_[end].comment.empty()) {
        code = std::max(code, last_width(lines_[end].code));
        comment = std::max(comment, display_width(lines_[end].comment));
        ++end;
      }
      const bool is_aligned = code + 2 + comment <= line_columns;
      for (; i < end; ++i) {
        const std::size_t own = last_width(lines_[i].code);
        text += lines_[i].code + std::string((is_aligned ? code - own : 0) + 2, ' ') +
                lines_[i].comment + '\n';
      }
      if (i < lines_.size()) text += lines_[i++].code + '\n';
    }
    return text;
  }

  static std::size_t last_width(std::string_view code) {
    return display_width(code.substr(code.rfind('\n') + 1));
  }

  const std::vector<Piece>& pieces_;
  const std::vector<Mark>& marks_;
  std::vector<std::size_t> breaks_;      // pieces before each that want a line end
  std::vector<std::size_t> owners_;      // of a comment, the token behind it that it goes with
  std::vector<bool> ends_comment_line_;  // nothing but comments before it in its line
  State state_;
  Conditionals<State> conditionals_;
  std::vector<Line> lines_;
  std::size_t column_ = 0;
  bool is_continued_ = false;  // the last line goes on with a statement of the one before
  std::size_t waiting_comment_ = no_piece;
  bool is_taken_along_ = false;  // comments before the next token belong to it
  bool flat_ = false;            // what starts_line() found of a group
  bool is_flat_next_ = false;
};

}  // namespace

std::optional<std::string> format(const SourceSet& sources, std::uint32_t file,
                                  Diagnostics& diagnostics) {
  const auto pieces = cut(sources, file, diagnostics);
  if (!pieces) return std::nullopt;
  const auto marks = mark(*pieces, diagnostics);
  if (!marks) return std::nullopt;
  std::string text = Layout(*pieces, *marks).text();

  SourceSet again;
  Diagnostics complaints;
  const auto read = cut(again, again.add(sources.name(file), text), complaints);
  if (!read || !same_pieces(*pieces, *read))
    throw FormatFault("the formatted text would not have the same tokens");
  return text;
}

}  // namespace panoptes::argos
