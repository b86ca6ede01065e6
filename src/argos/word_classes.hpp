// SPDX-License-Identifier: Apache-2.0
// Which words may begin what.
#pragma once

#include "argos/token.hpp"

namespace panoptes::argos {

// The brackets of the language are never names; the other keywords are, where no statement starts.
inline bool is_bracket(Word word) {
  return word == Word::if_ || word == Word::fi || word == Word::do_ || word == Word::od;
}

inline bool is_keyword(Word word) {
  return is_bracket(word) || word == Word::skip || word == Word::break_ || word == Word::goto_ ||
         word == Word::assert_;
}

inline bool is_local_word(Word word) {
  return word == Word::channel || word == Word::queue || word == Word::sink || word == Word::var ||
         word == Word::variable;
}

inline bool is_unit_word(Word word) {
  return word == Word::proc || word == Word::process || word == Word::procedure;
}

inline bool is_question(Word word) {
  return word == Word::len || word == Word::full || word == Word::empty;
}

// `+=` and its like: between a variable and what it is changed by.
inline bool is_changing(TokenKind kind) {
  switch (kind) {
    case TokenKind::plus_percent:
    case TokenKind::plus_assign:
    case TokenKind::minus_assign:
    case TokenKind::star_assign:
    case TokenKind::slash_assign:
    case TokenKind::percent_assign: return true;
    default: return false;
  }
}

// What stands behind the variable of an assignment.
inline bool is_assigning(TokenKind kind) {
  return kind == TokenKind::assign || kind == TokenKind::increment ||
         kind == TokenKind::decrement || is_changing(kind);
}

inline bool is_quantifier(Word word) {
  return word == Word::forall || word == Word::exists || word == Word::count;
}

}  // namespace panoptes::argos
