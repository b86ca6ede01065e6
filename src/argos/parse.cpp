// SPDX-License-Identifier: Apache-2.0
// The entry points: they put text, preprocessor and parser together.
#include "argos/parse.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "argos/lexer.hpp"
#include "argos/parser.hpp"
#include "argos/preprocessor.hpp"

namespace panoptes::argos {
namespace {

// The names in the text of a file, those in parts that an `#if` leaves out too; in `directives`,
// those that conditions ask for and definitions define.
void collect_names(const SourceSet& sources, std::uint32_t file, std::set<std::string>& names,
                   std::set<std::string>& directives) {
  Lexer lexer(sources, file);
  bool is_directive = false;
  TokenKind before = TokenKind::end_of_line;
  for (;;) {
    const Token token = lexer.next();
    if (token.kind == TokenKind::end_of_file || token.kind == TokenKind::unterminated_comment)
      return;
    if (token.starts_line) is_directive = token.kind == TokenKind::hash;
    const bool is_its_word = is_directive && before == TokenKind::hash;  // `ifdef`
    if (token.kind == TokenKind::identifier && !is_its_word)
      (is_directive ? directives : names).emplace(text_of(token, sources));
    before = token.kind;
  }
}

// A definition that nothing asks for is a slip of the finger: the model that was meant is another.
void warn_of_unused(const std::vector<Definition>& definitions, const SourceSet& sources,
                    std::uint32_t first_file, Diagnostics& diagnostics) {
  std::set<std::string> names, directives;
  for (std::uint32_t file = first_file; file < sources.file_count(); ++file)
    if (sources.name(file) != definitions_name) collect_names(sources, file, names, directives);
  SourceSet values;  // one definition may need another
  for (const Definition& definition : definitions)
    collect_names(values, values.add({}, definition.value), names, directives);
  const std::vector<std::string> candidates(directives.begin(), directives.end());
  for (const Definition& definition : definitions) {
    const std::string name = definition.name.substr(0, definition.name.find('('));
    if (!names.contains(name) && !directives.contains(name))
      diagnostics.warning({}, fmt::format("-D {}: the model has no such name", name),
                          did_you_mean(name, candidates));
  }
}

// The names that the conditions of directives in a file ask for, with the first place of each.
void collect_asked(const SourceSet& sources, std::uint32_t file,
                   std::map<std::string, Place>& asked) {
  Lexer lexer(sources, file);
  bool is_condition = false;
  TokenKind before = TokenKind::end_of_line;
  for (;;) {
    const Token token = lexer.next();
    if (token.kind == TokenKind::end_of_file || token.kind == TokenKind::unterminated_comment)
      return;
    if (token.starts_line) is_condition = false;
    if (token.kind == TokenKind::identifier) {
      const std::string_view text = text_of(token, sources);
      if (before == TokenKind::hash)
        is_condition = text == "if" || text == "elif" || text == "ifdef" || text == "ifndef";
      else if (is_condition)
        asked.try_emplace(std::string(text), token.place);
    }
    before = token.kind;
  }
}

// To a directive a constant is an unknown name, which is 0.
void warn_of_constants(const Model& model, const SourceSet& sources, std::uint32_t first_file,
                       Diagnostics& diagnostics) {
  std::map<std::string, Place> asked;
  for (std::uint32_t file = first_file; file < sources.file_count(); ++file)
    if (sources.name(file) != definitions_name) collect_asked(sources, file, asked);
  const auto check = [&](const Name& name) {
    const auto found = asked.find(name.text);
    if (found == asked.end() ||
        std::binary_search(model.macros.begin(), model.macros.end(), name.text))
      return;
    diagnostics.warning(found->second,
                        fmt::format("directives do not see the constant `{}`", name.text),
                        "a macro is defined with `#define`, and may give a constant its value",
                        {{name.place, "declared here"}});
  };
  for (const ConstantDeclaration& constant : model.constants) check(constant.name);
  for (const EnumerationDeclaration& enumeration : model.enumerations)
    for (const Name& name : enumeration.names) check(name);
}

Model parse_source(std::string name, std::string text, const ReadFile& read_file,
                   const std::vector<Definition>& definitions, SourceSet& sources,
                   Diagnostics& diagnostics) {
  if (text.size() > SourceSet::file_bytes) {
    diagnostics.error(
        {}, fmt::format("file `{}` is larger than {} bytes", name, SourceSet::file_bytes));
    return {};
  }
  const std::uint32_t file = sources.add(std::move(name), std::move(text));
  Preprocessor preprocessor(sources, diagnostics, read_file);
  preprocessor.open_model(file);
  preprocessor.open_definitions(definitions);
  Model model = Parser(preprocessor, sources, diagnostics).run();
  if (!definitions.empty()) warn_of_unused(definitions, sources, file, diagnostics);
  if (!model.constants.empty() || !model.enumerations.empty())
    warn_of_constants(model, sources, file, diagnostics);
  return model;
}

}  // namespace

Model parse(const std::string& path, const ReadFile& read_file,
            const std::vector<Definition>& definitions, SourceSet& sources,
            Diagnostics& diagnostics) {
  std::optional<std::string> text = read_file(path);
  if (!text) {
    diagnostics.error({}, fmt::format("cannot read file `{}`", path));
    return {};
  }
  return parse_source(path, std::move(*text), read_file, definitions, sources, diagnostics);
}

Model parse_text(std::string name, std::string text, SourceSet& sources, Diagnostics& diagnostics) {
  return parse_source(std::move(name), std::move(text), {}, {}, sources, diagnostics);
}

ExpressionPtr parse_cost(std::string name, std::string text, SourceSet& sources,
                         Diagnostics& diagnostics) {
  const std::uint32_t file = sources.add(std::move(name), std::move(text));
  Preprocessor preprocessor(sources, diagnostics, {});
  preprocessor.open_model(file);
  return Parser(preprocessor, sources, diagnostics).run_cost();
}

FormulaPtr parse_formula(std::string name, std::string text, SourceSet& sources,
                         Diagnostics& diagnostics) {
  const std::uint32_t file = sources.add(std::move(name), std::move(text));
  Preprocessor preprocessor(sources, diagnostics, {});
  preprocessor.open_model(file);
  return Parser(preprocessor, sources, diagnostics).run_formula();
}

}  // namespace panoptes::argos
