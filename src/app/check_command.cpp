// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "api/check_model.hpp"
#include "api/checkpoints.hpp"
#include "app/arguments.hpp"
#include "app/backward.hpp"
#include "app/checkpoint_notes.hpp"
#include "app/commands.hpp"
#include "app/load.hpp"
#include "app/memory.hpp"
#include "app/ranks.hpp"
#include "app/report_files.hpp"
#include "app/search.hpp"
#include "app/system.hpp"
#include "app/time_limit.hpp"
#include "app/trails.hpp"
#include "app/watch.hpp"
#include "base/clock.hpp"
#include "report/number_text.hpp"

namespace panoptes {
namespace {

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
  const TrailFile file = trail_file_of(arguments.model, arguments, loaded, verdict);
  if (file.trails.empty()) {
    const bool is_clean = verdict.errors.empty() && verdict.warnings.empty();
    tell(fmt::format("note: {}, so {} was not written\n",
                     is_clean ? "nothing was found" : "every trail was left out",
                     arguments.get(option::trail)));
    return true;
  }
  const bool is_chosen = arguments.is_given(option::show) || arguments.is_given(option::only) ||
                         arguments.is_given(option::trails);
  std::size_t there_are = 0;  // those for which there was no room are nowhere
  for (const auto* errors : {&verdict.errors, &verdict.warnings})
    for (const ErrorReport& error : *errors) there_are += error.gap <= TrailGap::unasked;
  if (file.trails.size() < there_are && !is_chosen)
    tell(fmt::format("note: {} has {} of {} trails (--trails all has all)\n",
                     arguments.get(option::trail), file.trails.size(), there_are));
  if (write_trails(file, *loaded.program, loaded.sources, output)) return true;
  tell(fmt::format("panoptes: cannot write `{}`\n", arguments.get(option::trail)));
  return false;
}

// What became of the checkpoints.
void tell_of(const Checkpoints& checkpoints, const Verdict& verdict) {
  if (checkpoints.resumed_states() > 0)
    tell(fmt::format("note: {} states {}were known, and found again in {:.3f} s\n",
                     with_commas(checkpoints.resumed_states()),
                     checkpoints.is_divided() ? "of rank 0 " : "", checkpoints.resumed_seconds()));
  else if (checkpoints.is_resumed())
    tell(fmt::format(
        "note: it ended before the states that were known had been found again, which must be done "
        "first; {} is as it was\n",
        checkpoints.path()));
  tell_what_was_written(checkpoints, ended_early(verdict));
}

// A search over ranks begins on all of them, or on none: whoever cannot says so to the others.
int not_ready(RankedRun* ranks, int exit_code) {
  if (ranks) static_cast<void>(ranks->readiness(false));
  return exit_code;
}

int check_once(const Arguments& arguments, std::vector<FileStamp>& read, RankedRun* ranks) {
  if (arguments.has(option::confirm))
    if (const std::string missing = missing_for_backward(arguments); !missing.empty())
      return not_ready(ranks, complain(missing));
  ReportFiles files(arguments.all(option::report));
  if (!files.problem().empty()) return not_ready(ranks, complain(files.problem()));
  std::optional<Output> trails;
  if (!open_trails(arguments, trails)) return not_ready(ranks, ExitCode::bad_input);
  read.clear();
  const Loaded loaded = load(arguments, read);
  leave_time_for_report(arguments);
  if (const auto code = begin_report(arguments, loaded, files)) return not_ready(ranks, *code);
  const bool are_several = ranks && ranks->are_several();
  auto checkpoints =
      are_several ? std::unique_ptr<Checkpoints>() : open_checkpoints(arguments, loaded);
  if (!checkpoints) return not_ready(ranks, complain(checkpoints.failure()));
  if (ranks && !ranks->readiness(true).of_all)
    return complain("a rank could not load the model, and has said why");
  if (are_several) {
    checkpoints = ranks->open_checkpoints(arguments, loaded);
    const bool are_ready = ranks->readiness(static_cast<bool>(checkpoints)).of_all;
    if (!checkpoints) return complain(checkpoints.failure());
    if (!are_ready) return complain("a rank could not open its checkpoint, and has said why");
  }
  int exit_code = ExitCode::internal_failure;
  const auto verdict = search(arguments, loaded, {checkpoints->get(), ranks}, exit_code);
  if (!verdict) return exit_code;
  if (*checkpoints) tell_of(**checkpoints, *verdict);
  std::string confirmation;
  if (arguments.has(option::confirm)) {
    std::optional<ReversedProgram> reversed;
    BackwardOutcome outcome;
    const auto other = search_backwards(arguments, loaded, reversed, outcome);
    if (!other || !are_alike(*verdict, *other, confirmation)) return ExitCode::internal_failure;
  }
  const int code = report(arguments, loaded, *verdict, files, confirmation);
  if (trails && !keep_trails(arguments, loaded, *verdict, *trails))
    return ExitCode::internal_failure;
  end_time_limit();  // everything is said
  return code;
}

// Nothing where there is no room for it.
std::optional<CostExpression> guided_by(const Arguments& arguments, const Loaded& loaded) try {
  const LoadCeiling ceiling(arguments);
  return cost_towards(arguments, loaded, report_deadline(arguments));
} catch (const std::bad_alloc&) {
  return {};
}

// As a rank that is not the first: the same search, and nothing to say.
int search_for_others(const Arguments& arguments, RankedRun& ranks) {
  const Loaded loaded = load(arguments);
  end_time_limit();  // the first rank keeps to it
  const RankedRun::Readiness ready = ranks.readiness(loaded.program.has_value());
  if (!loaded.program && ready.of_first)  // which else has said so itself
    tell_as_rank(fmt::format("{} cannot be loaded here:\n{}", arguments.model,
                             loaded.diagnostics.render(loaded.sources)));
  if (!ready.of_all) return ExitCode::holds;
  const auto checkpoints = ranks.open_checkpoints(arguments, loaded);
  const RankedRun::Readiness opened = ranks.readiness(static_cast<bool>(checkpoints));
  if (!checkpoints && opened.of_first) tell_as_rank(checkpoints.failure() + "\n");
  if (!opened.of_all) return ExitCode::holds;
  int exit_code = ExitCode::internal_failure;
  const SearchHelp help{checkpoints->get(), &ranks};
  return search(arguments, loaded, help, exit_code) ? ExitCode::holds : exit_code;
}

int check_on_ranks(const Arguments& arguments) {
  auto ranks = RankedRun::join();
  if (!ranks) {
    tell_as_rank(ranks.failure() + "\n");
    return ExitCode::internal_failure;
  }
  return run_as_rank((*ranks)->transport(), arguments, [&] {
    std::vector<FileStamp> files;
    return (*ranks)->is_first() ? check_once(arguments, files, ranks->get())
                                : search_for_others(arguments, **ranks);
  });
}

}  // namespace

