// SPDX-License-Identifier: Apache-2.0
#include "argos/format/structure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "argos/parse.hpp"
#include "argos/word_classes.hpp"

namespace panoptes::argos {
namespace {

// Of statements, and of expressions in the innermost one.
constexpr std::size_t nesting_limit = 2 * std::size_t{Limits::nesting} + 1;

bool is_structural(Word word) {
  return word == Word::if_ || word == Word::fi || word == Word::do_ || word == Word::od;
}

bool is_declaring(Word word) {
  return word == Word::channel || word == Word::queue || word == Word::sink || word == Word::var ||
         word == Word::variable || word == Word::const_;
}

class Marker {
 public:
  Marker(const std::vector<Piece>& pieces, Diagnostics& diagnostics)
      : pieces_(pieces),
        diagnostics_(diagnostics),
        marks_(pieces.size()),
        enclosing_(pieces.size(), no_piece) {}

  std::optional<std::vector<Mark>> mark() {
    if (!find_partners()) return std::nullopt;
    find_insides();
    find_roles();
    return std::move(marks_);
  }

 private:
  using Open = std::vector<std::size_t>;  // pieces that nothing closed so far

  TokenKind kind(std::size_t i) const {
    return i == no_piece ? TokenKind::end_of_file : pieces_[i].token;
  }
  Word word(std::size_t i) const { return i == no_piece ? Word::none : pieces_[i].word; }
  bool is_name(std::size_t i) const {
    return kind(i) == TokenKind::identifier && !is_structural(word(i));
  }
  bool opens_parentheses(std::size_t i) const {
    return kind(i) == TokenKind::left_parenthesis || kind(i) == TokenKind::left_bracket ||
           (kind(i) == TokenKind::left_brace && marks_[i].role != Role::open_body);
  }

  // ---- partners

  bool find_partners() {
    Open open;
    Conditionals<Open> conditionals;
    std::size_t previous = no_piece;
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
      if (pieces_[i].kind == PieceKind::directive) conditionals.pass(pieces_[i], open);
      if (open.size() > nesting_limit || conditionals.depth() > Limits::nesting) {
        diagnostics_.error(pieces_[i].place, "this is nested too deep to be laid out",
                           "move some of it into procedures");
        return false;
      }
      if (pieces_[i].kind != PieceKind::token) continue;
      partner(i, previous, open);
      previous = i;
    }
    return true;
  }

  void partner(std::size_t i, std::size_t previous, Open& open) {
    switch (kind(i)) {
      case TokenKind::left_parenthesis:
      case TokenKind::left_bracket: return push(i, open);
      case TokenKind::right_parenthesis:
        return close(i, open,
                     [this](std::size_t o) { return kind(o) == TokenKind::left_parenthesis; });
      case TokenKind::right_bracket:
        return close(i, open, [this](std::size_t o) { return kind(o) == TokenKind::left_bracket; });
      case TokenKind::left_brace:
        if (kind(previous) != TokenKind::assign) {
          marks_[i].role = Role::open_body;
          while (!open.empty() && opens_parentheses(open.back())) open.pop_back();
        }
        return push(i, open);
      case TokenKind::right_brace:
        return close(i, open, [this](std::size_t o) { return kind(o) == TokenKind::left_brace; });
      case TokenKind::identifier: break;
      default: enclosing_[i] = open.empty() ? no_piece : open.back(); return;
    }
    if (word(i) == Word::if_ || word(i) == Word::do_) {
      marks_[i].role = Role::open_options;
      return push(i, open);
    }
    if (word(i) == Word::fi || word(i) == Word::od)
      return close(i, open, [this](std::size_t o) { return marks_[o].role == Role::open_options; });
    enclosing_[i] = open.empty() ? no_piece : open.back();
  }

  void push(std::size_t i, Open& open) {
    enclosing_[i] = open.empty() ? no_piece : open.back();
    open.push_back(i);
  }

