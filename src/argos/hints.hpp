// SPDX-License-Identifier: Apache-2.0
// What to say to those who come from another language, or from a slip of the finger.
#pragma once

#include <string>
#include <string_view>

#include "argos/token.hpp"

namespace panoptes::argos {

// What to write instead of `word` where a statement is expected; "" if there is nothing to say.
std::string statement_hint(std::string_view word);

// The same where a procedure is called that does not exist.
std::string call_hint(std::string_view word);

// The same where a value is expected.
std::string value_hint(std::string_view word);

// True if `word(` cannot be meant as a call: `while (`, `for (`.
bool is_foreign_control(std::string_view word);

// What to write instead of `word` where a declaration is expected; "" if there is nothing to say.
std::string declaration_hint(std::string_view word);

// The word that begins a declaration and is probably meant by `word`; none if no one is near.
Word nearest_declaration(std::string_view word);
std::string_view spelled(Word word);

// What to say of a token that has no meaning: a byte that begins none, or a `#` within a line.
struct Complaint {
  std::string message, suggestion;
};
Complaint complaint_about(std::string_view token);

}  // namespace panoptes::argos
