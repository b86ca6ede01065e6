// SPDX-License-Identifier: Apache-2.0
#include "search/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>

#include "search/breadth.hpp"
#include "search/depth.hpp"
#include "step/interpreter.hpp"
#include "step/native.hpp"
#include "store/numbered_store.hpp"
#include "store/word_store.hpp"

namespace panoptes {
namespace {

// One stepper for each thread; machine code is compiled once.
std::vector<std::unique_ptr<Stepper>> make_steppers(const Program& program,
                                                    const CheckOptions& options) {
  const bool alone = options.order == Order::depth || options.sink;
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

std::unique_ptr<Frontier> make_frontier(const std::vector<std::unique_ptr<Stepper>>& steppers,
                                        const CheckOptions& options) {
  if (options.order == Order::depth)
    return std::make_unique<DepthFrontier>(steppers[0]->program(), options.sink);
  return std::make_unique<BreadthFrontier>(*steppers[0], static_cast<unsigned>(steppers.size()),
                                           options.sink);
}

std::unique_ptr<StateStore> make_store(std::size_t width, std::size_t threads, bool numbering) {
  if (numbering) return std::make_unique<NumberedStore>(width);
  return std::make_unique<ExactStore>(width, static_cast<unsigned>(threads));
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
  const auto store = make_store(program.layout.words, steppers.size(), options.sink != nullptr);
  const auto frontier = make_frontier(steppers, options);
  Monitor monitor(options.limits, steady_seconds, options.observer, options.interrupted);
  ErrorLog errors(program);
  ExploreOptions explore_options = options.explore;
  explore_options.unread_messages_are_errors = options.strict;
  const Exploration found = explore(steppers, *store, *frontier, monitor, errors, explore_options);

  Verdict verdict;
  verdict.seconds = monitor.seconds();
  verdict.stop = found.stop;
  verdict.promise = promise_of(found.stop, store->promise());
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