  // Closes the innermost piece that `fits`. A parenthesis closes nothing beyond the statement it is
  // in, `fi` nothing beyond its process.
  template <typename Fits>
  void close(std::size_t i, Open& open, Fits fits) {
    for (std::size_t left = open.size(); left > 0; --left) {
      const std::size_t o = open[left - 1];
      if (fits(o)) {
        marks_[i].partner = o;
        marks_[o].partner = i;
        enclosing_[i] = enclosing_[o];
        if (marks_[o].role == Role::open_body || marks_[o].role == Role::open_options)
          marks_[i].role = Role::close;
        open.resize(left - 1);
        return;
      }
      const bool is_body = marks_[o].role == Role::open_body;
      const bool is_options = marks_[o].role == Role::open_options;
      if (is_body ||
          (is_options && kind(i) != TokenKind::right_brace && kind(i) != TokenKind::identifier))
        break;
    }
    enclosing_[i] = open.empty() ? no_piece : open.back();
    if (kind(i) == TokenKind::right_brace || kind(i) == TokenKind::identifier)
      marks_[i].role = Role::close;
  }

  // ---- what is inside of parentheses

  void find_insides() {
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
      const std::size_t e = enclosing_[i];
      if (pieces_[i].kind != PieceKind::token || e == no_piece) continue;
      marks_[i].is_inside =
          marks_[e].is_inside || (opens_parentheses(e) && marks_[e].partner != no_piece);
    }
  }

  // ---- roles

  struct Reading {
    std::size_t previous = no_piece;
    bool in_header = false;  // from `proc` to its `{`
    bool in_declaration = false;
    bool in_invariant = false;  // from `always` to its `(`
    bool in_formula = false;    // from `ltl` to its `}`
  };

