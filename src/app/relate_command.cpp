// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <chrono>
#include <cstdio>

#include "app/arguments.hpp"
#include "app/commands.hpp"
#include "app/database.hpp"
#include "app/load.hpp"
#include "app/relational_verdict.hpp"
#include "app/system.hpp"
#include "report/json.hpp"
#include "report/text.hpp"

namespace panoptes {
namespace {

JudgeOptions options_of(const Arguments& arguments) {
  JudgeOptions options;
  options.strict = arguments.has("strict");
  options.receptions = receptions_of(arguments);
  return options;
}

DatabaseResult<Related> relate_in(Database& database, const Program& program,
                                  const Dialect& dialect, const JudgeOptions& options) {
  const InterruptWatch watch(database);
  RelateOptions relate_options;
  relate_options.receptions = options.receptions;
  relate_options.unread_messages_are_errors = options.strict;
  ProgressLine line;
  relate_options.progress = [&](const std::string& what) { line.show(what); };
  return relate(program, database, dialect, relate_options);
}

std::string report_of(const Arguments& arguments, const Loaded& loaded, const Verdict& verdict) {
  const std::map<std::string, std::string> options = reported_options(arguments);
  RunFacts facts;
  facts.model = arguments.model;
  facts.fixed_bytes = arguments.fixed_bytes;
  facts.memory_bytes = peak_resident_bytes() - arguments.fixed_bytes;
  return arguments.has("json") ? json_report(*loaded.program, verdict, loaded.sources,
                                             loaded.diagnostics, options, facts)
                               : text_report(*loaded.program, verdict, loaded.sources, facts);
}

}  // namespace

int relate_command(const Arguments& arguments) {
  if (arguments.has("steps")) return steps_command(arguments);
  const Loaded loaded = load(arguments);
  const bool json = arguments.has("json");
  if (!json || !loaded.program) fmt::print(stderr, "{}", loaded.diagnostics.render(loaded.sources));
  if (!loaded.program) {
    if (json) print(json_input_error(arguments.model, loaded.sources, loaded.diagnostics));
    return ExitCode::bad_input;
  }
  const DatabaseAddress address = *parse_database_address(arguments.get("db"));
  NewFile file(address);
  const auto database = open_database(arguments, address);
  if (!database) {
    file.keep();
    return fail(database.failure());
  }

  JudgeOptions options = options_of(arguments);
  const auto start = std::chrono::steady_clock::now();
  const auto related = relate_in(**database, *loaded.program, Dialect(address.engine), options);
  if (!related) return fail(related.failure());
  options.engine = to_string(address.engine);
  options.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  std::string problem;
  const auto verdict = judge(*loaded.program, loaded.sources, *related, options, problem);
  if (!verdict) return own_fault(problem);
  if (!print(report_of(arguments, loaded, *verdict))) {
    fmt::print(stderr, "panoptes: cannot write the report\n");
    return ExitCode::internal_failure;
  }
  return verdict->outcome == Outcome::holds ? ExitCode::holds : ExitCode::errors_found;
}

}  // namespace panoptes
