// SPDX-License-Identifier: Apache-2.0
#include "api/check_model.hpp"

#include <algorithm>
#include <thread>

#include "api/memory.hpp"
#include "base/parse_value.hpp"
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

}  // namespace

CheckOptions check_options(const Arguments& arguments, const Loaded& loaded) {
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
  options.limits.seconds = parse_duration(arguments.get("time")).value_or(0.0);
  options.limits.depth =
      parse_count(arguments.get("depth"))
          .value_or(is_forgetful(options.search) ? default_depth_limit(*loaded.program) : 0);
  choose(arguments, loaded, options);
  return options;
}

Result<Verdict, std::string> check_model(const Arguments& arguments, const Loaded& loaded,
                                         const CheckOptions& options, const Deadline& deadline) {
  std::string problem;
  std::optional<Verdict> verdict;
  try {
    verdict = check(*loaded.program, loaded.sources, options, problem);
  } catch (const InternalFault& fault) {
    problem = fault.what();
  }
  if (!verdict) return problem;
  if (!arguments.has("minimise-trail")) return std::move(*verdict);
  TrailEffort effort;
  effort.interrupted = [&] {
    return (options.interrupted && options.interrupted->load()) || deadline.has_passed();
  };
  for (auto* list : {&verdict->errors, &verdict->warnings})
    for (ErrorReport& error : *list)
      if (error.gap == TrailGap::no_gap)
        minimise_trail(*loaded.program, error, receptions_of(arguments), loaded.sources, effort);
  return std::move(*verdict);
}

}  // namespace panoptes