  void find_roles() {
    std::size_t next = no_piece;
    for (std::size_t i = pieces_.size(); i-- > 0;) {
      if (pieces_[i].kind == PieceKind::token) next = i;
      marks_[i].next = next;
    }
    Reading reading;
    Conditionals<Reading> conditionals;
    bool is_new_line = false;  // since the token before
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
      is_new_line |= breaks_line(pieces_[i]);
      marks_[i].previous = reading.previous;
      if (pieces_[i].kind == PieceKind::directive) {
        conditionals.pass(pieces_[i], reading);
      } else if (pieces_[i].kind == PieceKind::token) {
        role(i, std::exchange(is_new_line, false), reading);
        reading.previous = i;
      }
    }
  }

  void role(std::size_t i, bool is_new_line, Reading& reading) {
    Mark& mark = marks_[i];
    const std::size_t previous = reading.previous;
    if ((kind(i) == TokenKind::minus || kind(i) == TokenKind::exclamation) && !is_operand(previous))
      mark.role = Role::unary;
    if (kind(i) == TokenKind::star && kind(previous) == TokenKind::left_bracket)
      mark.role = Role::unary;
    const std::size_t next = i + 1 < pieces_.size() ? marks_[i + 1].next : no_piece;
    if (reading.in_formula && is_temporal_word(i, next)) mark.role = Role::temporal_word;
    if (kind(i) == TokenKind::right_bracket &&
        (opens_tag(mark.partner) || (previous != no_piece && mark.partner == previous)))
      mark.role = Role::tag_end;
    if (mark.is_inside) {
      mark.in_declaration = reading.in_declaration;
      return;
    }
    mark.starts_statement = ends_statement(previous) || mark.role == Role::open_options ||
                            (kind(previous) == TokenKind::comma && is_in_enumeration(i));
    if (begins_definition(i, next) && mark.starts_statement) {
      mark.role = Role::defines;
      reading = {previous, true, false, false, word(i) == Word::ltl};
    } else if (begins_invariant(i, next) && mark.starts_statement) {
      mark.role = Role::declares;
      reading.in_declaration = reading.in_invariant = true;
    } else if (reading.in_invariant && kind(i) == TokenKind::left_parenthesis) {
      mark.role = Role::open_invariant;
      reading.in_invariant = false;
    } else if (is_declaring(word(i)) && is_name(next) &&
               (mark.starts_statement ||
                (reading.in_header && marks_[previous].role != Role::defines &&
                 !reading.in_declaration))) {
      mark.role = Role::declares;
      mark.starts_statement = reading.in_declaration = true;
    } else if (is_name(i) && kind(next) == TokenKind::colon && !reading.in_declaration &&
               !reading.in_header) {
      mark.role = Role::label;
      mark.starts_statement = true;
    } else if (kind(i) == TokenKind::colon && previous != no_piece &&
               marks_[previous].role == Role::label) {
      mark.role = Role::label_colon;
    } else if (is_new_line && !reading.in_declaration && !reading.in_header &&
               is_operand(previous) && word(previous) != Word::goto_ &&
               (is_name(i) || kind(i) == TokenKind::number)) {
      mark.starts_statement = true;  // the `;` before it is missing, or behind a macro
    }
    mark.in_declaration = reading.in_declaration;
    if (kind(i) == TokenKind::semicolon) reading.in_declaration = reading.in_invariant = false;
    if (mark.role == Role::open_body || mark.role == Role::close)
      reading.in_header = reading.in_declaration = false;
    if (mark.role == Role::close) reading.in_formula = false;
  }

  // A word that stands before a formula, or between two, and not for a variable.
  bool is_temporal_word(std::size_t i, std::size_t next) const {
    static constexpr std::array<std::string_view, 13> temporal_words = {
        "U",       "W",  "R",     "V",      "X",          "until", "weak",
        "release", "to", "leads", "always", "eventually", "next"};
    if (std::ranges::find(temporal_words, pieces_[i].text) == temporal_words.end()) return false;
    switch (kind(next)) {
      case TokenKind::identifier:
      case TokenKind::number:
      case TokenKind::left_parenthesis:
      case TokenKind::left_bracket:
      case TokenKind::exclamation:
      case TokenKind::not_equal: return true;
      default: return false;
    }
  }

  // Between the braces of `enum { ... }` or `enum name { ... }`.
  bool is_in_enumeration(std::size_t i) const {
    const std::size_t brace = enclosing_[i];
    if (brace == no_piece || kind(brace) != TokenKind::left_brace) return false;
    const std::size_t before = marks_[brace].previous;
    return word(before) == Word::enum_ ||
           (before != no_piece && word(marks_[before].previous) == Word::enum_);
  }

  // `[` right behind `::`.
  bool opens_tag(std::size_t i) const {
    return i != no_piece && kind(marks_[i].previous) == TokenKind::double_colon;
  }

  bool begins_definition(std::size_t i, std::size_t next) const {
    if (enclosing_[i] != no_piece) return false;
    if (word(i) == Word::assert_) return is_name(next) || kind(next) == TokenKind::left_brace;
    if (word(i) == Word::enum_ || word(i) == Word::ltl)
      return is_name(next) || kind(next) == TokenKind::left_brace;
    return is_name(next) &&
           (word(i) == Word::proc || word(i) == Word::process || word(i) == Word::procedure);
  }

  bool begins_invariant(std::size_t i, std::size_t next) const {
    return enclosing_[i] == no_piece && (word(i) == Word::always || word(i) == Word::never) &&
           (is_name(next) || kind(next) == TokenKind::left_parenthesis);
  }

  // `forall (i : 0..3)`, and what stands behind it: an operand begins there.
  bool closes_quantifier(std::size_t i) const {
    const std::size_t open = marks_[i].partner;
    if (open == no_piece || !is_quantifier(word(marks_[open].previous))) return false;
    const std::size_t name = open + 1 < i ? marks_[open + 1].next : no_piece;
    const std::size_t colon = name != no_piece && name + 1 < i ? marks_[name + 1].next : no_piece;
    return is_name(name) && kind(colon) == TokenKind::colon;
  }

  // True where an operand or a message may end with the token.
  bool is_operand(std::size_t i) const {
    switch (kind(i)) {
      case TokenKind::identifier: return is_name(i) && marks_[i].role != Role::temporal_word;
      case TokenKind::right_parenthesis: return !closes_quantifier(i);
      case TokenKind::number:
      case TokenKind::right_bracket:
      case TokenKind::increment:
      case TokenKind::decrement: return marks_[i].role != Role::tag_end;
      default: return false;
    }
  }

  // True where what follows the token is the beginning of something.
  bool ends_statement(std::size_t i) const {
    switch (kind(i)) {
      case TokenKind::end_of_file:
      case TokenKind::semicolon:
      case TokenKind::arrow:
      case TokenKind::double_colon: return true;
      default: break;
    }
    const Role role = marks_[i].role;
    return role == Role::label_colon || role == Role::tag_end || role == Role::open_body ||
           role == Role::open_options || role == Role::close;
  }

  const std::vector<Piece>& pieces_;
  Diagnostics& diagnostics_;
  std::vector<Mark> marks_;
  std::vector<std::size_t> enclosing_;
};

}  // namespace

std::optional<std::vector<Mark>> mark(const std::vector<Piece>& pieces, Diagnostics& diagnostics) {
  return Marker(pieces, diagnostics).mark();
}

}  // namespace panoptes::argos
