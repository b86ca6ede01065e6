// SPDX-License-Identifier: Apache-2.0
#include "api/spaces.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/json_text.hpp"
#include "base/version.hpp"
#include "query/relational_space.hpp"
#include "report/show.hpp"

namespace panoptes {
namespace {

// Everything that the rows of the space depend on.
std::string identity_of(const OptionValues& values, const Loaded& loaded) {
  const Program& program = *loaded.program;
  std::string text = fmt::format("panoptes {} {} {} {} {}\n", version,
                                 values.text(option::receptions), values.has(option::strict),
                                 values.has(option::relational), values.text(option::depth));
  for (std::uint32_t file = 0; file < loaded.sources.file_count(); ++file)
    text += loaded.sources.text(file);
  return text + show_rules(program) + show_layout(program) + show_automata(program, loaded.sources);
}

std::string json_head(const std::string& path, const SpaceFacts& facts) {
  const nlohmann::ordered_json head = {
      {"schema", "panoptes-query-1"},
      {"model", path},
      {"promise", std::string(to_string(facts.conclusion.promise))},
      {"ended_by", std::string(to_string(facts.conclusion.stop))},
      {"states", facts.states},
      {"transitions", facts.transitions},
  };
  std::string text = json_text(head);
  text.resize(text.size() - std::string_view("\n}\n").size());  // what follows belongs to it
  return text + ",\n  \"rows\": [";
}

}  // namespace

NativeSpaceOptions space_options(const OptionValues& values) {
  NativeSpaceOptions options;
  options.use_interpreter = values.get(option::stepper) == StepperKind::interpreter;
  options.strict = values.has(option::strict);
  options.limits.depth = values.get(option::depth).value_or(0);
  options.explore.receptions = values.get(option::receptions);
  return options;
}

DatabaseResult<Space> space_of(const std::string& path, const OptionValues& values,
                               const Loaded& loaded, std::vector<Relation>& relations,
                               const Dialect& dialect, Database& database,
                               const SpaceSearch& search) {
  SpaceRequest request;
  request.model = path;
  request.identity = identity_of(values, loaded);
  for (const OptionName limit :
       {OptionName(option::time), OptionName(option::memory), OptionName(option::depth)})
    if (values.has(limit))
      request.limits += fmt::format("{}--{} {}", request.limits.empty() ? "" : " ", limit.text(),
                                    values.text(limit));
  request.is_relational = values.has(option::relational);
  SpaceMaker maker;
  Related related;
  const RelateOptions options = relate_options(values, search.progress);
  if (request.is_relational)
    maker.prepare = [&]() -> DatabaseResult<> {
      auto done = relate(*loaded.program, database, dialect, options);
      if (!done) return done.failure();
      related = std::move(*done);
      return {};
    };
  maker.fill = [&]() -> DatabaseResult<SpaceFacts> {
    if (request.is_relational)
      return load_relational(*loaded.program, loaded.sources, database, dialect, related, options);
    return load_native(*loaded.program, loaded.sources, database, search.native);
  };
  return make_space(database, dialect, *loaded.program, relations, request, maker);
}

DatabaseResult<Printed> print_answer(const std::string& path, const AnswerForm& form,
                                     const SpaceFacts& facts, const Dialect& dialect,
                                     Database& database, const std::string& sql,
                                     const WriteText& write) {
  if (form.format == AnswerFormat::parquet) {
    const auto done = database.execute(
        fmt::format("COPY (\n{}\n) TO {} (FORMAT parquet)", sql, quoted_text(form.file)));
    if (!done) return done.failure();
    return Printed{};
  }
  const std::string asked = form.format == AnswerFormat::json
                                ? fmt::format("SELECT {} FROM (\n{}\n) AS panoptes_row",
                                              dialect.row_as_json("panoptes_row"), sql)
                                : sql;
  auto answer = database.query(asked);
  if (!answer) return answer.failure();
  if (form.format == AnswerFormat::csv) return print_csv(**answer, write);
  if (form.format != AnswerFormat::json) return print_table(**answer, form.width, write);
  if (!write(json_head(path, facts))) return Printed{0, false};
  auto printed = print_json_rows(**answer, write);
  if (printed && printed->is_written)
    printed->is_written = write(printed->rows == 0 ? "]\n}\n" : "\n  ]\n}\n");
  return printed;
}

}  // namespace panoptes
