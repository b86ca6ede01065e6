// SPDX-License-Identifier: Apache-2.0
// What all productions share: names, where something begins and ends, and the way on after an
// error.
#include "argos/parser.hpp"

#include <fmt/format.h>

#include <utility>

#include "argos/hints.hpp"
#include "argos/word_classes.hpp"

namespace panoptes::argos {

// grammar: name = letter { letter | digit } ; (* but not "_", "if", "fi", "do" or "od" *)
Name Parser::name(std::string_view what) {
  const Token token = stream_.peek();
  if (token.kind == TokenKind::identifier && token.word == Word::underscore) {
    stream_.error("`_` is no name: it stands for a received value that is not kept");
  } else if (token.kind != TokenKind::identifier || is_bracket(token.word)) {
    stream_.error(fmt::format("expected the name of {}, found {}", what, found()));
  } else {
    stream_.take();
    return {std::string(stream_.text(token)), token.place};
  }
  return {{}, token.place};
}

// A word that begins a declaration, and a name.
bool Parser::at_local() {
  return is_local_word(stream_.peek().word) && stream_.next_is(TokenKind::identifier);
}

// The start of a process, a procedure or an assertion.
bool Parser::at_unit() {
  const Word word = stream_.peek().word;
  if (is_unit_word(word)) return stream_.next_is(TokenKind::identifier);
  if (word != Word::assert_) return false;
  if (stream_.next_is(TokenKind::left_brace)) return true;
  return stream_.next_is(TokenKind::identifier) &&
         (stream_.peek(2).kind == TokenKind::left_brace ||
          stream_.peek(2).kind == TokenKind::left_bracket);
}

// The start of a declaration that gives names to values; it stands at the top level only.
bool Parser::at_names() {
  if (stream_.at(Word::enum_) && stream_.next_is(TokenKind::left_brace)) return true;
  return (stream_.at(Word::const_) || stream_.at(Word::enum_)) &&
         stream_.next_is(TokenKind::identifier);
}

// `always (`, `always name (`, `always name[`: only where a declaration can stand, for a procedure
// may be called so.
bool Parser::at_invariant() {
  if (!stream_.at(Word::always) && !stream_.at(Word::never)) return false;
  if (stream_.next_is(TokenKind::left_parenthesis)) return true;
  return stream_.next_is(TokenKind::identifier) &&
         (stream_.peek(2).kind == TokenKind::left_parenthesis ||
          stream_.peek(2).kind == TokenKind::left_bracket);
}

// `ltl {`, `ltl name`, `fair word`.
bool Parser::at_temporal() {
  if (stream_.at(Word::fair)) return stream_.next_is(TokenKind::identifier);
  return stream_.at(Word::ltl) &&
         (stream_.next_is(TokenKind::left_brace) || stream_.next_is(TokenKind::identifier));
}

// Passes over `fi`, `od` and `::` where no `if` or `do` is open, and says whether there were any.
bool Parser::pass_strays() {
  bool passed = false;
  while (open_.empty()) {
    const Token token = stream_.peek();
    const bool closes = token.word == Word::fi || token.word == Word::od;
    if (!closes && token.kind != TokenKind::double_colon) break;
    if (closes) {
      stream_.report(token.place, fmt::format("{} without {}", found(),
                                              token.word == Word::fi ? "`if`" : "`do`"));
    } else if (!std::exchange(stray_option_reported_, true)) {
      stream_.report(token.place, "`::` outside of `if` and `do`");
    }
    while (stream_.at(token.kind) && stream_.at(token.word)) stream_.take();
    passed = true;
  }
  return passed;
}

bool Parser::at_sequence_end() {
  const Token& token = stream_.peek();
  return token.kind == TokenKind::end_of_file || token.kind == TokenKind::right_brace ||
         token.kind == TokenKind::double_colon || token.word == Word::fi ||
         token.word == Word::od || at_unit();
}

bool Parser::can_start_statement() {
  switch (stream_.peek().kind) {
    case TokenKind::identifier:
    case TokenKind::number:
    case TokenKind::left_parenthesis:
    case TokenKind::exclamation:
    case TokenKind::minus: return true;
    default: return false;
  }
}

// The `;` of a declaration. Where only that is missing nothing needs to be skipped.
void Parser::end_declaration() {
  if (!stream_.confused() && stream_.accept(TokenKind::semicolon)) return;
  const Place last = stream_.last().place;
  const Place after{last.file, last.offset + last.length, 0, last.expansion};
  if (!stream_.confused() && (stream_.peek().starts_line || stream_.at(TokenKind::left_brace) ||
                              stream_.at(TokenKind::right_brace))) {
    stream_.report(after, "expected `;` after the declaration");
    return;
  }
  stream_.error(fmt::format("expected `;` after the declaration, found {}", found()));
  skip_declaration();
}

void Parser::skip_statement() {
  while (!at_end() && !at_separator() && !at_unit() && !is_bracket(stream_.peek().word) &&
         !stream_.at(TokenKind::double_colon) && !stream_.at(TokenKind::left_brace) &&
         !stream_.at(TokenKind::right_brace) && !(stream_.peek().starts_line && at_local()))
    stream_.take();
  stream_.recovered();
}

void Parser::skip_declaration() {
  while (!at_end() && !at_unit() && !is_bracket(stream_.peek().word) &&
         !stream_.at(TokenKind::double_colon) && !stream_.at(TokenKind::left_brace) &&
         !stream_.at(TokenKind::right_brace) && !(stream_.peek().starts_line && at_local())) {
    if (stream_.take().kind == TokenKind::semicolon) break;
  }
  stream_.recovered();
}

// Outside of everything: to the next declaration, past any braces before it. Two names at the start
// of a line after a `;` look like one, too, and so does a word of another language.
void Parser::skip_to_unit() {
  for (int depth = 0; !at_end(); stream_.take()) {
    if (at_unit() && (depth == 0 || stream_.peek().starts_line)) return;
    if ((at_local() || at_names() || at_invariant() || at_temporal()) && depth == 0) return;
    if (depth == 0 && stream_.last().kind == TokenKind::semicolon && stream_.peek().starts_line &&
        stream_.at(TokenKind::identifier) && !is_keyword(stream_.peek().word) &&
        (stream_.next_is(TokenKind::identifier) ||
         !hint(Where::declaration, stream_.text(stream_.peek())).empty()))
      return;
    if (stream_.at(TokenKind::left_brace)) ++depth;
    if (stream_.at(TokenKind::right_brace) && depth > 0) --depth;
  }
}

}  // namespace panoptes::argos
