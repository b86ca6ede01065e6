// SPDX-License-Identifier: Apache-2.0
#include "search/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>

#include "search/livelock.hpp"
#include "search/parts.hpp"
#include "search/state_graph.hpp"
#include "step/interpreter.hpp"
#include "store/numbered_store.hpp"
#include "verdict/judge.hpp"

namespace panoptes {
namespace {

// Walks end when all were made, or at their depth bound; neither tells anything about the rest.
Stop why_it_ended(Stop stop, SearchKind search) {
  const bool is_over = stop == Stop::finished || stop == Stop::depth;
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

// What may be said of a search that ended so, on a store that may be wrong so.
Promise promise_of(Stop stop, const StorePromise& store) {
  if (stop != Stop::finished) return Promise::partial;
  if (!store.may_omit) return Promise::exhaustive;
  return store.expected_omissions < 0.01 ? Promise::hashed : Promise::partial;
}

// Whether some step failed, which hides what lies behind it.
bool has_failures(const ErrorLog& errors) {
  return std::any_of(errors.records().begin(), errors.records().end(),
                     [](const ErrorRecord& record) { return record.finding.rule != none; });
}

// Makes the report of one group: its trail, replayed.
std::optional<ErrorReport> report(const Program& program, const ErrorRecord& record,
                                  Frontier& frontier, const CheckOptions& options,
                                  const SourceSet& sources, std::string& problem) {
  ErrorReport result;
  result.description = describe(program, record.finding, record.state, sources);
  result.finding = record.finding;
  result.count = record.count;
  result.depth = record.depth;
  result.key = record.key;
  result.is_shortest = frontier.is_shortest();
  result.is_warning = record.key.kind == ErrorKind::unread_messages && !options.strict;
  auto trail = replay(program, frontier.path(record.marked), record.finding, record.key,
                      options.explore.receptions, problem);
  if (!trail) return {};
  result.trail = std::move(*trail);
  if (record.key.kind == ErrorKind::deadlock)
    result.cause = cause_of(program, result, options.explore.receptions, sources);
  return result;
}

// Adds what the kept graph says. Only where it is the whole graph are cycles and livelocks known.
bool add_graph(const Program& program, const Stores& stores, StateGraph& graph,
               const CheckOptions& options, const ErrorLog& errors, const SourceSet& sources,
               Verdict& verdict, std::string& problem) {
  verdict.graph = GraphReport{};
  verdict.graph->links = graph.links();
  verdict.graph->bytes = graph.bytes();
  const auto* store = dynamic_cast<const NumberedStore*>(stores.own.get());
  if (!store || verdict.promise != Promise::exhaustive || options.reduce_internal) return true;
  graph.finish(verdict.states);
  auto found = find_livelocks(program, graph, *store, has_failures(errors), sources, problem);
  if (!found) return false;
  verdict.graph = found->graph;
  if (!found->errors.empty() && verdict.first_error_states == 0) {
    verdict.first_error_states = verdict.states;
    verdict.first_error_seconds = verdict.seconds;
  }
  for (ErrorReport& error : found->errors) {
    error.cause = cause_of(program, error, options.explore.receptions, sources);
    verdict.errors.push_back(std::move(error));
  }
  std::stable_sort(verdict.errors.begin(), verdict.errors.end(),
                   [](const ErrorReport& a, const ErrorReport& b) {
                     return a.trail.steps.size() < b.trail.steps.size();
                   });
  return true;
}

// What a store that may be wrong has probably missed.
std::optional<Coverage> coverage_of(const StorePromise& promise, std::uint64_t states) {
  if (!promise.may_omit) return {};
  return Coverage{promise.expected_omissions, expected_coverage(promise, states)};
}

Outcome outcome_of(const Verdict& verdict) {
  if (!verdict.errors.empty()) return Outcome::violated;
  return verdict.promise == Promise::partial ? Outcome::unknown : Outcome::holds;
}

// One search, judged.
std::optional<Verdict> search_once(const Program& program, const SourceSet& sources,
                                   const CheckOptions& wanted, Interlude interlude,
                                   std::string& problem) {
  StateGraph graph;
  CheckOptions options = wanted;
  if (options.keep_graph) options.sink = &graph;
  Parts parts(program, options);
  Monitor monitor(options.limits, options.clock, options.observer, options.interrupted);
  ErrorLog errors(program);
  ExploreOptions explore_options = options.explore;
  explore_options.unread_messages_are_errors = options.strict;
  explore_options.selector = parts.selector();
  explore_options.sink = options.sink;
  explore_options.budget = &parts.budget;
  explore_options.interlude = std::move(interlude);
  const Stores& stores = parts.stores;
  const Exploration found =
      explore(parts.steppers, stores.used(), *parts.frontier, monitor, errors, explore_options);

  Verdict verdict;
  verdict.seconds = monitor.seconds();
  verdict.stop = why_it_ended(found.stop, options.search);
  if (verdict.stop == Stop::finished && !options.folded.empty()) verdict.stop = Stop::folding;
  verdict.promise = promise_of(verdict.stop, stores.own->promise());
  if (verdict.stop == Stop::finished && verdict.promise == Promise::partial)
    verdict.stop = Stop::omission;
  verdict.states = verdict.states_analysed = found.states;
  if (options.folded.empty()) verdict.coverage = coverage_of(stores.own->promise(), found.states);
  verdict.depth_limit = options.limits.depth;
  verdict.parameters = parameters_of(program, stores, found, options, verdict.seconds);
  add_measurements(stores, verdict);
  verdict.transitions = found.transitions;
  verdict.depth = found.depth;
  verdict.store_bytes = found.store_bytes;
  verdict.trail_bytes = found.trail_bytes;
  verdict.frontier_bytes = found.frontier_bytes;
  verdict.first_error_seconds = found.first_error_seconds;
  verdict.first_error_states = found.first_error_states;
  // Of what was left out a part may have been shorter.
  const bool has_all = found.dropped == 0 && parts.frontier->dropped() == 0 &&
                       !options.reduce_internal && options.folded.empty() &&
                       !stores.own->promise().may_omit;
  for (const ErrorRecord& record : errors.sorted()) {
    auto made = report(program, record, *parts.frontier, options, sources, problem);
    if (!made) return {};
    made->is_shortest = made->is_shortest && has_all;
    (made->is_warning ? verdict.warnings : verdict.errors).push_back(std::move(*made));
  }
  if (options.keep_graph &&
      !add_graph(program, stores, graph, options, errors, sources, verdict, problem))
    return {};
  verdict.outcome = outcome_of(verdict);
  verdict.dead_code = dead_code(program, found.fired);
  verdict.is_dead_code_certain = verdict.promise == Promise::exhaustive && !has_failures(errors);
  return verdict;
}

// Adds errors found by another search; of two trails for the same one the shorter stays.
void merge_errors(std::vector<ErrorReport>& all, std::vector<ErrorReport>&& more) {
  for (ErrorReport& error : more) {
    const auto known = std::find_if(all.begin(), all.end(), [&](const ErrorReport& other) {
      return !(other.key < error.key) && !(error.key < other.key);
    });
    if (known == all.end())
      all.push_back(std::move(error));
    else if (error.trail.steps.size() < known->trail.steps.size())
      *known = std::move(error);
  }
  std::stable_sort(all.begin(), all.end(), [](const ErrorReport& a, const ErrorReport& b) {
    return a.trail.steps.size() < b.trail.steps.size();
  });
}

// Several searches with other hashes: what one has missed another may see. Each misses its share of
// the states by chance, independently of the others.
void merge_runs(Verdict& all, Verdict&& more) {
  merge_errors(all.errors, std::move(more.errors));
  merge_errors(all.warnings, std::move(more.warnings));
  const Coverage one = all.coverage.value_or(Coverage{}),
                 other = more.coverage.value_or(Coverage{});
  const double share = 1.0 - (1.0 - one.share) * (1.0 - other.share);
  const double reachable = std::max(static_cast<double>(all.states) / one.share,
                                    static_cast<double>(more.states) / other.share);
  all.coverage = Coverage{reachable * (1.0 - share), share};
  std::erase_if(all.dead_code, [&](const DeadStatement& dead) {
    return std::none_of(
        more.dead_code.begin(), more.dead_code.end(),
        [&](const DeadStatement& also) { return also.statement == dead.statement; });
  });
  if (all.first_error_states == 0 && more.first_error_states > 0) {
    all.first_error_states = all.states_analysed + more.first_error_states;
    all.first_error_seconds = all.seconds + more.first_error_seconds;
  }
  all.states = std::max(all.states, more.states);
  all.transitions = std::max(all.transitions, more.transitions);
  all.states_analysed += more.states_analysed;
  all.depth = std::max(all.depth, more.depth);
  all.store_bytes = std::max(all.store_bytes, more.store_bytes);
  all.trail_bytes = std::max(all.trail_bytes, more.trail_bytes);
  all.frontier_bytes = std::max(all.frontier_bytes, more.frontier_bytes);
  all.seconds += more.seconds;
  all.outcome = outcome_of(all);
}

// Searches with bits or fingerprints, one for each seed; the time limit is that of all together.
std::optional<Verdict> search_often(const Program& program, const SourceSet& sources,
                                    CheckOptions options, std::string& problem) {
  const double time_limit = options.limits.seconds;
  auto all = search_once(program, sources, options, {}, problem);
  for (std::uint64_t run = 1; all && run < options.store.runs && all->coverage; ++run) {
    if (options.interrupted && options.interrupted->load()) break;
    if (options.explore.first_error_only && !all->errors.empty()) break;
    if (time_limit > 0.0) {
      options.limits.seconds = time_limit - all->seconds;
      if (options.limits.seconds <= 0.0) break;
    }
    ++options.forgetful.seed;
    auto more = search_once(program, sources, options, {}, problem);
    if (!more) return {};
    merge_runs(*all, std::move(*more));
    all->runs = run + 1;
  }
  return all;
}

// Scatter searches between the turns of an exhaustive one, from the most restrictive setting to
// wider ones: they find in no time what an exhaustive search may take long to come to.
class Scatter {
 public:
  Scatter(const Program& program, const SourceSet& sources, const CheckOptions& options)
      : program_(program), sources_(sources), options_(options) {
    options_.search = SearchKind::exhaustive;
    options_.order = Order::best_first;
    options_.guide = Preference::scatter;
    options_.store = {};
    options_.keep_graph = false;
    options_.observer = {};
    options_.limits.memory_bytes /= memory_share;
  }
  static constexpr std::uint64_t memory_share = 8;

  // Called by the exhaustive search, with the seconds it has taken so far, turns included. False
  // when it need not go on.
  bool turn(double seconds) {
    if (seconds < next_ || setting_ == settings().size()) return true;
    const double start = options_.clock();
    const double time = time_limit_ > 0.0 ? std::min(turn_, time_limit_ - seconds) : turn_;
    double left = time;
    // What the exhaustive search has is not this one's.
    if (options_.explore.resident) options_.explore.fixed_bytes = options_.explore.resident();
    while (left > 0.0 && setting_ < settings().size()) {
      options_.choice = settings()[setting_];
      options_.limits.seconds = left;
      auto verdict = search_once(program_, sources_, options_, {}, problem_);
      if (!verdict) {
        setting_ = settings().size();  // the exhaustive search finds out itself
        break;
      }
      add(std::move(*verdict), seconds);
      left = time - (options_.clock() - start);
      if (verdict->stop != Stop::time) ++setting_;
    }
    next_ = seconds + (options_.clock() - start) + 2.0 * turn_;
    turn_ *= 2.0;
    return !(options_.explore.first_error_only && !errors_.empty());
  }

  void add_to(Verdict& verdict) {
    if (errors_.empty()) return;
    if (verdict.first_error_states == 0 || first_seconds_ < verdict.first_error_seconds) {
      verdict.first_error_seconds = first_seconds_;
      verdict.first_error_states = first_states_;
    }
    merge_errors(verdict.errors, std::move(errors_));
    verdict.outcome = outcome_of(verdict);
  }

 private:
  // One successor in all, one of each process, two, and all of them in the order of their cost.
  static const std::vector<Choice>& settings() {
    static const std::vector<Choice> all = [] {
      std::vector<Choice> choices(4);
      for (Choice& choice : choices) choice.preference = Preference::scatter;
      choices[0].keep = 1;
      choices[1].keep = 1;
      choices[1].per_process = true;
      choices[2].keep = 2;
      return choices;
    }();
    return all;
  }

  void add(Verdict&& found, double seconds) {
    if (errors_.empty() && !found.errors.empty()) {
      first_seconds_ = seconds + found.first_error_seconds;
      first_states_ = found.first_error_states;
    }
    for (const ErrorReport& error : found.errors)
      if (announced_.insert(error.key).second && options_.announce) options_.announce(error);
    merge_errors(errors_, std::move(found.errors));
  }

  const Program& program_;
  const SourceSet& sources_;
  CheckOptions options_;
  double time_limit_ = options_.limits.seconds;
  std::size_t setting_ = 0;
  double turn_ = 1.0, next_ = 1.0;
  std::vector<ErrorReport> errors_;
  std::set<ErrorKey> announced_;
  double first_seconds_ = 0.0;
  std::uint64_t first_states_ = 0;
  std::string problem_;
};

// Exhaustive, which is all there is to it for small protocols, with scatter searches in between.
std::optional<Verdict> search_by_turns(const Program& program, const SourceSet& sources,
                                       CheckOptions options, std::string& problem) {
  options.search = SearchKind::exhaustive;
  Scatter scatter(program, sources, options);
  options.limits.memory_bytes -= options.limits.memory_bytes / Scatter::memory_share;
  auto verdict = search_once(
      program, sources, options, [&](double seconds) { return scatter.turn(seconds); }, problem);
  if (verdict) scatter.add_to(*verdict);
  return verdict;
}

}  // namespace

std::uint64_t default_depth_limit(const Program& program) {
  std::uint64_t states = 0;
  for (const Process& process : program.protocol.processes)
    states += process.automaton.states.size();
  return 10 * states;
}

std::optional<Verdict> check(const Program& program, const SourceSet& sources,
                             const CheckOptions& options, std::string& problem) {
  if (options.search == SearchKind::automatic)
    return search_by_turns(program, sources, options, problem);
  return search_often(program, sources, options, problem);
}

}  // namespace panoptes
