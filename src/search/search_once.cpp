// SPDX-License-Identifier: Apache-2.0
#include "search/search_once.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "search/livelock.hpp"
#include "search/make_reports.hpp"
#include "search/parts.hpp"
#include "search/state_graph.hpp"
#include "store/numbered_store.hpp"
#include "verdict/conclusions.hpp"

namespace panoptes {
namespace {

constexpr std::uint64_t error_log_share = 32;  // of the memory, and as much again for a moment

// Walks end when all were made, or at their depth bound; neither tells anything about the rest.
Stop why_it_ended(Stop stop, SearchKind search) {
  const bool is_over = stop == Stop::finished || stop == Stop::depth || stop == Stop::unexpanded;
  return search == SearchKind::walk && is_over ? Stop::sample : stop;
}

double ratio(std::uint64_t a, std::uint64_t b) {
  return b == 0 ? 0.0 : static_cast<double>(a) / static_cast<double>(b);
}

// The states a store held at its peak.
std::uint64_t states_held(const Stores& stores, const Exploration& found, SearchKind search) {
  if (stores.cache) return stores.cache->cache_stats().states;
  return search == SearchKind::stack ? found.depth + 1 : found.states;
}

Parameters parameters_of(const Program& program, const Stores& stores, const Exploration& found,
                         const CheckOptions& options, double seconds) {
  Parameters result;
  result.memory_bytes = options.limits.memory_bytes;
  result.bytes_per_state = options.search == SearchKind::walk
                               ? static_cast<double>(program.layout.words * sizeof(Word))
                               : ratio(stores.own->stats().bytes + found.graph_bytes,
                                       states_held(stores, found, options.search));
  result.successors_per_state = ratio(found.transitions, found.states);
  result.seconds_per_state = found.states == 0 ? 0.0 : seconds / static_cast<double>(found.states);
  result.sequence_states = ratio(found.sequences.states, found.sequences.count);
  result.longest_sequence_states = found.depth + 1;
  return result;
}

// What forgetful stores have counted.
void add_measurements(const Stores& stores, Verdict& verdict) {
  verdict.is_distinct = !stores.own->promise().may_repeat;
  if (stores.cache) {
    const CacheStats stats = stores.cache->cache_stats();
    verdict.cache = {
        stats.places, stats.given_up, stats.nearer, ratio(stats.looked_at, stats.given_up),
        verdict.seconds > 0.0 ? std::min(1.0, stats.replacement_seconds / verdict.seconds) : 0.0};
    verdict.recurrence = stats.recurrence.states();
  }
  if (!stores.counting) return;
  verdict.states = stores.counting->distinct_states();
  verdict.is_distinct = true;
  verdict.recurrence = stores.counting->recurrence().states();
}

// Adds what the kept graph says. Only where it is the whole graph are cycles and livelocks known.
bool add_graph(const Program& program, const Stores& stores, StateGraph& graph,
               const CheckOptions& options, const ErrorLog& errors, const SourceSet& sources,
               const Deadline& deadline, Verdict& verdict, std::string& problem) {
  verdict.graph = GraphReport{};
  verdict.graph->links = graph.links();
  verdict.graph->bytes = graph.bytes();
  const auto* store = dynamic_cast<const NumberedStore*>(stores.own.get());
  if (!store || verdict.promise != Promise::exhaustive || options.reduce_internal) return true;
  graph.finish(verdict.states);
  auto found =
      find_livelocks(program, graph, *store, errors.has_failure(), sources, problem, deadline);
  if (!found) return false;
  verdict.graph = found->graph;
  if (!found->errors.empty() && verdict.first_error_states == 0) {
    verdict.first_error_states = verdict.states;
    verdict.first_error_seconds = verdict.seconds;
  }
  for (ErrorReport& error : found->errors) {
    describe_end(program, error, options.explore.receptions, sources);
    verdict.errors.push_back(std::move(error));
  }
  std::stable_sort(
      verdict.errors.begin(), verdict.errors.end(),
      [](const ErrorReport& a, const ErrorReport& b) { return a.step_count() < b.step_count(); });
  return true;
}

// Until when trails are made: for half of the time that the search has left, since writing them
// down takes as long, and a little longer; not for long where somebody has interrupted it.
Deadline trail_deadline(const Monitor& monitor, const CheckOptions& options, Stop stop) {
  constexpr double patience_seconds = 2.0;
  const double now = monitor.seconds(), left = std::max(0.0, options.limits.seconds - now);
  double until = std::numeric_limits<double>::infinity();
  if (options.limits.seconds > 0.0) until = now + left / 2.0 + options.limits.report_seconds;
  if (stop == Stop::interrupted) until = std::min(until, now + patience_seconds);
  if (std::isinf(until)) return {};
  return Deadline([&monitor, until] { return until - monitor.seconds(); });
}

// What trails may take: half of what is left, the other half is for what is made of them; but no
// more than anybody would read.
std::uint64_t trail_room(const CheckOptions& options) {
  constexpr std::uint64_t most_bytes = 256u << 20;
  const std::uint64_t limit = options.limits.memory_bytes;
  if (!options.explore.resident) return std::min(most_bytes, limit / 8);
  if (options.explore.give_back) options.explore.give_back();
  const std::uint64_t resident = options.explore.resident();
  const std::uint64_t taken = resident - std::min(resident, options.explore.fixed_bytes);
  return std::min(most_bytes, (limit - std::min(limit, taken)) / 2);
}

}  // namespace

Promise promise_of(Stop stop, const StorePromise& store) {
  if (stop != Stop::finished) return Promise::partial;
  if (!store.may_omit) return Promise::exhaustive;
  return store.expected_omissions < 0.01 ? Promise::hashed : Promise::partial;
}

Outcome outcome_of(const Verdict& verdict) {
  if (!verdict.errors.empty()) return Outcome::violated;
  return verdict.promise == Promise::partial ? Outcome::unknown : Outcome::holds;
}

namespace {

// What was seen, and what may be said of it; errors come later.
Verdict measured(const Program& program, const Parts& parts, const Exploration& found,
                 const CheckOptions& options, double seconds, double processor_seconds) {
  Verdict verdict;
  const Stores& stores = parts.stores;
  verdict.seconds = seconds;
  verdict.processor_seconds = processor_seconds;
  verdict.stop = why_it_ended(found.stop, options.search);
  if (verdict.stop == Stop::finished && !options.folded.empty()) verdict.stop = Stop::folding;
  verdict.promise = promise_of(verdict.stop, stores.own->promise());
  if (verdict.stop == Stop::finished && verdict.promise == Promise::partial)
    verdict.stop = Stop::omission;
  verdict.states = verdict.states_analysed = found.states;
  const StorePromise store_promise = stores.own->promise();
  if (options.folded.empty() && store_promise.may_omit)
    verdict.expected_omissions = store_promise.expected_omissions;
  verdict.kept = store_promise.kept;
  verdict.needed_bytes = found.needed_bytes;
  verdict.states_waiting = found.left_over.states;
  verdict.successors_waiting = found.left_over.successors;
  verdict.dropped = parts.frontier->dropped();
  verdict.depth_limit = options.limits.depth;
  verdict.parameters = parameters_of(program, stores, found, options, verdict.processor_seconds);
  add_measurements(stores, verdict);
  verdict.transitions = found.transitions;
  verdict.depth = found.depth;
  verdict.unexpanded = found.unexpanded;
  verdict.store_bytes = found.store_bytes;
  verdict.trail_bytes = found.trail_bytes;
  verdict.frontier_bytes = found.frontier_bytes;
  verdict.first_error_seconds = found.first_error_seconds;
  verdict.first_error_states = found.first_error_states;
  return verdict;
}

}  // namespace

std::optional<Verdict> search_once(const Program& program, const SourceSet& sources,
                                   const CheckOptions& wanted, Interlude interlude,
                                   std::string& problem) {
  StateGraph graph;
  CheckOptions options = wanted;
  if (options.keep_graph) options.sink = &graph;
  Parts parts(program, options);
  Monitor monitor(options.limits, options.clock, options.observer, options.interrupted);
  const double processor_start = processor_seconds();
  ErrorLog errors(program, {.bytes = options.limits.memory_bytes / error_log_share});
  ExploreOptions explore_options = options.explore;
  explore_options.unread_messages_are_errors = options.strict;
  explore_options.selector = parts.selector();
  explore_options.sink = options.sink;
  explore_options.budget = &parts.budget;
  explore_options.interlude = std::move(interlude);
  const Exploration found = explore(parts.steppers, parts.stores.used(), *parts.frontier, monitor,
                                    errors, explore_options);
  Verdict verdict = measured(program, parts, found, options, monitor.seconds(),
                             processor_seconds() - processor_start);
  // Of what was left out a part may have been shorter.
  const bool has_all = found.deselected == 0 && parts.frontier->dropped() == 0 &&
                       !options.reduce_internal && options.folded.empty() &&
                       !parts.stores.own->promise().may_omit;
  verdict.findings_left_out = errors.left_out();
  const Deadline deadline = trail_deadline(monitor, options, found.stop);
  if (!options.keep_graph) parts.stores.forget();
  if (!make_reports(program, errors, *parts.frontier, {options.explore.receptions, options.strict},
                    sources, {deadline, trail_room(options)}, verdict, problem))
    return {};
  // Nor is anything known of ways through states that were not expanded.
  for (auto* list : {&verdict.errors, &verdict.warnings})
    for (ErrorReport& error : *list)
      error.is_shortest = error.is_shortest && has_all && error.depth <= found.unexpanded_depth;
  if (options.keep_graph && !add_graph(program, parts.stores, graph, options, errors, sources,
                                       deadline, verdict, problem))
    return {};
  verdict.outcome = outcome_of(verdict);
  verdict.dead_code = dead_code(program, found.fired);
  verdict.is_dead_code_certain = verdict.promise == Promise::exhaustive && !errors.has_failure();
  if (verdict.is_dead_code_certain) verdict.dead_in_members = dead_in_members(program, found.fired);
  return verdict;
}

}  // namespace panoptes
