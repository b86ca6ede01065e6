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
#include "base/options.hpp"
#include "base/parse_value.hpp"
#include "search/check.hpp"
#include "verdict/minimise_trail.hpp"

namespace panoptes {
namespace {

SearchKind search_of(const Arguments& arguments) {
  const std::string name = arguments.get("search");
  if (name == "stack") return SearchKind::stack;
  if (name == "cache") return SearchKind::cache;
  if (name == "walk") return SearchKind::walk;
  if (name == "auto") return SearchKind::automatic;
  return SearchKind::exhaustive;
}

bool is_forgetful(SearchKind search) {
  return search == SearchKind::stack || search == SearchKind::cache || search == SearchKind::walk;
}

StoreOptions store_of(const Arguments& arguments) {
  StoreOptions options;
  const std::string name = arguments.get("store");
  if (name == "compact") options.kind = StoreKind::compact;
  if (name == "hash") options.kind = StoreKind::hash;
  if (name == "bits" || arguments.get("search") == "supertrace") options.kind = StoreKind::bits;
  options.arena_bytes = parse_size(arguments.get("arena")).value_or(0);
  if (const auto bits = parse_count(arguments.get("bits-per-state")))
    options.bits_per_state = static_cast<unsigned>(*bits);
  if (const auto bits = parse_count(arguments.get("fingerprint-bits")))
    options.fingerprint_bits = static_cast<unsigned>(*bits);
  options.runs = parse_count(arguments.get("runs")).value_or(1);
  return options;
}

ForgetfulOptions forgetful_of(const Arguments& arguments) {
  ForgetfulOptions options;
  options.labelled_only = arguments.has("store-labelled");
  options.cache_states = parse_count(arguments.get("cache-states")).value_or(0);
  for (const Replacement strategy :
       {Replacement::most, Replacement::least, Replacement::largest_class, Replacement::oldest,
        Replacement::subtree})
    if (arguments.get("replace") == to_string(strategy)) options.replacement = strategy;
  if (arguments.has("time")) options.walks = UINT64_MAX;
  if (const auto runs = parse_count(arguments.get("runs"))) options.walks = *runs;
  options.seed = parse_count(arguments.get("seed")).value_or(1);
  options.count_distinct = arguments.has("count-distinct");
  return options;
}

Preference preference_of(const std::string& word) {
  if (word == "random") return Preference::random;
  if (word == "transit") return Preference::transit;
  if (word == "scatter") return Preference::scatter;
  if (word == "cost") return Preference::cost;
  if (word == "tags") return Preference::tags;
  return Preference::as_written;
}

// Which successors are followed, and which states are told apart.
void choose(const Arguments& arguments, const Loaded& loaded, CheckOptions& options) {
  const std::string search = arguments.get("search");
  if (search == "scatter" || search == "guided") options.order = Order::best_first;
  options.guide = search == "guided" ? Preference::cost : Preference::scatter;
  options.choice.preference = preference_of(arguments.get("choose"));
  options.choice.keep = parse_count(arguments.get("keep")).value_or(0);
  options.choice.per_process = arguments.get("per") == "process";
  options.choice.seed = parse_count(arguments.get("seed")).value_or(1);
  options.reduce_internal = arguments.get("reduce") == "internal";
  options.cost = loaded.cost;
  options.spill_folder = arguments.get("spill");
  options.folded = loaded.folded;
}

CheckOptions options_of(const Arguments& arguments, const Program& program) {
  CheckOptions options;
  options.search = search_of(arguments);
  options.store = store_of(arguments);
  options.forgetful = forgetful_of(arguments);
  if (arguments.get("order") == "depth") options.order = Order::depth;
  if (arguments.get("stepper") == "interpreter") options.stepper = StepperKind::interpreter;
  options.threads =
      static_cast<unsigned>(parse_count(arguments.get("threads"))
                                .value_or(std::max(1u, std::thread::hardware_concurrency())));
  options.strict = arguments.has("strict");
  options.keep_graph = arguments.has("keep-graph");
  options.explore.first_error_only = arguments.has("first");
  options.explore.receptions = receptions_of(arguments);
  options.explore.expands_faulty = arguments.get("expand") != "sound";
  options.limits.memory_bytes = memory_of(arguments);
  set_time_limits(arguments, options.limits);
  options.limits.depth =
      parse_count(arguments.get("depth"))
          .value_or(is_forgetful(options.search) ? default_depth_limit(program) : 0);
  options.interrupted = &interrupted();
  measure_memory(arguments, options.explore);
  return options;
}

std::optional<Verdict> run(const Arguments& arguments, const Loaded& loaded, CheckOptions options) {
  ProgressLine progress(arguments.has("progress"));
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
  if (!arguments.has("trail")) return true;
  output.emplace(arguments.get("trail"));
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
                     arguments.get("trail")));
    return true;
  }
  if (write_trails(file, *loaded.program, loaded.sources, output)) return true;
  tell(fmt::format("panoptes: cannot write `{}`\n", arguments.get("trail")));
  return false;
}

int check_once(const Arguments& arguments, std::vector<FileStamp>& read) {
  ReportFiles files(arguments.all("report"));
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
  if (!verdict || !arguments.has("minimise-trail")) return verdict;
  TrailEffort effort;
  const Deadline deadline = report_deadline(arguments);
  effort.interrupted = [&] { return interrupted().load() || deadline.has_passed(); };
  for (auto* list : {&verdict->errors, &verdict->warnings})
    for (ErrorReport& error : *list)
      if (error.gap == TrailGap::no_gap)
        minimise_trail(*loaded.program, error, receptions_of(arguments), loaded.sources, effort);
  return verdict;
}

int check_command(const Arguments& arguments) {
  std::vector<FileStamp> files;
  if (!arguments.has("watch")) return check_once(arguments, files);
  return watch([&](std::vector<FileStamp>& read) {
    Arguments again = arguments;
    again.started = steady_seconds();  // each time has --time for itself
    return check_once(again, read);
  });
}

}  // namespace panoptes
