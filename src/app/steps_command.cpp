// SPDX-License-Identifier: Apache-2.0
// `relate --steps`: the five steps of a protocol of two processes, shown and kept.
#include <fmt/format.h>

#include <cstdio>
#include <optional>

#include "api/relate_steps.hpp"
#include "app/commands.hpp"
#include "app/database.hpp"
#include "app/load.hpp"
#include "app/system.hpp"
#include "base/parse_value.hpp"
#include "options/table.hpp"
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

}  // namespace

int steps_command(const Arguments& given) {
  Arguments arguments = given;
  arguments.set(option::no_minimise, "on");  // the relations are those of the protocol as written
  Loaded loaded = load(arguments);
  std::optional<TwoProcess> protocol;
  if (loaded.program) protocol = two_process_of(loaded);
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
  const auto report =
      run_five_steps(arguments.model, arguments, loaded, *protocol, **database, address.engine);
  if (!report) return fail(report.failure());
  if (arguments.has(option::keep_in)) file.keep();
  if (!print(json ? steps_json(*report) : steps_text(*report))) {
    tell("panoptes: cannot write the report\n");
    return ExitCode::internal_failure;
  }
  return report->finds_errors() ? ExitCode::errors_found : ExitCode::holds;
}

}  // namespace panoptes