std::optional<Verdict> search(const Arguments& arguments, const Loaded& loaded) {
  int exit_code = ExitCode::internal_failure;
  return search(arguments, loaded, {}, exit_code);
}

std::optional<Verdict> search(const Arguments& arguments, const Loaded& loaded, SearchHelp help,
                              int& exit_code) {
  RankedRun* const ranks = help.ranks;
  exit_code = ExitCode::internal_failure;
  CheckOptions options = check_options(arguments, loaded);
  options.checkpoints = help.checkpoints;
  if (!arguments.texts(option::towards).empty()) {
    options.cost = guided_by(arguments, loaded);
    // Nothing to go by: every state costs the same.
    if (!options.cost) {
      tell(
          "note: --towards has nothing to go by: no target goes by its words (`panoptes backward "
          "--stats` lists them), or there was too little time or "
          "memory to find them\n");
      options.cost.emplace();
      options.cost->root = options.cost->pool.constant(0);
    }
  }
  options.interrupted = &interrupted();
  measure_memory(arguments, options.explore);
  ProgressLine progress(arguments.has(option::progress));
  options.observer = progress.observer();
  options.announce = [&](const ErrorReport& error) {
    progress.note(fmt::format("found: {}: {} ({} steps), searching on",
                              to_string(error.description.kind), error.description.text,
                              error.step_count()));
  };
  if (ranks) {
    ranks->share_host(arguments, options);
    exit_code = ExitCode::bad_input;
    if (!ranks->divide(*loaded.program, options, command_deadline(arguments))) return {};
    exit_code = ExitCode::internal_failure;
  }
  set_time_limits(arguments, options.limits);
  auto verdict = check_model(arguments, loaded, options, report_deadline(arguments));
  if (verdict && !(ranks && ranks->has_lost_rank())) return std::move(*verdict);
  if (!verdict && ranks && !ranks->is_first())
    tell_as_rank(verdict.failure() + "\n");
  else if (!verdict)
    static_cast<void>(own_fault(verdict.failure()));
  return {};
}

int check_command(const Arguments& arguments) {
  if (launched() && !arguments.has(option::watch)) return check_on_ranks(arguments);
  std::vector<FileStamp> files;
  if (!arguments.has(option::watch)) return check_once(arguments, files, nullptr);
  return watch([&](std::vector<FileStamp>& read) {
    Arguments again = arguments;
    again.started = steady_seconds();  // each time has --time for itself
    return check_once(again, read, nullptr);
  });
}

}  // namespace panoptes
