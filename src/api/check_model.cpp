// SPDX-License-Identifier: Apache-2.0
#include "api/check_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "api/memory.hpp"
#include "api/replay.hpp"
#include "search/spill_file.hpp"

namespace panoptes {
namespace {

SearchKind search_of(const OptionValues& values) {
  switch (values.get(option::search)) {
    case SearchWord::stack: return SearchKind::stack;
    case SearchWord::cache: return SearchKind::cache;
    case SearchWord::walk: return SearchKind::walk;
    case SearchWord::automatic: return SearchKind::automatic;
    default: return SearchKind::exhaustive;
  }
}

bool is_forgetful(SearchKind search) {
  return search == SearchKind::stack || search == SearchKind::cache || search == SearchKind::walk;
}

StoreOptions store_of(const OptionValues& values) {
  StoreOptions options;
  options.kind = values.get(option::store);
  if (values.get(option::search) == SearchWord::supertrace) options.kind = StoreKind::bits;
  options.arena_bytes = values.get(option::arena).value_or(0);
  if (const auto bits = values.get(option::bits_per_state))
    options.bits_per_state = static_cast<unsigned>(*bits);
  if (const auto bits = values.get(option::fingerprint_bits))
    options.fingerprint_bits = static_cast<unsigned>(*bits);
  options.runs = values.get(option::runs).value_or(1);
  return options;
}

ForgetfulOptions forgetful_of(const OptionValues& values) {
  ForgetfulOptions options;
  options.labelled_only = values.has(option::store_labelled);
  options.cache_states = values.get(option::cache_states).value_or(0);
  options.replacement = values.get(option::replace);
  if (values.has(option::time)) options.walks = UINT64_MAX;
  if (const auto runs = values.get(option::runs)) options.walks = *runs;
  options.seed = values.get(option::seed).value_or(1);
  options.count_distinct = values.has(option::count_distinct);
  return options;
}

// Which successors are followed, and which states are told apart.
void choose(const OptionValues& values, const Loaded& loaded, CheckOptions& options) {
  const SearchWord search = values.get(option::search);
  if (search == SearchWord::scatter || search == SearchWord::guided)
    options.order = Order::best_first;
  options.guide = search == SearchWord::guided ? Preference::cost : Preference::scatter;
  options.choice.preference = values.get(option::choose);
  options.choice.keep = values.get(option::keep).value_or(0);
  options.choice.per_process = values.get(option::per) == KeepPer::process;
  options.choice.seed = values.get(option::seed).value_or(1);
  options.reduce_internal = values.get(option::reduce) == Reduce::internal;
  options.cost = loaded.cost;
  options.spill_folder = values.get(option::spill);
  options.folded = loaded.folded;
}

}  // namespace

std::string wrong_folder(const OptionValues& values) {
  const std::string folder = values.get(option::spill);
  std::string problem;
  if (folder.empty() || SpillFile::make(folder, problem)) return {};
  return fmt::format("--spill {}: cannot write there: {}", folder, problem);
}

CheckOptions check_options(const OptionValues& values, const Loaded& loaded) {
  CheckOptions options;
  options.search = search_of(values);
  options.store = store_of(values);
  options.forgetful = forgetful_of(values);
  options.order = values.get(option::order);
  options.stepper = values.get(option::stepper);
  options.threads = static_cast<unsigned>(
      values.get(option::threads).value_or(std::max(1u, std::thread::hardware_concurrency())));
  options.strict = values.has(option::strict);
  options.keep_graph = values.has(option::keep_graph);
  options.explore.first_error_only = values.has(option::first);
  options.explore.receptions = values.get(option::receptions);
  options.explore.expands_faulty = values.get(option::expand) != Expand::sound;
  options.limits.memory_bytes = memory_of(values);
  options.limits.seconds = values.get(option::time).value_or(0.0);
  options.limits.depth =
      values.get(option::depth)
          .value_or(is_forgetful(options.search) ? default_depth_limit(*loaded.program) : 0);
  choose(values, loaded, options);
  return options;
}

Result<Verdict, std::string> check_model(const OptionValues& values, const Loaded& loaded,
                                         const CheckOptions& options, const Deadline& deadline) {
  std::string problem;
  std::optional<Verdict> verdict;
  try {
    verdict = check(*loaded.program, loaded.sources, options, problem);
  } catch (const InternalFault& fault) {
    problem = fault.what();
  }
  if (!verdict) return problem;
  if (!values.has(option::minimise_trail)) return std::move(*verdict);
  const auto has_to_end = [&] {
    return (options.interrupted && options.interrupted->load()) || deadline.has_passed();
  };
  for (auto* list : {&verdict->errors, &verdict->warnings})
    for (ErrorReport& error : *list)
      if (error.gap == TrailGap::no_gap) shorten_trail(values, loaded, error, has_to_end);
  return std::move(*verdict);
}

}  // namespace panoptes
