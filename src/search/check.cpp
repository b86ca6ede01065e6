// SPDX-License-Identifier: Apache-2.0
#include "search/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>

#include "search/best_first.hpp"
#include "search/breadth.hpp"
#include "search/depth.hpp"
#include "search/reduce_internal.hpp"
#include "step/interpreter.hpp"
#include "step/native.hpp"
#include "store/exact_store.hpp"
#include "store/folded_store.hpp"
#include "store/numbered_store.hpp"

namespace panoptes {
namespace {

// One stepper for each thread; machine code is compiled once.
std::vector<std::unique_ptr<Stepper>> make_steppers(const Program& program,
                                                    const CheckOptions& options) {
  const bool alone = options.order != Order::breadth || options.sink || !options.folded.empty();
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
  if (options.order == Order::depth)
    return std::make_unique<DepthFrontier>(steppers[0]->program(), options.sink);
  if (options.order == Order::best_first)
    return std::make_unique<BestFirstFrontier>(steppers[0]->program(), *cost, options.sink);
  return std::make_unique<BreadthFrontier>(*steppers[0], static_cast<unsigned>(steppers.size()),
                                           options.sink, selector);
}

std::unique_ptr<StateStore> make_store(std::size_t width, std::size_t threads,
                                       const CheckOptions& options) {
  std::unique_ptr<StateStore> store;
  if (options.sink)
    store = std::make_unique<NumberedStore>(width);
  else
    store = std::make_unique<ExactStore>(width, static_cast<unsigned>(threads));
  if (options.folded.empty()) return store;
  return std::make_unique<FoldedStore>(std::move(store), options.folded);
}

// What may be said of a search that ended so, on a store that may be wrong so.
Promise promise_of(Stop stop, const StorePromise& store) {
  if (stop != Stop::finished || store.may_omit) return Promise::partial;
  return Promise::exhaustive;
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

}  // namespace

std::optional<Verdict> check(const Program& program, const SourceSet& sources,
                             const CheckOptions& options, std::string& problem) {
  const auto steppers = make_steppers(program, options);
  const auto store = make_store(program.layout.words, steppers.size(), options);
  const SelectorSequence selectors = make_selectors(program, options);
  const Selector* selector = selectors.empty() ? nullptr : &selectors;
  const auto cost = make_cost(program, options.guide, cost_of(options));
  const auto frontier = make_frontier(steppers, options, selector, cost.get());
  Monitor monitor(options.limits, steady_seconds, options.observer, options.interrupted);
  ErrorLog errors(program);
  ExploreOptions explore_options = options.explore;
  explore_options.unread_messages_are_errors = options.strict;
  explore_options.selector = selector;
  const Exploration found = explore(steppers, *store, *frontier, monitor, errors, explore_options);

  Verdict verdict;
  verdict.seconds = monitor.seconds();
  verdict.stop = found.stop;
  if (found.stop == Stop::finished && !options.folded.empty()) verdict.stop = Stop::folding;
  verdict.promise = promise_of(verdict.stop, store->promise());
  verdict.states = found.states;
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
  verdict.outcome = !verdict.errors.empty()               ? Outcome::violated
                    : verdict.promise == Promise::partial ? Outcome::unknown
                                                          : Outcome::holds;
  verdict.dead_code = dead_code(program, found.fired);
  verdict.is_dead_code_certain =
      verdict.promise == Promise::exhaustive &&
      std::none_of(errors.records().begin(), errors.records().end(),
                   [](const ErrorRecord& record) { return record.finding.rule != none; });
  return verdict;
}

}  // namespace panoptes
