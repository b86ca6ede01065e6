// SPDX-License-Identifier: Apache-2.0
// What the pieces of a text are to each other, as far as it can be said without a parser: macros
// may hide anything, and an `#if` may take away half of a process.
//
// How it can be wrong: it guesses. Of a model that parses it is right but for what macros hide; of
// any other text it says something, and a layout made from it has the same pieces all the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "argos/format/pieces.hpp"

namespace panoptes::argos {

inline constexpr std::size_t no_piece = SIZE_MAX;

enum class Role : std::uint8_t {
  plain,
  unary,           // `-` or `!` before its operand; the `*` of `inbox[*]`
  label,           // the name of one
  label_colon,     // behind it
  tag_end,         // the `]` of `:: [high]`, and that of `[]`, which is an operator
  temporal_word,   // `U`, `leads to` and the like, in a formula
  open_invariant,  // `(` of an `always` or `never`
  open_body,       // `{` of a process, procedure, assertion, enumeration or formula
  open_options,    // `if`, `do`
  close,           // `}`, `fi`, `od` of these
  declares,        // `var`, `channel` and the like, where they begin a declaration
  defines,         // `proc`, `procedure`, `assert NAME`, `enum`, `ltl`
};

struct Mark {
  Role role = Role::plain;
  bool is_inside = false;           // of parentheses, brackets or the contents of a channel
  bool starts_statement = false;    // statements, declarations and definitions
  bool in_declaration = false;      // or its `;`
  std::size_t partner = no_piece;   // of an opening piece, the one that closes it, and vice versa
  std::size_t previous = no_piece;  // token, comments and directives left out; that before the
                                    // `#if` where an `#else` comes between
  std::size_t next = no_piece;      // token from here on, this one included
};

// One mark for each piece; nothing, with a complaint, where they are nested too deep.
std::optional<std::vector<Mark>> mark(const std::vector<Piece>& pieces, Diagnostics& diagnostics);

// What directives do to a state that goes along with the pieces: every part of an `#if` begins in
// the state before it, and what follows the `#endif` goes on from the first part.
template <typename State>
class Conditionals {
 public:
  // REQUIRES: `piece` is a directive.
  void pass(const Piece& piece, State& state) {
    if (piece.name == "if" || piece.name == "ifdef" || piece.name == "ifndef") {
      open_.push_back({state, std::nullopt});
    } else if (open_.empty()) {
      return;
    } else if (piece.name == "else" || piece.name == "elif") {
      if (!open_.back().after_first) open_.back().after_first = state;
      state = open_.back().before;
    } else if (piece.name == "endif") {
      if (open_.back().after_first) state = *open_.back().after_first;
      open_.pop_back();
    }
  }
  std::size_t depth() const { return open_.size(); }

 private:
  struct Open {
    State before;
    std::optional<State> after_first;
  };
  std::vector<Open> open_;
};

}  // namespace panoptes::argos
