// SPDX-License-Identifier: Apache-2.0
#include "argos/hints.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "base/diagnostic.hpp"

namespace panoptes::argos {
namespace {

using Hint = std::pair<std::string_view, std::string_view>;

constexpr std::string_view use_if = "write `if :: (condition) -> ... :: else -> ... fi`";
constexpr std::string_view use_do = "write `do :: (condition) -> ... :: else -> break od`";
constexpr std::string_view use_var = "variables are declared with `var name : low..high;`";
constexpr std::string_view no_atomic = "every statement is one step; there are no longer ones";
constexpr std::string_view use_procedure = "write `procedure name(parameters) { ... }`";
constexpr std::string_view always_runs = "every `proc` runs from the start";
constexpr std::string_view use_const = "constants are declared at the top level: `const name = 3;`";
constexpr std::string_view use_assert =
    "there are no formulas: `assert(condition)` says what is so where it stands, `assert name { "
    "... "
    "}` in which order messages may come; what must happen in the end, neither can say: look for "
    "deadlocks, and for livelocks with `check --keep-graph`";
constexpr std::string_view use_channel =
    "write `channel!message` to send, `channel?message` to receive";

constexpr std::array statement_hints = {
    Hint{"while", use_do},
    Hint{"for", use_do},
    Hint{"switch", use_if},
    Hint{"case", use_if},
    Hint{"atomic", no_atomic},
    Hint{"d_step", no_atomic},
    Hint{"timeout", "a timeout belongs to a channel: write `c?timeout`"},
    Hint{"default", "write `c?default` for any other message of channel `c`"},
    Hint{"TRUE", "write `true`"},
    Hint{"FALSE", "write `false`"},
    Hint{"then", "write `->` after the condition"},
    Hint{"const", use_const},
    Hint{"send", use_channel},
    Hint{"receive", use_channel},
    Hint{"return", "a procedure ends at its closing brace: use a `goto` to a label there"},
    Hint{"continue", "use a `goto` to a label before the `do`"},
    Hint{"end", "a label needs a colon: `end:`"},
    Hint{"endif", "an `if` ends with `fi`"},
    Hint{"done", "a `do` ends with `od`"},
    Hint{"run", always_runs},
    Hint{"printf", "there is no output: reports show every step of a trail"},
    Hint{"int", use_var},
    Hint{"short", use_var},
    Hint{"byte", use_var},
    Hint{"bit", use_var},
    Hint{"bool", use_var},
};

constexpr std::array declaration_hints = {
    Hint{"chan", "channels are declared with `channel name[capacity];`"},
    Hint{"int", use_var},
    Hint{"short", use_var},
    Hint{"byte", use_var},
    Hint{"bit", use_var},
    Hint{"bool", use_var},
    Hint{"mtype", "message names need no declaration"},
    Hint{"message", "message names need no declaration"},
    Hint{"proctype", "processes are declared with `proc name { ... }`"},
    Hint{"active", "processes are declared with `proc name { ... }`; each runs from the start"},
    Hint{"init", always_runs},
    Hint{"inline", use_procedure},
    Hint{"function", use_procedure},
    Hint{"void", use_procedure},
    Hint{"never", use_assert},
    Hint{"ltl", use_assert},
    Hint{"constant", use_const},
    Hint{"CONSTANT", use_const},
    Hint{"CONSTANTS", use_const},
    Hint{"enum", "values are numbers: give them names by `#define NAME 3`"},
    Hint{"typedef", "there are no types: a message carries up to three values"},
    Hint{"struct", "there are no types: a message carries up to three values"},
    Hint{"define", "macros are defined with `#define`"},
    Hint{"include", "files are included with `#include`"},
};

constexpr std::array call_hints = {
    Hint{"else", "write `else -> ...`: it has no condition"},
    Hint{"when", "the statement that it guards stands right behind it: `when (condition) c!m`"},
};

template <std::size_t size>
std::string find(const std::array<Hint, size>& hints, std::string_view word) {
  for (const auto& [key, text] : hints)
    if (key == word) return std::string(text);
  return {};
}

const std::array<std::pair<std::string, Word>, 9> declaration_words = {{
    {"channel", Word::channel},
    {"queue", Word::queue},
    {"sink", Word::sink},
    {"var", Word::var},
    {"variable", Word::variable},
    {"proc", Word::proc},
    {"process", Word::process},
    {"procedure", Word::procedure},
    {"assert", Word::assert_},
}};

}  // namespace

std::string statement_hint(std::string_view word) { return find(statement_hints, word); }

std::string call_hint(std::string_view word) { return find(call_hints, word); }

std::string value_hint(std::string_view word) {
  if (word == "TRUE") return "write `true`, or 1";
  if (word == "FALSE") return "write `false`, or 0";
  return {};
}

bool is_foreign_control(std::string_view word) {
  return word == "while" || word == "for" || word == "switch";
}

std::string declaration_hint(std::string_view word) { return find(declaration_hints, word); }

Word nearest_declaration(std::string_view word) {
  std::array<std::string, declaration_words.size()> candidates;
  for (std::size_t i = 0; i < candidates.size(); ++i) candidates[i] = declaration_words[i].first;
  const std::string found = nearest(word, candidates);
  for (const auto& [text, value] : declaration_words)
    if (text == found) return value;
  return Word::none;
}

std::string_view spelled(Word word) {
  for (const auto& [text, value] : declaration_words)
    if (value == word) return text;
  return {};
}

Complaint complaint_about(std::string_view token) {
  const char c = token.empty() ? '\0' : token[0];
  if (c == '#')
    return {"a directive must be the first thing in its line", "`not equal` is written `!=`"};
  if (c < 0x20 || c >= 0x7f)
    return {fmt::format("byte 0x{:02X} is no text", static_cast<unsigned char>(c)), ""};
  return {fmt::format("unexpected character `{}`", c),
          c == '&'                ? "did you mean `&&`?"
          : c == '|'              ? "did you mean `||`?"
          : c == '"' || c == '\'' ? "there are no strings, and no output: values are numbers"
                                  : ""};
}

}  // namespace panoptes::argos
