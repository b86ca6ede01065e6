// SPDX-License-Identifier: Apache-2.0
// What to say to those who come from another language, or from a slip of the finger.
#pragma once

#include <string>
#include <string_view>

#include "argos/token.hpp"

namespace panoptes::argos {

// Where a word, or a sign, of another language stands.
enum class Where {
  statement,
  declaration,
  invariant_name,
  call,       // of a procedure that does not exist
  asked,      // called within an expression
  value,      // where a value is expected
  operation,  // behind one
  exchange,   // behind a channel
  type,       // of a variable
};

// What to write instead of `word` there; "" if there is nothing to say.
std::string hint(Where where, std::string_view word);

// True if `word(` cannot be meant as a call: `while (`, `for (`.
bool is_foreign_control(std::string_view word);

// The word that begins a declaration and is probably meant by `word`; none if no one is near.
Word nearest_declaration(std::string_view word);
std::string_view spelled(Word word);

// What to say of a token that has no meaning: a byte that begins none, or a `#` within a line.
struct Complaint {
  std::string message, suggestion;
};
Complaint complaint_about(std::string_view token);

}  // namespace panoptes::argos
