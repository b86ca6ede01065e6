// SPDX-License-Identifier: Apache-2.0
// The entry points: they put text, preprocessor and parser together.
#include "argos/parse.hpp"

#include <fmt/format.h>

#include <algorithm>
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

}  // namespace panoptes::argos
