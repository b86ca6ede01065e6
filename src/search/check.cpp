// SPDX-License-Identifier: Apache-2.0
#include "search/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>

#include "search/best_first.hpp"
#include "search/breadth.hpp"
#include "search/depth.hpp"
#include "search/livelock.hpp"
#include "search/reduce_internal.hpp"
#include "search/walk.hpp"
#include "step/interpreter.hpp"
#include "step/native.hpp"
#include "store/bit_store.hpp"
#include "store/cache_store.hpp"
#include "store/counting_store.hpp"
#include "store/folded_store.hpp"
#include "store/hash_store.hpp"
#include "store/no_store.hpp"
#include "store/numbered_store.hpp"
#include "store/path_store.hpp"
#include "store/word_store.hpp"

namespace panoptes {
namespace {

// One stepper for each thread; machine code is compiled once.
std::vector<std::unique_ptr<Stepper>> make_steppers(const Program& program,
                                                    const CheckOptions& options) {
  const bool alone = options.search != SearchKind::exhaustive || options.order != Order::breadth ||
                     options.sink || !options.folded.empty();
  const unsigned count = alone ? 1 : std::max(1u, options.threads);
  std::vector<std::unique_ptr<Stepper>> steppers;
  if (options.stepper == StepperKind::native)
    if (auto native = NativeStepper::make(program)) {
      for (unsigned i = 1; i < count; ++i) steppers.push_back(native->another());
      steppers.push_back(std::move(native));
      return steppers;
    }
  for (unsigned i = 0; i < count; ++i) steppers.push_back(std::make_unique<Interpreter>(program));
  return steppers;
}

const CostExpression* cost_of(const CheckOptions& options) {
  return options.cost ? &*options.cost : nullptr;
}

// What is left out because it need not be seen, then what is left out by choice.
SelectorSequence make_selectors(const Program& program, const CheckOptions& options) {
  SelectorSequence result;
  if (options.reduce_internal)
    result.add(make_internal_reduction(program, options.explore.receptions));
  result.add(make_selector(program, options.choice, cost_of(options)));
  return result;
}

// `cost` is for a best-first search.
std::unique_ptr<Frontier> make_frontier(const std::vector<std::unique_ptr<Stepper>>& steppers,
                                        const CheckOptions& options, const Selector* selector,
                                        const StateCost* cost) {
  if (options.search == SearchKind::walk)
    return std::make_unique<WalkFrontier>(steppers[0]->program(), options.forgetful.walks,
                                          options.forgetful.seed);
  if (options.search != SearchKind::exhaustive || options.order == Order::depth)
    return std::make_unique<DepthFrontier>(steppers[0]->program(), options.sink);
  if (options.order == Order::best_first)
    return std::make_unique<BestFirstFrontier>(steppers[0]->program(), *cost, options.sink);
  return std::make_unique<BreadthFrontier>(*steppers[0], static_cast<unsigned>(steppers.size()),
                                           options.sink, selector);
}

// Where some process is at a jump target or the start of a `do`: every cycle has such a state.
StateFilter labelled_states(const Program& program) {
  struct Labelled {
    Slot slot;
    std::vector<bool> states;
  };
  std::vector<Labelled> processes;
  for (ProcessId p = 0; p < program.control.size(); ++p) {
    processes.push_back({program.layout.control[p], {}});
    for (const ControlState& state : program.protocol.processes[p].automaton.states)
      processes.back().states.push_back(state.is_labelled);
  }
  return [processes](StateView state) {
    return std::any_of(processes.begin(), processes.end(), [&](const Labelled& process) {
      return process.states[static_cast<std::size_t>(read(process.slot, state))];
    });
  };
}

std::unique_ptr<CacheStore> make_cache(const Program& program, const CheckOptions& options,
                                       StateFilter keeps) {
  const std::size_t width = program.layout.words;
  const ForgetfulOptions& wanted = options.forgetful;
  const std::uint64_t room = options.limits.memory_bytes / 2 / CacheStore::bytes_per_state(width);
  return std::make_unique<CacheStore>(
      width, CacheStore::Options{wanted.cache_states > 0 ? wanted.cache_states : room,
                                 wanted.replacement, options.limits.depth, std::move(keeps)});
}

// The store of a search, and what it may say beside its answers.
struct Stores {
  std::unique_ptr<StateStore> own;
  CacheStore* cache = nullptr;              // `own`, where that is a cache
  std::unique_ptr<CountingStore> counting;  // around `own`

