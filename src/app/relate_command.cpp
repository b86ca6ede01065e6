// SPDX-License-Identifier: Apache-2.0
#include "api/relational_verdict.hpp"
#include "api/trails.hpp"
#include "app/arguments.hpp"
#include "app/commands.hpp"
#include "app/database.hpp"
#include "app/load.hpp"
#include "app/report_files.hpp"
#include "app/system.hpp"
#include "base/clock.hpp"

namespace panoptes {
namespace {

// What a database has found, and how long it took.
struct Answer {
  Related related;
  double seconds = 0.0;
};

// Or the exit code of the command. Afterwards there is neither database nor thread any more.
Result<Answer, int> ask_database(const Arguments& arguments, const Loaded& loaded,
                                 const DatabaseAddress& address) {
  NewFile file(address);
  const auto database = open_database(arguments, address);
  if (!database) {
    file.keep();
    return fail(database.failure());
  }
  const InterruptWatch watch(**database, arguments);
  const DatabaseCeiling ceiling(arguments, address.engine);
  const double start = steady_seconds();
  ProgressLine line(arguments.has(option::progress));
  auto related =
      relate_model(loaded, **database, address.engine,
                   relate_options(arguments, [&](const std::string& what) { line.show(what); }));
  if (!related) return fail(related.failure());
  return Answer{std::move(*related), steady_seconds() - start};
}

}  // namespace

int relate_command(const Arguments& arguments) {
  if (arguments.has(option::steps) || arguments.get(option::on) == RelateOn::hypercube)
    return steps_command(arguments);
  ReportFiles files(arguments.all(option::report));
  if (!files.problem().empty()) return complain(files.problem());
  Loaded loaded = load(arguments);
  refuse_indivisible(loaded);
  if (const auto code = begin_report(arguments, loaded, files)) return *code;
  const DatabaseAddress address = *arguments.get(option::db);
  const auto answer = ask_database(arguments, loaded, address);
  if (!answer) return answer.failure();
  const JudgeOptions options{strictness_of(arguments), std::string(to_string(address.engine)),
                             answer->seconds};
  std::string problem;
  const auto verdict =
      verdict_of(*loaded.program, loaded.sources, answer->related, options, problem);
  return verdict ? report(arguments, loaded, *verdict, files) : own_fault(problem);
}

}  // namespace panoptes
