// SPDX-License-Identifier: Apache-2.0
// The directives of the preprocessor: `#define`, `#undef`, `#include`, `#if` and its kin, `#error`.
//
// A directive is its line. Parts that an `#if` leaves out are still read as tokens, so that
// comments and continuation lines in them are understood, but nothing in them is reported.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

#include "argos/condition.hpp"
#include "argos/preprocessor.hpp"

namespace panoptes::argos {
namespace {

// Looked up token by token in the macro's body, so they must be few.
constexpr std::size_t parameter_limit = 64;

// Files can include each other in ever more ways without any chain being long.
constexpr std::size_t include_limit = 10'000;
constexpr std::size_t included_bytes_limit = 4 * SourceSet::file_bytes;

const std::array<std::string, 10> directive_names = {"#define", "#undef",  "#include", "#if",
                                                     "#ifdef",  "#ifndef", "#elif",    "#else",
                                                     "#endif",  "#error"};

std::string normal_path(const std::string& path) {
  return std::filesystem::path(path).lexically_normal().generic_string();
}

}  // namespace

// ---- files -------------------------------------------------------------------------------------

void Preprocessor::open_model(std::uint32_t file) {
  files_by_path_.emplace(normal_path(sources_.name(file)), file);
  Frame frame;
  frame.file = std::make_unique<FileFrame>(FileFrame{Lexer(sources_, file), {}});
  frames_.push_back(std::move(frame));
  open_files_.push_back(file);
}

// Definitions are lines of a file that nobody wrote. A line end in one of them would let it be more
// than a definition.
void Preprocessor::open_definitions(const std::vector<Definition>& definitions) {
  if (definitions.empty()) return;
  std::string text;
  for (const Definition& definition : definitions) {
    std::string line = fmt::format("#define {} {} ", definition.name, definition.value);
    std::replace(line.begin(), line.end(), '\n', ' ');
    text += line + '\n';
  }
  if (text.size() > SourceSet::file_bytes) {
    give_up({}, "the definitions of the command line are too long");
    return;
  }
  open_model(sources_.add(std::string(definitions_name), std::move(text)));
}

void Preprocessor::end_of_file(FileFrame& frame) {
  for (const Conditional& conditional : frame.conditionals)
    diagnostics_.error(conditional.place, "this directive has no `#endif`");
  frame.conditionals.clear();
}

// ---- lines -------------------------------------------------------------------------------------

void Preprocessor::directive(FileFrame& frame, const Token& hash) {
  const Token name = frame.lexer.next_in_line();
  if (name.kind == TokenKind::end_of_line) return;
  const bool live = frame.conditionals.empty() || frame.conditionals.back().live;
  const std::string word(text_of(name, sources_));
  if (conditional_directive(frame, hash, name)) {
    // Done, and it may have changed what is live.
  } else if (!live) {
    frame.lexer.skip_line();
  } else if (word == "define") {
    define(frame);
  } else if (word == "undef") {
    undefine(frame, name);
  } else if (word == "include") {
    include(frame, name);
  } else if (word == "error") {
    user_error(frame, name);
  } else {
    diagnostics_.error(cover(hash.place, name.place),
                       fmt::format("unknown directive {}", in_quotes("#" + word)),
                       did_you_mean("#" + word, directive_names));
    frame.lexer.skip_line();
  }
}

bool Preprocessor::conditional_directive(FileFrame& frame, const Token& hash, const Token& name) {
  const std::string_view word = text_of(name, sources_);
  if (word == "if" || word == "ifdef" || word == "ifndef") {
    open_conditional(frame, hash, name);
  } else if (word == "elif" || word == "else" || word == "endif") {
    next_part(frame, name);
  } else {
    return false;
  }
  return true;
}

// A token of a directive: what is no token is reported here, and a comment that is never closed
// ends the line.
Token Preprocessor::line_token(FileFrame& frame) {
  const Token token = frame.lexer.next_in_line();
  if (token.kind == TokenKind::unterminated_comment) {
    diagnostics_.error(token.place, "this comment is never closed", "close it with `*/`");
    return frame.lexer.next_in_line();
  }
  if (token.kind == TokenKind::unknown || token.kind == TokenKind::hash)
    return bad_token(frame, token);
  return token;
}

void Preprocessor::expect_line_end(FileFrame& frame, const Token& name) {
  const Token token = line_token(frame);
  if (token.kind == TokenKind::end_of_line) return;
  if (token.kind != TokenKind::broken)
    diagnostics_.warning(token.place,
                         fmt::format("text after {} is ignored",
                                     in_quotes(fmt::format("#{}", text_of(name, sources_)))));
  frame.lexer.skip_line();
}

// ---- conditionals ------------------------------------------------------------------------------

void Preprocessor::open_conditional(FileFrame& frame, const Token& hash, const Token& name) {
  Conditional conditional;
  conditional.place = cover(hash.place, name.place);
  conditional.outer_live = frame.conditionals.empty() || frame.conditionals.back().live;
  conditional.live = false;
  if (!conditional.outer_live) {
    frame.lexer.skip_line();
  } else if (text_of(name, sources_) == "if") {
    conditional.live = condition(frame, name);
  } else {
    const bool wanted = text_of(name, sources_) == "ifdef";
    conditional.live = defined_name(frame, name) == wanted;
  }
  conditional.decided = conditional.live;
  frame.conditionals.push_back(conditional);
}

// `#elif`, `#else` and `#endif`.
void Preprocessor::next_part(FileFrame& frame, const Token& name) {
  const std::string word(text_of(name, sources_));
  if (frame.conditionals.empty()) {
    diagnostics_.error(name.place, fmt::format("`#{}` without `#if`", word));
    frame.lexer.skip_line();
    return;
  }
  Conditional& conditional = frame.conditionals.back();
  if (word == "endif") {
    frame.conditionals.pop_back();
    expect_line_end(frame, name);
    return;
  }
  if (conditional.had_else)
    diagnostics_.error(name.place, fmt::format("`#{}` after `#else`", word), {},
                       {{conditional.place, "in the directive that begins here"}});
  const bool eligible = conditional.outer_live && !conditional.decided && !conditional.had_else;
  if (word == "else") {
    conditional.live = eligible;
    conditional.had_else = true;
    expect_line_end(frame, name);
  } else if (eligible) {
    conditional.live = condition(frame, name);
  } else {
    conditional.live = false;
    frame.lexer.skip_line();
  }
  conditional.decided = conditional.decided || conditional.live;
}

bool Preprocessor::defined_name(FileFrame& frame, const Token& directive) {
  const Token name = line_token(frame);
  if (name.kind != TokenKind::identifier) {
    if (name.kind != TokenKind::broken)
      diagnostics_.error(directive.place,
                         fmt::format("`#{}` needs a name", text_of(directive, sources_)));
    frame.lexer.skip_line();
    return false;
  }
  const bool answer = find_macro(name) != nullptr;
  expect_line_end(frame, directive);
  return answer;
}

bool Preprocessor::condition(FileFrame& frame, const Token& name) {
  std::vector<Token> tokens;
  // The name after `defined`, with or without parenthesis, must not be expanded.
  int names_to_keep = 0;
  for (;;) {
    Token token = line_token(frame);
    if (token.kind == TokenKind::end_of_line) break;
    if (!count_work(token.place)) return false;
    const bool is_name = token.kind == TokenKind::identifier;
    if (is_name && text_of(token, sources_) == "defined") {
      token.painted = true;
      names_to_keep = 1;
    } else if (is_name) {
      token.painted = std::exchange(names_to_keep, 0) > 0;
    }
    tokens.push_back(token);
  }
  const IsDefined is_defined = [this](std::string_view word) {
    return macros_.find(word) != macros_.end();
  };
  return condition_holds(expand_list(tokens), name.place, is_defined, sources_, diagnostics_);
}

// ---- definitions -------------------------------------------------------------------------------

void Preprocessor::define(FileFrame& frame) {
  const Token name = line_token(frame);
  if (name.kind != TokenKind::identifier) {
    if (name.kind != TokenKind::broken)
      diagnostics_.error(name.place,
                         fmt::format("`#define` needs a name, not {}", in_quotes(name, sources_)));
    frame.lexer.skip_line();
    return;
  }
  auto macro = std::make_shared<Macro>();
  macro->name = text_of(name, sources_);
  macro->place = name.place;
  Token first = line_token(frame);
  // Only a parenthesis right behind the name begins parameters; after a blank it is the body's.
  if (first.kind == TokenKind::left_parenthesis &&
      first.spelling.offset == name.spelling.offset + name.spelling.length) {
    macro->takes_arguments = true;
    if (!define_parameters(frame, *macro)) {
      frame.lexer.skip_line();
      return;
    }
    first = line_token(frame);
  }
  define_body(frame, *macro, first);
  add_macro(std::move(macro));
}

bool Preprocessor::define_parameters(FileFrame& frame, Macro& macro) {
  Token token = line_token(frame);
  if (token.kind == TokenKind::right_parenthesis) return true;
  for (;;) {
    if (token.kind != TokenKind::identifier) {
      if (token.kind != TokenKind::broken)
        diagnostics_.error(token.place, fmt::format("expected the name of a parameter, found {}",
                                                    in_quotes(token, sources_)));
      return false;
    }
    std::string name(text_of(token, sources_));
    if (std::find(macro.parameters.begin(), macro.parameters.end(), name) !=
        macro.parameters.end()) {
      diagnostics_.error(token.place, fmt::format("two parameters are called {}", in_quotes(name)));
      return false;
    }
    macro.parameters.push_back(std::move(name));
    if (macro.parameters.size() > parameter_limit) {
      diagnostics_.error(token.place,
                         fmt::format("a macro has at most {} parameters", parameter_limit));
      return false;
    }
    token = line_token(frame);
    if (token.kind == TokenKind::right_parenthesis) return true;
    if (token.kind != TokenKind::comma) {
      if (token.kind != TokenKind::broken)
        diagnostics_.error(token.place,
                           fmt::format("expected `,` or `)` after a parameter, found {}",
                                       in_quotes(token, sources_)));
      return false;
    }
    token = line_token(frame);
  }
}

void Preprocessor::define_body(FileFrame& frame, Macro& macro, Token token) {
  while (token.kind != TokenKind::end_of_line && count_work(token.place)) {
    BodyToken part{token};
    if (token.kind == TokenKind::identifier) {
      const auto found =
          std::find(macro.parameters.begin(), macro.parameters.end(), text_of(token, sources_));
      if (found != macro.parameters.end())
        part.parameter = static_cast<int>(found - macro.parameters.begin());
    }
    macro.body.push_back(part);
    token = line_token(frame);
  }
}

// The last definition wins. Another one before it is worth a word, unless it says the same.
void Preprocessor::add_macro(MacroPtr macro) {
  MacroPtr& entry = macros_[macro->name];
  if (entry != nullptr) {
    const auto same_token = [this](const BodyToken& a, const BodyToken& b) {
      return a.parameter == b.parameter && text_of(a.token, sources_) == text_of(b.token, sources_);
    };
    const bool same = entry->takes_arguments == macro->takes_arguments &&
                      entry->parameters == macro->parameters &&
                      std::equal(entry->body.begin(), entry->body.end(), macro->body.begin(),
                                 macro->body.end(), same_token);
    if (!same)
      diagnostics_.warning(macro->place,
                           fmt::format("macro {} is defined again", in_quotes(macro->name)),
                           "put `#undef` before it, or `#ifndef` around it",
                           {{entry->place, "the definition before is here"}});
  }
  entry = std::move(macro);
}

void Preprocessor::undefine(FileFrame& frame, const Token& directive) {
  const Token name = line_token(frame);
  if (name.kind != TokenKind::identifier) {
    if (name.kind != TokenKind::broken)
      diagnostics_.error(name.place,
                         fmt::format("`#undef` needs a name, not {}", in_quotes(name, sources_)));
    frame.lexer.skip_line();
    return;
  }
  macros_.erase(std::string(text_of(name, sources_)));
  expect_line_end(frame, directive);
}

void Preprocessor::user_error(FileFrame& frame, const Token& name) {
  const Place place = frame.lexer.rest_of_line();
  std::string text;
  for (const char c : sources_.text(place)) text += (c >= 0x20 && c < 0x7f) ? c : '?';
  constexpr std::size_t longest = 200;
  if (text.size() > longest) text = text.substr(0, longest) + "...";
  diagnostics_.error(name.place, text.empty() ? "`#error`" : fmt::format("`#error`: {}", text));
  frame.lexer.skip_line();
}

// ---- includes ----------------------------------------------------------------------------------

void Preprocessor::include(FileFrame& frame, const Token& name) {
  const Place rest = frame.lexer.rest_of_line();
  const std::string_view text = sources_.text(rest);
  const std::size_t end = text.size() > 1 && text[0] == '"' ? text.find('"', 1) : std::string::npos;
  if (end == std::string::npos) {
    diagnostics_.error(rest.length > 0 ? rest : name.place,
                       "`#include` needs the name of a file in double quotes");
    frame.lexer.skip_line();
    return;
  }
  const Place place{rest.file, rest.offset, static_cast<std::uint32_t>(end + 1), 0};
  const std::string file(text.substr(1, end - 1));
  frame.lexer.continue_at(place.offset + place.length);
  expect_line_end(frame, name);
  if (!read_file_) {
    diagnostics_.error(place, "this text cannot include files");
  } else if (file.empty() || std::any_of(file.begin(), file.end(), [](char c) {
               return static_cast<unsigned char>(c) < 0x20;
             })) {
    diagnostics_.error(place, "this is no name of a file");
  } else {
    const std::filesystem::path folder =
        std::filesystem::path(sources_.name(frame.lexer.file())).parent_path();
    open_include(normal_path((folder / file).generic_string()), place);
  }
}

void Preprocessor::open_include(const std::string& path, Place place) {
  const std::optional<std::uint32_t> file = include_file(path, place);
  if (!file) return;
  if (std::find(open_files_.begin(), open_files_.end(), *file) != open_files_.end()) {
    std::string chain;
    for (auto from = std::find(open_files_.begin(), open_files_.end(), *file);
         from != open_files_.end(); ++from)
      chain += fmt::format("{} -> ", sources_.name(*from));
    diagnostics_.error(place, fmt::format("file {} includes itself: {}{}", in_quotes(path), chain,
                                          sources_.name(*file)));
    return;
  }
  if (static_cast<int>(open_files_.size()) > Limits::include_depth) {
    diagnostics_.error(
        place, fmt::format("files include each other more than {} deep", Limits::include_depth));
    return;
  }
  included_bytes_ += sources_.text(*file).size();
  if (++include_count_ > include_limit || included_bytes_ > included_bytes_limit) {
    give_up(place, "the included files are too many or too long");
    return;
  }
  Frame frame;
  frame.file = std::make_unique<FileFrame>(FileFrame{Lexer(sources_, *file), {}});
  frames_.push_back(std::move(frame));
  open_files_.push_back(*file);
}

// The file of that path, read when it is first named.
std::optional<std::uint32_t> Preprocessor::include_file(const std::string& path, Place place) {
  if (const auto known = files_by_path_.find(path); known != files_by_path_.end())
    return known->second;
  std::optional<std::string> text = read_file_(path);
  if (!text) {
    diagnostics_.error(place, fmt::format("cannot read file {}", in_quotes(path)));
    return std::nullopt;
  }
  if (text->size() > SourceSet::file_bytes) {
    diagnostics_.error(place, fmt::format("file {} is larger than {} bytes", in_quotes(path),
                                          SourceSet::file_bytes));
    return std::nullopt;
  }
  const std::uint32_t file = sources_.add(path, std::move(*text));
  files_by_path_.emplace(path, file);
  return file;
}

}  // namespace panoptes::argos