  StateStore& used() const { return counting ? *counting : *own; }
};

std::unique_ptr<StateStore> make_store(const Program& program, unsigned threads,
                                       const CheckOptions& options) {
  const std::size_t width = program.layout.words;
  if (options.sink) return std::make_unique<NumberedStore>(width);
  switch (options.store.kind) {
    case StoreKind::exact: break;
    case StoreKind::compact:
      return std::make_unique<CompactStore>(width, program.layout.bits, threads);
    case StoreKind::hash:
      return std::make_unique<HashStore>(
          width, HashStoreOptions{options.store.fingerprint_bits, options.forgetful.seed, threads});
    case StoreKind::bits:
      return std::make_unique<BitStore>(
          width, BitStoreOptions{options.limits.memory_bytes / 4 * 3, options.store.bits_per_state,
                                 options.forgetful.seed, program.layout.bits, threads});
  }
  return std::make_unique<ExactStore>(width, threads);
}

Stores make_stores(const Program& program, std::size_t threads, const CheckOptions& options) {
  const std::size_t width = program.layout.words;
  StateFilter keeps;
  if (options.forgetful.labelled_only) keeps = labelled_states(program);
  Stores stores;
  switch (options.search) {
    case SearchKind::exhaustive:
      stores.own = make_store(program, static_cast<unsigned>(threads), options);
      if (!options.folded.empty())
        stores.own = std::make_unique<FoldedStore>(std::move(stores.own), options.folded);
      return stores;
    case SearchKind::stack:
      stores.own = std::make_unique<PathStore>(width, std::move(keeps));
      break;
    case SearchKind::cache: {
      auto cache = make_cache(program, options, std::move(keeps));
      stores.cache = cache.get();
      stores.own = std::move(cache);
      break;
    }
    case SearchKind::walk: stores.own = std::make_unique<NoStore>(); break;
  }
  if (options.forgetful.count_distinct)
    stores.counting = std::make_unique<CountingStore>(*stores.own, width);
  return stores;
}

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

// A deadlock in which a process waits for something else than what it has is caused by that.
std::string cause_of(const Program& program, const ErrorReport& deadlock,
                     ReceptionPolicy receptions, const SourceSet& sources) {
  Interpreter interpreter(program);
  const StateBatch batch{program.layout.words, deadlock.trail.last};
  SuccessorBatch successors;
  std::vector<Finding> findings;
  interpreter.expand(batch, successors, findings);
  interpreter.examine(batch, successors, receptions, findings);
  std::string cause;
  for (const Finding& finding : findings)
    if (finding.kind == ErrorKind::unspecified_reception) {
      const ErrorDescription d = describe(program, finding, batch[0], sources);
      cause += fmt::format("{}{} at {} cannot receive {}", cause.empty() ? "" : "; ", d.process,
                           d.state, d.message);
    }
  return cause;
}

// Whether some step failed, which hides what lies behind it.
bool has_failures(const ErrorLog& errors) {
  return std::any_of(errors.records().begin(), errors.records().end(),
                     [](const ErrorRecord& record) { return record.finding.rule != none; });
}

// Statements none of whose rules has fired; a merged statement shares the fate of the others.
std::vector<DeadStatement> dead_code(const Program& program, const std::vector<bool>& fired) {
  std::set<StatementId> alive, seen;
  for (RuleId id = 0; id < program.rules.size(); ++id)
    if (fired[id])
      alive.insert(program.rules[id].statements.begin(), program.rules[id].statements.end());
  std::vector<DeadStatement> result;
  for (const Process& process : program.protocol.processes)
    for (const ControlState& state : process.automaton.states)
      for (const Transition& t : state.transitions)
        for (const StatementId s : t.statements) {
          if (alive.contains(s) || !seen.insert(s).second) continue;
          DeadStatement dead{s, {}};
          for (const StatementId other : t.statements)
            if (other != s) dead.merged_with.push_back(other);
          result.push_back(std::move(dead));
        }
  return result;
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

}  // namespace

std::uint64_t default_depth_limit(const Program& program) {
  std::uint64_t states = 0;
  for (const Process& process : program.protocol.processes)
    states += process.automaton.states.size();
  return 10 * states;
}

std::optional<Verdict> check(const Program& program, const SourceSet& sources,
                             const CheckOptions& wanted, std::string& problem) {
  StateGraph graph;
  CheckOptions options = wanted;
  if (options.keep_graph) options.sink = &graph;
  const auto steppers = make_steppers(program, options);
  const Stores stores = make_stores(program, steppers.size(), options);
  const SelectorSequence selectors = make_selectors(program, options);
  const Selector* selector = selectors.empty() ? nullptr : &selectors;
  const auto cost = make_cost(program, options.guide, cost_of(options));
  const auto frontier = make_frontier(steppers, options, selector, cost.get());
  Monitor monitor(options.limits, steady_seconds, options.observer, options.interrupted);
  ErrorLog errors(program);
  ExploreOptions explore_options = options.explore;
  explore_options.unread_messages_are_errors = options.strict;
  explore_options.selector = selector;
  explore_options.sink = options.sink;
  const Exploration found =
      explore(steppers, stores.used(), *frontier, monitor, errors, explore_options);

  Verdict verdict;
  verdict.seconds = monitor.seconds();
  verdict.stop = why_it_ended(found.stop, options.search);
  if (verdict.stop == Stop::finished && !options.folded.empty()) verdict.stop = Stop::folding;
  verdict.promise = promise_of(verdict.stop, stores.own->promise());
  verdict.states = verdict.states_analysed = found.states;
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
  for (const ErrorRecord& record : errors.sorted()) {
    auto made = report(program, record, *frontier, options, sources, problem);
    if (!made) return {};
    // Of what was left out a part may have been shorter.
    made->is_shortest = made->is_shortest && found.dropped == 0 && !options.reduce_internal &&
                        options.folded.empty();
    (made->is_warning ? verdict.warnings : verdict.errors).push_back(std::move(*made));
  }
  if (options.keep_graph &&
      !add_graph(program, stores, graph, options, errors, sources, verdict, problem))
    return {};
  verdict.outcome = !verdict.errors.empty()               ? Outcome::violated
                    : verdict.promise == Promise::partial ? Outcome::unknown
                                                          : Outcome::holds;
  verdict.dead_code = dead_code(program, found.fired);
  verdict.is_dead_code_certain = verdict.promise == Promise::exhaustive && !has_failures(errors);
  return verdict;
}

}  // namespace panoptes
