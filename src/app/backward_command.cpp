// SPDX-License-Identifier: Apache-2.0
#include "api/backward_verdict.hpp"
#include "app/arguments.hpp"
#include "app/commands.hpp"
#include "app/load.hpp"
#include "app/report_files.hpp"
#include "app/system.hpp"
#include "app/time_limit.hpp"
#include "base/clock.hpp"

namespace panoptes {
namespace {

// What was found, and how long it took.
struct SearchedBackwards {
  BackwardOutcome outcome;
  double seconds = 0.0;
};

SearchedBackwards search_backwards(const Arguments& arguments, const Loaded& loaded) {
  ReversedProgram reversed(*loaded.program);
  BackwardOptions options = backward_options(arguments);
  options.limits.deadline = report_deadline(arguments);
  options.interrupted = &interrupted();
  ProgressLine line(arguments.has(option::progress));
  options.progress = [&](const std::string& what) {
    if (line.is_due()) line.show(what);
  };
  const double start = steady_seconds();
  SearchedBackwards searched{search_backward(reversed, options)};
  searched.seconds = steady_seconds() - start;
  return searched;
}

}  // namespace

int backward_command(const Arguments& arguments) {
  ReportFiles files(arguments.all(option::report));
  if (!files.problem().empty()) return complain(files.problem());
  const Loaded loaded = load(arguments);
  leave_time_for_report(arguments);
  if (const auto code = begin_report(arguments, loaded, files)) return *code;
  const SearchedBackwards searched = search_backwards(arguments, loaded);
  const auto verdict = backward_verdict(arguments, loaded, searched.outcome, searched.seconds,
                                        report_deadline(arguments));
  if (!verdict) return own_fault(verdict.failure());
  const int code = report(arguments, loaded, *verdict, files);
  end_time_limit();
  return code;
}

}  // namespace panoptes
