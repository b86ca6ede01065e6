// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <thread>

#include "app/arguments.hpp"
#include "app/checked.hpp"
#include "app/commands.hpp"
#include "app/load.hpp"
#include "app/system.hpp"
#include "app/watch.hpp"
#include "base/options.hpp"
#include "report/json.hpp"
#include "report/text.hpp"
#include "search/check.hpp"

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
  options.limits.memory_bytes =
      parse_size(arguments.get("memory")).value_or(available_memory_bytes() / 4 * 3);
  options.limits.seconds = parse_duration(arguments.get("time")).value_or(0.0);
  options.limits.depth =
      parse_count(arguments.get("depth"))
          .value_or(is_forgetful(options.search) ? default_depth_limit(program) : 0);
  options.interrupted = &interrupted();
  options.explore.resident = resident_bytes;
  options.explore.give_back = give_back_memory;
  options.explore.fixed_bytes = arguments.fixed_bytes;
  return options;
}

int exit_code(Outcome outcome) {
  switch (outcome) {
    case Outcome::holds: return ExitCode::holds;
    case Outcome::violated: return ExitCode::errors_found;
    case Outcome::unknown: return ExitCode::unknown;
  }
  return ExitCode::internal_failure;
}

std::optional<Verdict> run(const Program& program, const SourceSet& sources, CheckOptions options) {
  ProgressLine progress;
  options.observer = progress.observer();
  options.announce = [&](const ErrorReport& error) {
    progress.note(fmt::format("found: {}: {} ({} steps), searching on",
                              to_string(error.description.kind), error.description.text,
                              error.trail.steps.size()));
  };
  std::string problem;
  std::optional<Verdict> verdict;
  try {
    verdict = check(program, sources, options, problem);
  } catch (const InternalFault& fault) {
    problem = fault.what();
  }
  if (!verdict) static_cast<void>(own_fault(problem));
  return verdict;
}

int check_once(const Arguments& arguments, std::vector<FileStamp>& files) {
  const Loaded loaded = load(arguments);
  files = loaded.files;
  const bool json = arguments.has("json");
  if (!json || !loaded.program) fmt::print(stderr, "{}", loaded.diagnostics.render(loaded.sources));
  if (!loaded.program) {
    if (json) print(json_input_error(arguments.model, loaded.sources, loaded.diagnostics));
    return ExitCode::bad_input;
  }
  const Checked checked = check_loaded(arguments, loaded);
  if (checked.verdict && !print(checked.report)) {
    fmt::print(stderr, "panoptes: cannot write the report\n");
    return ExitCode::internal_failure;
  }
  return checked.exit_code;
}

}  // namespace

Checked check_loaded(const Arguments& arguments, const Loaded& loaded) {
  CheckOptions check_options = options_of(arguments, *loaded.program);
  choose(arguments, loaded, check_options);
  Checked checked;
  checked.verdict = run(*loaded.program, loaded.sources, std::move(check_options));
  if (!checked.verdict) return checked;

  RunFacts facts;
  facts.model = arguments.model;
  facts.fixed_bytes = arguments.fixed_bytes;
  facts.memory_bytes = peak_resident_bytes() - arguments.fixed_bytes;
  facts.show_steps = arguments.has("steps");
  facts.show_statistics = arguments.has("stats");
  checked.report = arguments.has("json")
                       ? json_report(*loaded.program, *checked.verdict, loaded.sources,
                                     loaded.diagnostics, reported_options(arguments), facts)
                       : text_report(*loaded.program, *checked.verdict, loaded.sources, facts);
  checked.exit_code = exit_code(checked.verdict->outcome);
  return checked;
}

int check_command(const Arguments& arguments) {
  const auto once = [&](std::vector<FileStamp>& files) { return check_once(arguments, files); };
  std::vector<FileStamp> files;
  return arguments.has("watch") ? watch(once) : once(files);
}

}  // namespace panoptes
