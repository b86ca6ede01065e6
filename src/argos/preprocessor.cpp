// SPDX-License-Identifier: Apache-2.0
// Reading and macros; the directives are in directives.cpp.
#include "argos/preprocessor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "argos/hints.hpp"

namespace panoptes::argos {
namespace {

// Expansions are kept for the whole run, only to explain places. Macros nested in each other can
// have very many; past this number a token just says where its macro is used.
constexpr std::size_t expansion_limit = 100'000;

}  // namespace

Preprocessor::Preprocessor(SourceSet& sources, Diagnostics& diagnostics, ReadFile read_file)
    : sources_(sources), diagnostics_(diagnostics), read_file_(std::move(read_file)) {}

// ---- reading -----------------------------------------------------------------------------------

Token Preprocessor::next() {
  const Token token = expanded();
  if (token.kind != TokenKind::end_of_file && ++delivered_ > Limits::expanded_tokens) {
    give_up(token.place, fmt::format("the model has more than {} tokens", Limits::expanded_tokens));
    return raw();
  }
  return token;
}

Token Preprocessor::expanded() {
  for (;;) {
    Token token = raw();
    if (token.kind != TokenKind::identifier || token.painted) return token;
    const MacroPtr macro = find_macro(token);
    if (macro == nullptr) return token;
    if (macro->active > 0) {
      token.painted = true;
      return token;
    }
    if (!expand(token, macro)) return token;
  }
}

// The next token of whatever is on top of the stack, macros not expanded.
Token Preprocessor::raw() {
  for (;;) {
    if (diagnostics_.full()) stopped_ = true;
    if (stopped_ || frames_.empty()) return Token{};
    Frame& top = frames_.back();
    if (top.file != nullptr) {
      const std::optional<Token> token = from_file();
      if (!token) continue;
      if (token->kind != TokenKind::end_of_file || frames_.size() == 1) return *token;
      frames_.pop_back();
      open_files_.pop_back();
    } else if (top.index < top.tokens.size()) {
      const Token token = top.tokens[top.index++];
      if (count_work(token.place)) return token;
    } else if (top.barrier) {
      Token end;
      end.kind = TokenKind::end_of_list;
      return end;
    } else {
      if (top.macro != nullptr) --top.macro->active;
      frames_.pop_back();
    }
  }
}

// The next token of the file on top; nothing where a directive may have put another one there.
std::optional<Token> Preprocessor::from_file() {
  FileFrame& frame = *frames_.back().file;
  const Token token = frame.lexer.next();
  switch (token.kind) {
    case TokenKind::end_of_file: end_of_file(frame); return token;
    case TokenKind::unterminated_comment:
      diagnostics_.error(token.place, "this comment is never closed", "close it with `*/`");
      return std::nullopt;
    case TokenKind::hash:
      if (token.starts_line) {
        directive(frame, token);
        return std::nullopt;
      }
      break;
    default: break;
  }
  if (!frame.conditionals.empty() && !frame.conditionals.back().live) return std::nullopt;
  if (token.kind == TokenKind::hash || token.kind == TokenKind::unknown)
    return bad_token(frame, token);
  return token;
}

// Reports a token that has no meaning, once for each line, and gives the one probably meant.
Token Preprocessor::bad_token(FileFrame& frame, Token token) {
  const std::string_view text = text_of(token, sources_);
  const char c = text.empty() ? '\0' : text[0];
  const Complaint complaint = complaint_about(text);
  token.kind = c == '#'   ? TokenKind::not_equal
               : c == '&' ? TokenKind::logical_and
               : c == '|' ? TokenKind::logical_or
                          : TokenKind::broken;
  if (std::exchange(frame.last_bad_line, frame.lexer.line()) != frame.lexer.line())
    diagnostics_.error(token.place, complaint.message, complaint.suggestion);
  return token;
}

void Preprocessor::put_back(const Token& token) {
  Frame frame;
  frame.tokens = {token};
  frames_.push_back(std::move(frame));
}

bool Preprocessor::count_work(Place place, std::size_t tokens) {
  work_ += tokens;
  if (work_ <= Limits::expanded_tokens) return true;
  give_up(place, fmt::format("macros and directives come to more than {} tokens",
                             Limits::expanded_tokens));
  return false;
}

void Preprocessor::give_up(Place place, std::string message) {
  if (!stopped_) diagnostics_.error(place, std::move(message));
  stopped_ = true;
}

// ---- macros ------------------------------------------------------------------------------------

std::vector<std::string> Preprocessor::macro_names() const {
  std::vector<std::string> names;
  for (const auto& [name, macro] : macros_) names.push_back(name);
  std::sort(names.begin(), names.end());
  return names;
}

Preprocessor::MacroPtr Preprocessor::find_macro(const Token& name) const {
  if (macros_.empty()) return nullptr;
  const auto found = macros_.find(text_of(name, sources_));
  return found == macros_.end() ? nullptr : found->second;
}

// Puts what `use` stands for on the stack. False if it is the name of a macro with parameters that
// no arguments follow: then it is a name like any other.
bool Preprocessor::expand(const Token& use, const MacroPtr& macro) {
  std::vector<Argument> arguments;
  if (macro->takes_arguments) {
    const Token after = raw();
    if (after.kind != TokenKind::left_parenthesis) {
      if (after.kind != TokenKind::end_of_file && after.kind != TokenKind::end_of_list)
        put_back(after);
      return false;
    }
    if (!collect_arguments(use, *macro, arguments) || !fits(use, *macro, arguments)) {
      Token broken = use;
      broken.kind = TokenKind::broken;
      put_back(broken);
      return true;
    }
  }
  Frame frame;
  frame.tokens = replacement(use, *macro, arguments);
  frame.macro = macro;
  ++macro->active;
  frames_.push_back(std::move(frame));
  return true;
}

bool Preprocessor::collect_arguments(const Token& use, const Macro& macro,
                                     std::vector<Argument>& arguments) {
  arguments.emplace_back();
  for (int depth = 0;;) {
    Token token = raw();
    if (!count_work(use.place)) return false;
    switch (token.kind) {
      case TokenKind::end_of_file:
      case TokenKind::end_of_list:
        if (!stopped_)
          diagnostics_.error(
              use.place,
              fmt::format("the arguments of macro {} are never closed", in_quotes(macro.name)), {},
              {{macro.place, fmt::format("{} is defined here", in_quotes(macro.name))}});
        // The whole rest of the text was taken for arguments: nothing more can be said about it.
        if (token.kind == TokenKind::end_of_file) stopped_ = true;
        return false;
      case TokenKind::left_parenthesis: ++depth; break;
      case TokenKind::right_parenthesis:
        if (depth-- == 0) return true;
        break;
      case TokenKind::comma:
        if (depth == 0) {
          arguments.emplace_back();
          continue;
        }
        break;
      case TokenKind::identifier:
        if (const MacroPtr inner = find_macro(token); inner != nullptr && inner->active > 0)
          token.painted = true;
        break;
      default: break;
    }
    arguments.back().push_back(token);
  }
}

bool Preprocessor::fits(const Token& use, const Macro& macro, std::vector<Argument>& arguments) {
  // `F()` gives an empty argument to a macro with one parameter, and none to one without.
  if (macro.parameters.empty() && arguments.size() == 1 && arguments[0].empty()) arguments.clear();
  if (arguments.size() == macro.parameters.size()) return true;
  const std::size_t wanted = macro.parameters.size();
  diagnostics_.error(use.place,
                     fmt::format("macro {} takes {} argument{}, not {}", in_quotes(macro.name),
                                 wanted, wanted == 1 ? "" : "s", arguments.size()),
                     {}, {{macro.place, fmt::format("{} is defined here", in_quotes(macro.name))}});
  return false;
}

std::vector<Token> Preprocessor::replacement(const Token& use, const Macro& macro,
                                             const std::vector<Argument>& arguments) {
  std::vector<std::optional<std::vector<Token>>> expanded(arguments.size());
  std::vector<Token> result;
  for (const BodyToken& part : macro.body) {
    if (part.parameter < 0) {
      result.push_back(body_token(use, macro, part.token));
      continue;
    }
    const auto number = static_cast<std::size_t>(part.parameter);
    if (!expanded[number]) expanded[number] = expand_list(arguments[number]);
    if (!count_work(use.place, expanded[number]->size())) break;
    result.insert(result.end(), expanded[number]->begin(), expanded[number]->end());
  }
  return result;
}

// Expands a list of tokens on its own, as if nothing stood after it.
std::vector<Token> Preprocessor::expand_list(const std::vector<Token>& tokens) {
  std::vector<Token> result;
  if (tokens.empty()) return result;
  if (++list_depth_ > Limits::nesting)
    give_up(tokens.front().place,
            fmt::format("macro arguments are nested more than {} deep", Limits::nesting));
  const std::size_t below = frames_.size();
  Frame frame;
  frame.tokens = tokens;
  frame.barrier = true;
  frames_.push_back(std::move(frame));
  for (;;) {
    const Token token = expanded();
    if (token.kind == TokenKind::end_of_list || token.kind == TokenKind::end_of_file) break;
    result.push_back(token);
  }
  while (frames_.size() > below) frames_.pop_back();
  --list_depth_;
  return result;
}

// A token of a macro's body, with the place of the use and the way it came.
Token Preprocessor::body_token(const Token& use, const Macro& macro, Token token) {
  const Spelling& spelling = token.spelling;
  const std::tuple key(spelling.file, spelling.offset, use.place.expansion);
  std::uint32_t expansion = 0;
  if (const auto found = expansions_.find(key); found != expansions_.end()) {
    expansion = found->second;
  } else if (expansions_.size() < expansion_limit) {
    expansion = sources_.add_expansion(
        {macro.name, Place{spelling.file, spelling.offset, spelling.length, use.place.expansion}});
    expansions_.emplace(key, expansion);
  }
  token.place = {use.place.file, use.place.offset, use.place.length, expansion};
  token.starts_line = false;
  return token;
}

}  // namespace panoptes::argos
