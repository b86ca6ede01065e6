// SPDX-License-Identifier: Apache-2.0
// `relate --steps`: the five steps of a protocol of two processes, shown and kept.
#include <fmt/format.h>

#include <cstdio>
#include <optional>

#include "app/commands.hpp"
#include "app/database.hpp"
#include "app/load.hpp"
#include "app/system.hpp"
#include "base/clock.hpp"
#include "base/parse_value.hpp"
#include "options/table.hpp"
#include "relational/steps_report.hpp"
#include "report/json.hpp"

namespace panoptes {
namespace {

// Where the relations are made: in the file that keeps them, where that is one of DuckDB.
DatabaseAddress address_of(const Arguments& arguments) {
  DatabaseAddress address = *arguments.get(option::db);
  if (address.engine == Engine::duckdb && arguments.has(option::keep_in))
    address.where = arguments.get(option::keep_in);
  return address;
}

// The schema that keeps the relations: the standard one of a file, or one of a server's.
std::string schema_of(const Arguments& arguments, Engine engine) {
  return engine == Engine::duckdb ? "main" : arguments.get(option::keep_in);
}

// Nothing where the protocol does not fit, which is told as a mistake in its text would be.
std::optional<TwoProcess> protocol_of(Loaded& loaded) {
  auto protocol = two_process(*loaded.program);
  if (protocol) return std::move(*protocol);
  loaded.diagnostics.error(
      protocol.failure().place,
      fmt::format("--steps is for two processes with one channel each way, empty at first; {}",
                  protocol.failure().reason),
      "`panoptes relate` without --steps and `panoptes check` take any protocol");
  return {};
}

DatabaseResult<StepsReport> run(const Arguments& arguments, const TwoProcess& protocol,
                                const Program& program, Database& database, Engine engine) {
  const double start = steady_seconds();
  FiveSteps steps(database, protocol, program, Dialect(engine));
  if (const auto done = steps.run(); !done) return done.failure();
  std::optional<FaultyPaths> paths;
  if (arguments.has(option::paths)) {
    auto found = find_faulty_paths(steps, *arguments.get(option::paths));
    if (!found) return found.failure();
    paths = *found;
  }
  NamedSteps names(database, protocol);
  auto report = steps_report(steps, names, *arguments.get(option::rows));
  if (!report) return report;
  report->paths = paths;
  report->seconds = steady_seconds() - start;
  if (!arguments.has(option::keep_in)) return report;
  Transaction transaction(database);
  if (!transaction.begun()) return transaction.begun().failure();
  if (const auto kept =
          names.keep(steps.relations(), schema_of(arguments, engine), arguments.model);
      !kept)
    return kept.failure();
  if (const auto committed = transaction.commit(); !committed) return committed.failure();
  return report;
}

}  // namespace

int steps_command(const Arguments& given) {
  Arguments arguments = given;
  arguments.set(option::no_minimise, "on");  // the relations are those of the protocol as written
  Loaded loaded = load(arguments);
  std::optional<TwoProcess> protocol;
  if (loaded.program) protocol = protocol_of(loaded);
  const bool json = arguments.has(option::json);
  if (!json || !protocol) tell(loaded.diagnostics.render(loaded.sources));
  if (!protocol) {
    if (json && !print(json_input_error(arguments.model, loaded.sources, loaded.diagnostics)))
      return ExitCode::internal_failure;
    return ExitCode::bad_input;
  }
  const DatabaseAddress address = address_of(arguments);
  NewFile file(address);
  auto database = open_database(arguments, address);
  if (!database) {
    file.keep();
    return fail(database.failure());
  }
  const InterruptWatch watch(**database, arguments);
  const DatabaseCeiling ceiling(arguments, address.engine);
  auto report = run(arguments, *protocol, *loaded.program, **database, address.engine);
  if (!report) return fail(report.failure());
  if (arguments.has(option::keep_in)) file.keep();
  report->model = arguments.model;
  report->engine = to_string(address.engine);
  if (!print(json ? steps_json(*report) : steps_text(*report))) {
    tell("panoptes: cannot write the report\n");
    return ExitCode::internal_failure;
  }
  return report->finds_errors() ? ExitCode::errors_found : ExitCode::holds;
}

}  // namespace panoptes
