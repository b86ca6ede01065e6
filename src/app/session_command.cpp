// SPDX-License-Identifier: Apache-2.0
#include "app/session_command.hpp"

#include <fmt/format.h>

#include "api/charts.hpp"
#include "app/arguments.hpp"
#include "app/command_input.hpp"
#include "app/load.hpp"
#include "app/output.hpp"
#include "app/report_files.hpp"
#include "app/system.hpp"
#include "app/trails.hpp"
#include "base/parse_value.hpp"
#include "options/table.hpp"
#include "report/state_text.hpp"

namespace panoptes {
namespace {

// What went wrong, "" where nothing did.
std::string save(const Arguments& arguments, const Loaded& loaded, const std::string& path,
                 const RecordedTrail& trail) {
  if (std::string problem = wrong_trail_name(path); !problem.empty()) return problem;
  if (is_replaced(arguments.model, path))
    return fmt::format("{} is the model, which would be lost", path);
  Output output(path);
  if (!output.is_open()) return output.problem();
  TrailFile file = trail_file_of(arguments.model, arguments, loaded);
  file.trails.push_back(trail);
  return write_trails(file, *loaded.program, loaded.sources, output)
             ? ""
             : fmt::format("cannot write `{}`", path);
}

std::string run_text(const Arguments& arguments, const Loaded& loaded, const RunReport& run,
                     const std::string& sentence) {
  const Program& program = *loaded.program;
  const RunFacts facts = facts_of(arguments);
  std::string text;
  if (run.error) text += error_sentences(program, *run.error, loaded.sources) + "\n";
  ErrorReport shown;
  if (run.error) shown = *run.error;
  shown.trail = run.trail;
  text += arguments.get(option::chart) == ChartWord::steps
              ? steps_text(program, loaded.sources, shown, facts)
              : trail_text(program, shown, loaded.sources, facts);
  return text + fmt::format("{}{}: {}\n", run.trail.steps.empty() ? "" : "\n", run.model, sentence);
}

}  // namespace

int run_session(const Arguments& arguments, const Loaded& loaded, StepChooser chooser,
                const std::vector<RuleId>& rules, std::size_t step, std::size_t repeating) {
  SessionDoors doors;
  doors.parse_predicate = predicates_of(arguments.model, loaded);
  doors.save = [&](const std::string& path, const RecordedTrail& trail) {
    return save(arguments, loaded, path, trail);
  };
  doors.interrupted = [] { return interrupted().load(); };
  doors.style = facts_of(arguments).style;
  Session session(*loaded.program, loaded.sources, strictness_of(arguments), std::move(chooser),
                  std::move(doors));
  session.load(rules, step, repeating);
  CommandInput input;
  bool is_written = print(session.begin());
  while (is_written && !session.is_over() && !has_lost_reader()) {
    const auto line = input.next();
    if (!line) break;
    is_written = print(session.execute(*line));
  }
  if (is_written) return interrupted() ? ExitCode::unknown : ExitCode::holds;
  tell("panoptes: cannot write the session\n");
  return ExitCode::internal_failure;
}

bool print_run(const Arguments& arguments, const Loaded& loaded, const RunReport& run,
               const std::string& sentence) {
  Output output("");
  const bool is_printed = arguments.has(option::json)
                              ? json_run(*loaded.program, run, loaded.sources, output.sink())
                              : output.write(run_text(arguments, loaded, run, sentence));
  if (is_printed && output.keep()) return true;
  tell("panoptes: cannot write the report\n");
  return false;
}

}  // namespace panoptes
