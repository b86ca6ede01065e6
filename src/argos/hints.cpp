// SPDX-License-Identifier: Apache-2.0
#include "argos/hints.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "base/diagnostic.hpp"

namespace panoptes::argos {
namespace {

struct Hint {
  Where where;
  std::string_view word, text;
};

constexpr std::string_view use_if = "write `if :: (condition) -> ... :: else -> ... fi`";
constexpr std::string_view use_do = "write `do :: (condition) -> ... :: else -> break od`";
constexpr std::string_view use_var = "variables are declared with `var name : low..high;`";
constexpr std::string_view use_atomic = "write `atomic { ... }` for several statements in one step";
constexpr std::string_view use_procedure = "write `procedure name(parameters) { ... }`";
constexpr std::string_view always_runs = "every `proc` runs from the start";
constexpr std::string_view use_const = "constants are declared at the top level: `const name = 3;`";
constexpr std::string_view use_assert =
    "`always (condition);` and `never (condition);` say what is so in every state, "
    "`assert(condition)` what is so where it stands, `assert name { ... }` in which order messages "
    "may come, and `ltl name { formula }` what must happen in the end";
constexpr std::string_view use_invariant =
    "write `always name (condition);`: the name may be left out, and the whole condition stands in "
    "parentheses";
constexpr std::string_view use_channel =
    "write `channel!message` to send, `channel?message` to receive";
constexpr std::string_view use_line =
    "what a line does to messages stands behind the capacity: `channel name[2] lossy;`";
constexpr std::string_view no_types =
    "there are no types: a message carries its values by place, `m(x, y)`";
constexpr std::string_view use_test = "a test waits until it holds: write `(condition)`";
constexpr std::string_view use_label =
    "a process ends at its closing brace: `goto` a label there, or `break` out of its `do`";
constexpr std::string_view use_options =
    "an `if` chooses: write `if :: x = 0 :: x = 1 fi`, with an option for each value";
constexpr std::string_view implication = "`a` implies `b` is written `!a || b`";
constexpr std::string_view two_values = "a variable has a range, no type: `var x : 0..1;`";
constexpr std::string_view any_values =
    "a variable has no type: `var x;` is in -32768..32767, `var x : 0..7;` in a range";
constexpr std::string_view use_ltl =
    "what must happen in the end is a formula: `ltl name { eventually p }` or `ltl name { p leads "
    "to q }`";

constexpr std::array hints = {
    Hint{Where::statement, "while", use_do},
    Hint{Where::statement, "for", use_do},
    Hint{Where::statement, "switch", use_if},
    Hint{Where::statement, "case", use_if},
    Hint{Where::statement, "atomic", use_atomic},
    Hint{Where::statement, "d_step", use_atomic},
    Hint{Where::statement, "timeout", "a timeout belongs to a channel: write `c?timeout`"},
    Hint{Where::statement, "default", "write `c?default` for any other message of channel `c`"},
    Hint{Where::statement, "TRUE", "write `true`"},
    Hint{Where::statement, "FALSE", "write `false`"},
    Hint{Where::statement, "raise", use_channel},
    Hint{Where::statement, "announce", use_channel},
    Hint{Where::statement, "defer",
         "a message that is not taken stays first in its channel: give others a channel of "
         "their own"},
    Hint{Where::statement, "on", "write `channel?message -> ...`"},
    Hint{Where::statement, "UNCHANGED", "what is not assigned to keeps its value"},
    Hint{Where::statement, "then", "write `->` after the condition"},
    Hint{Where::statement, "const", use_const},
    Hint{Where::statement, "enum",
         "an enum is declared at the top level: `enum phase { idle, busy }`"},
    Hint{Where::statement, "send", use_channel},
    Hint{Where::statement, "receive", use_channel},
    Hint{Where::statement, "return",
         "a procedure ends at its closing brace: use a `goto` to a label there"},
    Hint{Where::statement, "continue", "use a `goto` to a label before the `do`"},
    Hint{Where::statement, "end", "a label needs a colon: `end:`"},
    Hint{Where::statement, "endif", "an `if` ends with `fi`"},
    Hint{Where::statement, "done", "a `do` ends with `od`"},
    Hint{Where::statement, "run", always_runs},
    Hint{Where::statement, "printf", "there is no output: reports show every step of a trail"},
    Hint{Where::statement, "int", use_var},
    Hint{Where::statement, "short", use_var},
    Hint{Where::statement, "byte", use_var},
    Hint{Where::statement, "bit", use_var},
    Hint{Where::statement, "bool", use_var},
    Hint{Where::statement, "wait", use_test},
    Hint{Where::statement, "await", use_test},
    Hint{Where::statement, "exit", use_label},
    Hint{Where::statement, "stop", use_label},
    Hint{Where::statement, "halt", use_label},
    Hint{Where::statement, "select", use_options},
    Hint{Where::statement, "and",
         "conditions are joined with `&&`; two receives are two statements, `c?m; d?n`"},
    Hint{Where::statement, "or",
         "conditions are joined with `||`; one of several messages is waited for by options: "
         "`if :: c?m -> ... :: c?n -> ... fi`"},
    Hint{Where::statement, "not", "write `!`"},
    Hint{Where::statement, "flush", "name the channel: `flush c`"},
    Hint{Where::statement, "?",
         "values are chosen by an `if`: `if :: (e) -> x = 1 :: else -> x = 2 fi`"},

    Hint{Where::declaration, "chan", "channels are declared with `channel name[capacity];`"},
    Hint{Where::declaration, "int", use_var},
    Hint{Where::declaration, "short", use_var},
    Hint{Where::declaration, "byte", use_var},
    Hint{Where::declaration, "bit", use_var},
    Hint{Where::declaration, "bool", use_var},
    Hint{Where::declaration, "mtype",
         "message names need no declaration; names for values are declared with `enum { idle, busy "
         "}`"},
    Hint{Where::declaration, "message", "message names need no declaration"},
    Hint{Where::declaration, "event",
         "message names need no declaration, and values no types: `c!name(x)` sends one"},
    Hint{Where::declaration, "machine",
         "processes are declared with `proc name { ... }`; each runs from the start"},
    Hint{Where::declaration, "state",
         "states are labels in a process: `proc name { wait: c?message -> goto work; ... }`"},
    Hint{Where::declaration, "spec", use_assert},
    Hint{Where::declaration, "MODULE", "a model is a list of channels, variables and processes"},
    Hint{Where::declaration, "VARIABLE", use_var},
    Hint{Where::declaration, "VARIABLES", use_var},
    Hint{Where::declaration, "EXTENDS", "files are included with `#include`"},
    Hint{Where::declaration, "proctype", "processes are declared with `proc name { ... }`"},
    Hint{Where::declaration, "active",
         "processes are declared with `proc name { ... }`; each runs from the start"},
    Hint{Where::declaration, "init", always_runs},
    Hint{Where::declaration, "inline", use_procedure},
    Hint{Where::declaration, "function", use_procedure},
    Hint{Where::declaration, "void", use_procedure},
    Hint{Where::declaration, "never {", use_assert},
    Hint{Where::declaration, "ltl", use_ltl},
    Hint{Where::declaration, "eventually", use_ltl},
    Hint{Where::declaration, "[]", use_ltl},
    Hint{Where::declaration, "<>", use_ltl},
    Hint{Where::declaration, "always", use_invariant},
    Hint{Where::declaration, "never", use_invariant},
    Hint{Where::declaration, "invariant", use_invariant},
    Hint{Where::declaration, "forall", use_invariant},
    Hint{Where::declaration, "exists", use_invariant},
    Hint{Where::declaration, "constant", use_const},
    Hint{Where::declaration, "CONSTANT", use_const},
    Hint{Where::declaration, "CONSTANTS", use_const},
    Hint{Where::declaration, "typedef", no_types},
    Hint{Where::declaration, "struct", no_types},
    Hint{Where::declaration, "define", "macros are defined with `#define`"},
    Hint{Where::declaration, "include", "files are included with `#include`"},
    Hint{Where::declaration, "lossy", use_line},
    Hint{Where::declaration, "duplicating", use_line},
    Hint{Where::declaration, "reordering", use_line},

    Hint{Where::invariant_name, "eventually", use_ltl},
    Hint{Where::invariant_name, "next", use_ltl},
    Hint{Where::invariant_name, "until", use_ltl},
    Hint{Where::invariant_name, "fair", use_ltl},
    Hint{Where::invariant_name, "infinitely", use_ltl},
    Hint{Where::invariant_name, "always", use_ltl},
    Hint{Where::invariant_name, "never", use_ltl},

    Hint{Where::call, "else", "write `else -> ...`: it has no condition"},
    Hint{Where::call, "when",
         "the statement that it guards stands right behind it: `when (condition) c!m`"},
    Hint{Where::call, "timeout", "a timeout belongs to a channel: write `c?timeout`"},
    Hint{Where::call, "wait", use_test},
    Hint{Where::call, "await", use_test},
    Hint{Where::call, "exit", use_label},
    Hint{Where::call, "stop", use_label},
    Hint{Where::call, "halt", use_label},
    Hint{Where::call, "send", use_channel},
    Hint{Where::call, "receive", use_channel},
    Hint{Where::call, "random", use_options},
    Hint{Where::call, "select", use_options},
    Hint{Where::call, "choose", use_options},

    Hint{Where::asked, "random", use_options},
    Hint{Where::asked, "choose", use_options},
    Hint{Where::asked, "nempty", "write `!empty(c)`"},
    Hint{Where::asked, "nfull", "write `!full(c)`"},
    Hint{Where::asked, "not", "write `!`"},
    Hint{Where::asked, "head", "`head(c) == m` stands in an `always` or `never`"},

    Hint{Where::value, "TRUE", "write `true`, or 1"},
    Hint{Where::value, "FALSE", "write `false`, or 0"},
    Hint{Where::value, "[]", use_assert},
    Hint{Where::value, "<>", use_assert},

    Hint{Where::operation, "and", "write `&&`"},
    Hint{Where::operation, "or", "write `||`"},
    Hint{Where::operation, "mod", "write `%`"},
    Hint{Where::operation, "implies", implication},
    Hint{Where::operation, "->", implication},
    Hint{Where::operation, "=>", implication},

    Hint{Where::exchange, "??",
         "a channel gives any message it holds if it is declared so: `channel c[2] reordering;`"},
    Hint{Where::exchange, "!!",
         "messages stand in the order in which they are sent; of a `channel c[2] reordering`, any "
         "is received"},
    Hint{Where::exchange, "?[",
         "options look at what is there without waiting: `if :: c?m -> ... :: else -> ... fi`; an "
         "invariant asks `head(c) == m`"},
    Hint{Where::exchange, "?<",
         "a receive takes its message: to leave it there, ask `head(c) == m` in an invariant, or "
         "send it again"},

    Hint{Where::type, "bool", two_values},
    Hint{Where::type, "bit", two_values},
    Hint{Where::type, "byte", "a variable has a range, no type: `var x : 0..255;`"},
    Hint{Where::type, "short", any_values},
    Hint{Where::type, "int", any_values},
    Hint{Where::type, "unsigned", any_values},
};

const std::array<std::pair<std::string, Word>, 13> declaration_words = {{
    {"channel", Word::channel},
    {"queue", Word::queue},
    {"sink", Word::sink},
    {"var", Word::var},
    {"variable", Word::variable},
    {"proc", Word::proc},
    {"process", Word::process},
    {"procedure", Word::procedure},
    {"assert", Word::assert_},
    {"always", Word::always},
    {"never", Word::never},
    {"ltl", Word::ltl},
    {"fair", Word::fair},
}};

}  // namespace

std::string hint(Where where, std::string_view word) {
  for (const Hint& row : hints)
    if (row.where == where && row.word == word) return std::string(row.text);
  return {};
}

bool is_foreign_control(std::string_view word) {
  return word == "while" || word == "for" || word == "switch";
}

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
          c == '&'    ? "did you mean `&&`?"
          : c == '|'  ? "did you mean `||`?"
          : c == '~'  ? "`not` is written `!`"
          : c == '\\' ? "`/\\` is written `&&`, `\\/` is `||`, `\\A` is `forall`, `\\E` is `exists`"
          : c == '"' || c == '\'' ? "there are no strings, and no output: values are numbers"
                                  : ""};
}

}  // namespace panoptes::argos
