// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <thread>

#include "app/arguments.hpp"
#include "app/commands.hpp"
#include "app/load.hpp"
#include "app/memory.hpp"
#include "app/report_files.hpp"
#include "app/search.hpp"
#include "app/system.hpp"
#include "app/time_limit.hpp"
#include "app/trails.hpp"
#include "app/watch.hpp"
#include "base/clock.hpp"
#include "base/parse_value.hpp"
#include "options/search_plan.hpp"
#include "search/check.hpp"
#include "verdict/minimise_trail.hpp"

namespace panoptes {
namespace {

// Which successors are followed, and which states are told apart.
void choose(const Arguments& arguments, const Loaded& loaded, CheckOptions& options) {
  options.choice.preference = arguments.get(option::choose);
  options.choice.keep = arguments.get(option::keep).value_or(0);
  options.choice.per_process = arguments.get(option::per) == KeepPer::process;
  options.choice.seed = *arguments.get(option::seed);
  options.reduce_internal = arguments.get(option::reduce) == Reduce::internal;
  options.cost = loaded.cost;
  options.spill_folder = arguments.get(option::spill);
  options.folded = loaded.folded;
}

CheckOptions options_of(const Arguments& arguments, const Program& program) {
  CheckOptions options;
  options.search = search_plan(arguments);
  options.seed = *arguments.get(option::seed);
  options.count_distinct = arguments.has(option::count_distinct);
  options.stepper = arguments.get(option::stepper);
  options.threads = static_cast<unsigned>(
      arguments.get(option::threads).value_or(std::max(1u, std::thread::hardware_concurrency())));
  options.strict = arguments.has(option::strict);
  options.explore.first_error_only = arguments.has(option::first);
  options.explore.receptions = arguments.get(option::receptions);
  options.explore.expands_faulty = arguments.get(option::expand) != Expand::sound;
  options.limits.memory_bytes = memory_of(arguments);
  set_time_limits(arguments, options.limits);
  options.limits.depth =
      arguments.get(option::depth)
          .value_or(is_bounded(arguments.get(option::search)) ? default_depth_limit(program) : 0);
  options.interrupted = &interrupted();
  measure_memory(arguments, options.explore);
  return options;
}

std::optional<Verdict> run(const Arguments& arguments, const Loaded& loaded, CheckOptions options) {
  ProgressLine progress(arguments.has(option::progress));
  options.observer = progress.observer();
  options.announce = [&](const ErrorReport& error) {
    progress.note(fmt::format("found: {}: {} ({} steps), searching on",
                              to_string(error.description.kind), error.description.text,
                              error.step_count()));
  };
  std::string problem;
  std::optional<Verdict> verdict;
  try {
    verdict = check(*loaded.program, loaded.sources, options, problem);
  } catch (const InternalFault& fault) {
    problem = fault.what();
  }
  if (!verdict) static_cast<void>(own_fault(problem));
  return verdict;
}

// Where the trails go, if anywhere; false, with a complaint, where nothing can be written there.
// That should be known before a search that takes hours.
bool open_trails(const Arguments& arguments, std::optional<Output>& output) {
  if (!arguments.has(option::trail)) return true;
  output.emplace(arguments.get(option::trail));
  if (!output->is_open()) complain(fmt::format("--trail {}", output->problem()));
  return output->is_open();
}

// Writes the trails of everything that was found; where nothing was, there is nothing to write.
bool keep_trails(const Arguments& arguments, const Loaded& loaded, const Verdict& verdict,
                 Output& output) {
  TrailFile file = trail_file_of(arguments, *loaded.program, loaded.labels);
  for (const auto* list : {&verdict.errors, &verdict.warnings})
    for (const ErrorReport& error : *list)
      if (error.gap == TrailGap::no_gap) file.trails.push_back(record(error));
  if (file.trails.empty()) {
    const bool is_clean = verdict.errors.empty() && verdict.warnings.empty();
    tell(fmt::format("note: {}, so {} was not written\n",
                     is_clean ? "nothing was found" : "every trail was left out",
                     arguments.get(option::trail)));
    return true;
  }
  if (write_trails(file, *loaded.program, loaded.sources, output)) return true;
  tell(fmt::format("panoptes: cannot write `{}`\n", arguments.get(option::trail)));
  return false;
}

int check_once(const Arguments& arguments, std::vector<FileStamp>& read) {
  ReportFiles files(arguments.all(option::report));
  if (!files.problem().empty()) return complain(files.problem());
  std::optional<Output> trails;
  if (!open_trails(arguments, trails)) return ExitCode::bad_input;
  const Loaded loaded = load(arguments);
  read = loaded.files;
  leave_time_for_report(arguments);
  if (const auto code = begin_report(arguments, loaded, files)) return *code;
  const auto verdict = search(arguments, loaded);
  if (!verdict) return ExitCode::internal_failure;
  const int code = report(arguments, loaded, *verdict, files);
  if (trails && !keep_trails(arguments, loaded, *verdict, *trails))
    return ExitCode::internal_failure;
  end_time_limit();  // everything is said
  return code;
}

}  // namespace

std::optional<Verdict> search(const Arguments& arguments, const Loaded& loaded) {
  CheckOptions options = options_of(arguments, *loaded.program);
  choose(arguments, loaded, options);
  auto verdict = run(arguments, loaded, std::move(options));
  if (!verdict || !arguments.has(option::minimise_trail)) return verdict;
  TrailEffort effort;
  const Deadline deadline = report_deadline(arguments);
  effort.interrupted = [&] { return interrupted().load() || deadline.has_passed(); };
  for (auto* list : {&verdict->errors, &verdict->warnings})
    for (ErrorReport& error : *list)
      if (error.gap == TrailGap::no_gap)
        minimise_trail(*loaded.program, error, arguments.get(option::receptions), loaded.sources,
                       effort);
  return verdict;
}

int check_command(const Arguments& arguments) {
  std::vector<FileStamp> files;
  if (!arguments.has(option::watch)) return check_once(arguments, files);
  return watch([&](std::vector<FileStamp>& read) {
    Arguments again = arguments;
    again.started = steady_seconds();  // each time has --time for itself
    return check_once(again, read);
  });
}

}  // namespace panoptes
