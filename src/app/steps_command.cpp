// SPDX-License-Identifier: Apache-2.0
// `relate --steps`, and `relate --on hypercube`: the five steps of a protocol of two processes,
// shown and kept.
#include <fmt/format.h>

#include <memory>
#include <optional>

#include "api/relate_steps.hpp"
#include "app/arguments.hpp"
#include "app/commands.hpp"
#include "app/database.hpp"
#include "app/load.hpp"
#include "app/memory.hpp"
#include "app/ranks.hpp"
#include "app/system.hpp"
#include "app/time_limit.hpp"
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

// What a database finds, or the exit code of the command.
Result<StepsReport, int> steps_in_database(const Arguments& arguments, const Loaded& loaded,
                                           const TwoProcess& protocol) {
  const DatabaseAddress address = address_of(arguments);
  NewFile file(address);
  auto database = open_database(arguments, address);
  if (!database) {
    file.keep();
    return fail(database.failure());
  }
  const InterruptWatch watch(**database, arguments);
  const DatabaseCeiling ceiling(arguments, address.engine);
  auto report =
      run_five_steps(arguments.model, arguments, loaded, protocol, **database, address.engine);
  if (!report) return fail(report.failure());
  if (arguments.has(option::keep_in)) file.keep();
  return std::move(*report);
}

Result<StepsReport, int> steps_on_cube(const Arguments& arguments, const Loaded& loaded,
                                       const TwoProcess& protocol, Transport& ranks) {
  const LoadCeiling ceiling(arguments);
  auto report = run_five_steps(
      arguments.model, arguments, loaded, protocol, ranks,
      [deadline = command_deadline(arguments)] { return interrupted() || deadline.has_passed(); });
  if (report) return std::move(*report);
  return ranks.rank() == 0 ? fail(report.failure()) : ExitCode::holds;
}

int print_steps(const Arguments& arguments, const StepsReport& report) {
  if (!print(arguments.has(option::json) ? steps_json(report) : steps_text(report))) {
    tell("panoptes: cannot write the report\n");
    return ExitCode::internal_failure;
  }
  return report.finds_errors() ? ExitCode::errors_found : ExitCode::holds;
}

// `ranks`: null where a database makes the steps. Of several, the first one speaks for all, and its
// exit code counts.
int steps_on(const Arguments& arguments, Transport* ranks) {
  const bool speaks = !ranks || ranks->rank() == 0;
  if (ranks && ranks->ranks() > 1 && arguments.model == "-")
    return speaks ? complain("of several ranks only one has standard input: name a file")
                  : ExitCode::holds;
  Loaded loaded = load(arguments);
  std::optional<TwoProcess> protocol;
  if (loaded.program) protocol = two_process_of(loaded);
  const bool json = arguments.has(option::json);
  if (speaks && (!json || !protocol)) tell(loaded.diagnostics.render(loaded.sources));
  const bool all_have_it = !ranks || all_have(*ranks, loaded, protocol.has_value());
  if (!speaks && !all_have_it) return ExitCode::holds;
  if (!protocol) {
    if (json && !print(json_input_error(arguments.model, loaded.sources, loaded.diagnostics)))
      return ExitCode::internal_failure;
    return ExitCode::bad_input;
  }
  if (!all_have_it) return complain(arguments.model + " is not what it is here at another rank");
  const auto report = ranks ? steps_on_cube(arguments, loaded, *protocol, *ranks)
                            : steps_in_database(arguments, loaded, *protocol);
  if (!report) return report.failure();
  return speaks ? print_steps(arguments, *report) : ExitCode::holds;
}

}  // namespace

int steps_command(const Arguments& given) {
  Arguments arguments = given;
  arguments.set(option::no_minimise, "on");  // the relations are those of the protocol as written
  if (arguments.get(option::on) != RelateOn::hypercube) return steps_on(arguments, nullptr);
  const auto ranks = open_cube();
  if (!ranks) return is_first_rank() ? complain(ranks.failure()) : ExitCode::holds;
  return run_as_rank(**ranks, arguments, [&] { return steps_on(arguments, ranks->get()); });
}

}  // namespace panoptes
