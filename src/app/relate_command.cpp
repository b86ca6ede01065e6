// SPDX-License-Identifier: Apache-2.0
#include "app/arguments.hpp"
#include "app/commands.hpp"
#include "app/database.hpp"
#include "app/load.hpp"
#include "app/relational_verdict.hpp"
#include "app/report_files.hpp"
#include "app/system.hpp"
#include "base/clock.hpp"

namespace panoptes {
namespace {

JudgeOptions options_of(const Arguments& arguments) {
  JudgeOptions options;
  options.strictness = {arguments.get(option::receptions), arguments.has(option::strict)};
  return options;
}

DatabaseResult<Related> relate_in(const Arguments& arguments, Database& database,
                                  const Program& program, const Dialect& dialect,
                                  const JudgeOptions& options) {
  RelateOptions relate_options;
  relate_options.receptions = options.strictness.receptions;
  relate_options.unread_messages_are_errors = options.strictness.unread_messages_are_errors;
  ProgressLine line(arguments.has(option::progress));
  relate_options.progress = [&](const std::string& what) { line.show(what); };
  return relate(program, database, dialect, relate_options);
}

}  // namespace

int relate_command(const Arguments& arguments) {
  if (arguments.has(option::steps)) return steps_command(arguments);
  ReportFiles files(arguments.all(option::report));
  if (!files.problem().empty()) return complain(files.problem());
  const Loaded loaded = load(arguments);
  if (const auto code = begin_report(arguments, loaded, files)) return *code;
  const DatabaseAddress address = *arguments.get(option::db);
  NewFile file(address);
  const auto database = open_database(arguments, address);
  if (!database) {
    file.keep();
    return fail(database.failure());
  }

  const InterruptWatch watch(**database, arguments);
  const DatabaseCeiling ceiling(arguments, address.engine);
  JudgeOptions options = options_of(arguments);
  const double start = steady_seconds();
  const auto related =
      relate_in(arguments, **database, *loaded.program, Dialect(address.engine), options);
  if (!related) return fail(related.failure());
  options.engine = to_string(address.engine);
  options.seconds = steady_seconds() - start;
  std::string problem;
  const auto verdict = judge(*loaded.program, loaded.sources, *related, options, problem);
  return verdict ? report(arguments, loaded, *verdict, files) : own_fault(problem);
}

}  // namespace panoptes
