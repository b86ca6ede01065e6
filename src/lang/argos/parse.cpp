// SPDX-License-Identifier: Apache-2.0
// The entry points: they put text, preprocessor and parser together.
#include "lang/argos/parse.hpp"

#include <fmt/format.h>

#include <utility>

#include "lang/argos/parser.hpp"
#include "lang/argos/preprocessor.hpp"

namespace panoptes::argos {
namespace {

Model parse_source(std::string name, std::string text, const ReadFile& read_file,
                   const std::vector<Definition>& definitions, SourceSet& sources,
                   Diagnostics& diagnostics) {
  if (text.size() > Limits::file_bytes) {
    diagnostics.error({},
                      fmt::format("file `{}` is larger than {} bytes", name, Limits::file_bytes));
    return {};
  }
  const std::uint32_t file = sources.add(std::move(name), std::move(text));
  Preprocessor preprocessor(sources, diagnostics, read_file);
  preprocessor.open_model(file);
  preprocessor.open_definitions(definitions);
  return parse_model(preprocessor, sources, diagnostics);
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
  preprocessor.pass_on_remote_names();
  return parse_cost(preprocessor, sources, diagnostics);
}

}  // namespace panoptes::argos
