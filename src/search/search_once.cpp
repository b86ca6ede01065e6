// SPDX-License-Identifier: Apache-2.0
#include "search/search_once.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <future>
#include <limits>
#include <system_error>

#include "protocol/quiet_moments.hpp"
#include "rules/dead_values.hpp"
#include "rules/owners.hpp"
#include "search/livelock.hpp"
#include "search/parts.hpp"
#include "search/reduce_internal.hpp"
#include "search/state_graph.hpp"
#include "search/stuck_processes.hpp"
#include "search/temporal.hpp"
#include "verdict/judge.hpp"

namespace panoptes {
namespace {

constexpr std::uint64_t error_log_share = 32;  // of the memory, and as much again for a moment

double ratio(std::uint64_t a, std::uint64_t b) {
  return b == 0 ? 0.0 : static_cast<double>(a) / static_cast<double>(b);
}

// The states a store held at its peak.
std::uint64_t states_held(const Stores& stores, const Exploration& found,
                          const CheckOptions& options) {
  if (stores.cache) return stores.cache->cache_stats().states;
  return std::holds_alternative<StackSearch>(options.search) ? found.depth + 1 : found.states;
}

bool walks(const CheckOptions& options) {
  return std::holds_alternative<RandomWalks>(options.search);
}

Parameters parameters_of(const Program& program, const Stores& stores, const Exploration& found,
                         const CheckOptions& options, double seconds) {
  Parameters result;
  result.memory_bytes = options.limits.memory_bytes;
  result.bytes_per_state = walks(options) ? static_cast<double>(program.layout.words * sizeof(Word))
                                          : ratio(stores.own->stats().bytes + found.graph_bytes,
                                                  states_held(stores, found, options));
  result.successors_per_state = ratio(found.transitions, found.states);
  result.seconds_per_state = found.states == 0 ? 0.0 : seconds / static_cast<double>(found.states);
  result.sequence_states = ratio(found.sequences.states, found.sequences.count);
  result.longest_sequence_states = found.depth + 1;
  return result;
}

// What forgetful stores have counted.
void add_measurements(const Stores& stores, Measured& measured) {
  measured.is_distinct = !stores.own->promise().may_repeat;
  if (stores.cache) {
    const CacheStats stats = stores.cache->cache_stats();
    measured.cache = {
        stats.places, stats.given_up, stats.nearer, ratio(stats.looked_at, stats.given_up),
        measured.seconds > 0.0 ? std::min(1.0, stats.replacement_seconds / measured.seconds) : 0.0};
    measured.recurrence = stats.recurrence.states();
  }
  if (!stores.counting) return;
  measured.states = stores.counting->distinct_states();
  measured.is_distinct = true;
  measured.recurrence = stores.counting->recurrence().states();
}

// For a share of the time that the search has left, less what is kept for later, and a little
// longer; not for long where somebody has interrupted it.
Deadline deadline_after(const Monitor& monitor, const CheckOptions& options, Stop stop,
                        double share, double kept_seconds) {
  constexpr double patience_seconds = 2.0;
  const Limits& limits = options.limits;
  const double now = monitor.seconds(), last = limits.seconds + limits.report_seconds;
  const double left = std::max(0.0, limits.seconds - now - kept_seconds);
  double until = std::numeric_limits<double>::infinity();
  if (limits.seconds > 0.0)
    until = std::min(now + share * left + limits.report_seconds, std::max(now, last));
  if (stop == Stop::interrupted) until = std::min(until, now + patience_seconds);
  if (std::isinf(until)) return {};
  return Deadline([&monitor, until] { return until - monitor.seconds(); });
}

// Until when trails are made: writing them down takes as long.
Deadline trail_deadline(const Monitor& monitor, const CheckOptions& options, Stop stop) {
  return deadline_after(monitor, options, stop, 0.5, 0.0);
}

// Until when runs are looked at, where making trails took so long: there are few more to write down
// then.
Deadline look_deadline(const Monitor& monitor, const CheckOptions& options, Stop stop,
                       double trail_seconds) {
  return deadline_after(monitor, options, stop, 0.8, trail_seconds);
}

// The same, and over at once where somebody interrupts it meanwhile.
Deadline patient_deadline(const Deadline& deadline, const std::atomic<bool>* interrupted) {
  return Deadline([&deadline] { return deadline.seconds_left(); }, interrupted);
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

// What a look at all runs may take.
std::uint64_t graph_room(const CheckOptions& options) {
  const std::uint64_t limit = options.limits.memory_bytes;
  if (!options.explore.resident) return limit / 2;
  const std::uint64_t resident = options.explore.resident();
  const std::uint64_t taken = resident - std::min(resident, options.explore.fixed_bytes);
  return limit - std::min(limit, taken);
}

Measured measured_by(const Program& program, const Stores& stores, const Exploration& found,
                     const CheckOptions& options, double seconds, double processor_seconds) {
  Measured result;
  result.seconds = seconds;
  result.processor_seconds = processor_seconds;
  result.states = result.states_analysed = found.states;
  result.needed_bytes = found.needed_bytes;
  result.states_waiting = found.left_over.states;
  result.successors_waiting = found.left_over.successors;
  result.depth_limit = options.limits.depth;
  result.parameters = parameters_of(program, stores, found, options, processor_seconds);
  add_measurements(stores, result);
  result.transitions = found.transitions;
  result.depth = found.depth;
  result.store_bytes = found.store_bytes;
  result.trail_bytes = found.trail_bytes;
  result.frontier_bytes = found.frontier_bytes;
  result.first_error_seconds = found.first_error_seconds;
  result.first_error_states = found.first_error_states;
  return result;
}

// Where successors are left out by choice, nobody tells these from those.
bool are_left_out_by_choice(const Ending& ending) { return ending.deselected > 0; }

// What is chosen from state to state is of use where it has left something out.
void note_used(Reductions& used, const Reductions& chosen, const Ending& ending) {
  if (ending.left_out == 0 && !are_left_out_by_choice(ending)) return;
  used.order = chosen.order;
  used.internal = !used.order && (used.internal || chosen.internal);
}

ReductionReport report_of(const Reductions& used, const CheckOptions& options,
                          const Ending& ending) {
  ReductionReport report{used.names(), options.unreduced, {}, {}, used.leaves_out_steps()};
  if (used.leaves_out_steps() && !are_left_out_by_choice(ending))
    report.steps_left_out = ending.left_out;
  return report;
}

Ending ending_by(const Exploration& found, const CheckOptions& options) {
  Ending ending = found.ending;
  ending.is_sample = walks(options);
  ending.is_folded = !options.folded.empty();
  return ending;
}

// What one arrangement of members does or has, all of them do.
void spread(const Symmetry& symmetry, Evidence& evidence, ErrorLog& errors) {
  for (auto* rules : {&evidence.fired, &evidence.passed}) {
    for (RuleId id = 0; id < rules->size(); ++id)
      if ((*rules)[id]) (*rules)[symmetry.same_rule[id]] = true;
    for (RuleId id = 0; id < rules->size(); ++id)
      if ((*rules)[symmetry.same_rule[id]]) (*rules)[id] = true;
  }
  errors.spread(symmetry);
  evidence.measured.reductions.symmetry = symmetry_text(symmetry);
}

// Only where it is the whole graph are cycles, livelocks and stuck processes known.
std::optional<Livelocks> livelocks_in(const Program& program, const Stores& stores,
                                      const StateGraph& graph, bool is_whole,
                                      const ErrorLog& errors, const Court& court,
                                      const Deadline& deadline, std::string& problem) {
  if (!is_whole || !stores.numbered) {
    Livelocks none_known;
    none_known.graph.links = graph.links();
    none_known.graph.bytes = graph.bytes();
    return none_known;
  }
  auto found = find_livelocks(program, graph, *stores.numbered, errors.has_failure(), court.sources,
                              problem, deadline);
  if (!found || !found->graph.is_complete) return found;
  if (!add_stuck_processes(program, graph, *stores.numbered, errors, court.strictness.receptions,
                           *found, problem, deadline))
    return {};
  return found;
}

// Nothing where nobody asks for it, or where it is no business of this search.
bool has_runs_to_follow(const Program& program, const CheckOptions& options) {
  const ExhaustiveSearch* const search = exhaustive_search(options);
  return search && search->follows_runs && !program.protocol.temporal.empty() &&
         !program.errors.is_question && !options.reduce.any() && options.folded.empty() &&
         !options.ranks && !options.checkpoints;
}

// What something comes to, found out by another thread where there is one to be had.
template <typename Find>
class Beside {
 public:
  Beside(bool has_thread, Find find) : find_(std::move(find)) {
    if (!has_thread) return;
    try {
      later_ = std::async(std::launch::async, find_);
    } catch (const std::system_error&) {
      // The machine gives no more threads: then it is found out when somebody asks.
    }
  }
  auto result() { return later_.valid() ? later_.get() : find_(); }

 private:
  Find find_;
  std::future<std::invoke_result_t<Find>> later_;
};

// Why nothing is known of runs, where the graph was kept; "" where all of it is there that is
// needed. What happens inside of a sequence that need not end is no run's.
std::string why_unknown(const Program& program, const Reductions& reduce, const Verdict& verdict,
                        bool is_complete, const ErrorLog& errors) {
  if (!is_complete && verdict.stop == Stop::finished) return "steps were left out";
  if (!is_complete) return fmt::format("the graph is not complete ({})", to_string(verdict.stop));
  if (!reduce.keeps_runs()) return "steps were left out (--reduce)";
  if (const std::string reason = why_orders_matter(program.protocol);
      reduce.order && !reason.empty())
    return fmt::format("steps were left out (--reduce order), and {}", reason);
  for (const ErrorRecord& record : errors.records())
    if (record.key.kind == ErrorKind::endless_atomic)
      return "there is an indivisible sequence that need not end";
  return {};
}

// Only of the whole graph can be told what all runs do.
std::optional<Violations> violations_in(const Program& program, const KeptGraph& kept,
                                        const std::string& reason, const SourceSet& sources,
                                        const Deadline& deadline, std::string& problem) {
  if (reason.empty()) return find_violations(program, kept, sources, problem, deadline);
  Violations none_known;
  for (const TemporalProperty& property : program.protocol.temporal)
    none_known.properties.push_back({property.name, property.text, Outcome::unknown, reason});
  return none_known;
}

std::optional<Violations> violations_on_the_fly(const Program& program, Stepper& stepper,
                                                const SourceSet& sources,
                                                const CheckOptions& options, const Monitor& monitor,
                                                std::string& problem) {
  const Deadline deadline = trail_deadline(monitor, options, Stop::finished);
  return follow_runs(program, stepper, {graph_room(options), options.limits.depth}, sources,
                     problem, patient_deadline(deadline, options.interrupted));
}

// A search that has kept its graph.
struct GraphSearch {
  StateGraph& graph;
  const Stores& stores;
  const ErrorLog& errors;
  const CheckOptions& options;
  const Deadline& deadline;
};

// Adds to the verdict what the graph says: livelocks, and meanwhile, where there are threads,
// properties. False where something does not replay.
bool judge_graph(const Court& court, const GraphSearch& search, Verdict& verdict,
                 std::string& problem) {
  const CheckOptions& options = search.options;
  const bool is_complete =
      verdict.promise == Promise::exhaustive && search.stores.numbered != nullptr;
  if (is_complete) search.graph.finish(search.stores.numbered->stats().states);
  const bool has_properties = !verdict.properties.empty();
  const bool looks_for_livelocks = kept_as<WholeGraph>(options)->looks_for_livelocks;
  std::string livelock_problem;
  Beside livelocks(options.threads > 1 && has_properties, [&]() -> std::optional<Livelocks> {
    if (!looks_for_livelocks) return Livelocks{};
    return livelocks_in(court.program, search.stores, search.graph,
                        is_complete && !options.reduce.any(), search.errors, court, search.deadline,
                        livelock_problem);
  });
  std::optional<Violations> violations;
  if (has_properties) {
    const KeptGraph kept{search.graph,
                         *search.stores.numbered,
                         search.errors.has_failure(),
                         verdict.reductions.leaves_out_steps,
                         graph_room(options),
                         options.threads};
    const std::string reason =
        why_unknown(court.program, options.reduce, verdict, is_complete, search.errors);
    violations = violations_in(court.program, kept, reason, court.sources,
                               patient_deadline(search.deadline, options.interrupted), problem);
    if (!violations) return false;
  }
  auto found = livelocks.result();
  if (!found) problem = livelock_problem;
  if (!found) return false;
  if (looks_for_livelocks) add_livelocks(court, std::move(*found), verdict);
  if (violations) add_violations(std::move(*violations), verdict);
  return true;
}

// An arena is as large as it was in the search to go on with: what it takes for known depends on
// that.
CheckOptions with_saved_arena(CheckOptions options) {
  auto* const search = std::get_if<ExhaustiveSearch>(&options.search);
  auto* const arena = search ? std::get_if<BitArena>(&search->storage) : nullptr;
  if (arena && options.checkpoints && options.checkpoints->is_resumed())
    arena->bytes = saved_store_bytes(options.checkpoints->folder());
  return options;
}

// Progress of all ranks in place of this one's.
Monitor::Observer observer_of_all(Ranks& ranks, const Monitor::Observer& observer) {
  return [&ranks, observer](const Progress& own) {
    const Progress all = ranks.together(own);
    if (observer) observer(all);
  };
}

// Whatever becomes of the verdict, the other ranks do not wait any longer.
struct Dismissal {
  Ranks* ranks;
  ~Dismissal() {
    if (ranks) ranks->dismiss();
  }
};

std::optional<Program> without_dead_values(const Program& program, const CheckOptions& options) {
  std::vector<VariableId> watched;
  if (options.cost)
    for_each_variable_read(options.cost->pool, options.cost->root, [&](VariableId v) {
      if (v != CostExpression::depth) watched.push_back(v);
    });
  return with_dead_values_reset(program, watched);
}

// What is searched in place of the program, where that is another one: with the same rules, some of
// which do a little more.
std::optional<Program> reduced_program(const Program& program, const CheckOptions& options,
                                       Reductions& used) {
  std::optional<Program> result;
  if (options.reduce.values) result = without_dead_values(program, options);
  used.values = result.has_value();
  // Steps that lead to private states are such as orders are reduced for, too.
  if (!options.reduce.internal && !options.reduce.order) return result;
  // Temporal properties may see what is inside of such a step.
  if (kept_as<WholeGraph>(options) && !options.reduce.internal) return result;
  const Symmetry* const symmetry = options.reduce.symmetry ? options.symmetry.get() : nullptr;
  auto joined =
      with_internal_steps_joined(result ? *result : program, options.explore.receptions, symmetry);
  used.internal = joined.has_value();
  return joined ? std::move(joined) : std::move(result);
}

ExploreOptions loop_options(const CheckOptions& options, Parts& parts, GraphSink* sink,
                            SearchSetting&& setting) {
  ExploreOptions result{options.explore};
  result.unread_messages_are_errors = options.strict;
  result.selector = parts.selector();
  result.by_level = parts.by_level;
  result.sink = sink;
  result.budget = &parts.budget;
  result.sample = setting.sample;
  result.checkpoints = options.checkpoints;
  result.interlude = std::move(setting.interlude);
  result.wanted = setting.wanted;
  return result;
}

}  // namespace

std::optional<Verdict> search_once(const Program& program, const SourceSet& sources,
                                   const CheckOptions& given, SearchSetting setting,
                                   std::string& problem) {
  const CheckOptions options = with_saved_arena(given);
  Reductions used;  // those that have something to do
  const std::optional<Program> reduced = reduced_program(program, options, used);
  const Program& searched = reduced ? *reduced : program;
  StateGraph graph(options.threads);
  const bool keeps_graph = kept_as<WholeGraph>(options) != nullptr;
  GraphSink* const sink = keeps_graph ? &graph : nullptr;
  Parts parts(searched, options, sink);
  used.symmetry = parts.stores.arranged != nullptr;
  Ranks* const ranks = options.ranks;
  Monitor monitor(options.limits, options.clock,
                  ranks ? observer_of_all(*ranks, options.observer) : options.observer,
                  options.interrupted);
  if (ranks) ranks->watch(monitor);
  const double processor_start = processor_seconds();
  std::optional<Violations> violations;
  if (has_runs_to_follow(program, options)) {
    violations =
        violations_on_the_fly(program, *parts.steppers[0], sources, options, monitor, problem);
    if (!violations) return {};
    // Who wants one error has it.
    if (options.explore.first_error_only && !violations->errors.empty())
      setting.interlude = [](double) { return false; };
  }
  ErrorLog errors(program, {.bytes = options.limits.memory_bytes / error_log_share});
  const Exploration found = explore(parts.steppers, parts.stores.used(), *parts.frontier, monitor,
                                    errors, loop_options(options, parts, sink, std::move(setting)));
  const double seconds = monitor.seconds();
  Measured measured =
      measured_by(program, parts.stores, found, options, seconds + found.earlier_seconds,
                  processor_seconds() - processor_start + found.earlier_processor_seconds);
  measured.samples = monitor.samples();
  Evidence evidence{std::move(measured), ending_by(found, options), parts.stores.own->promise(),
                    found.fired, found.passed};
  if (ranks && !ranks->gather(evidence, errors)) return Verdict{};
  const Dismissal dismissal{ranks};
  note_used(used, parts.used, evidence.ending);
  evidence.ending.is_reduced = used.leaves_out_steps();
  evidence.measured.reductions = report_of(used, options, evidence.ending);
  if (used.symmetry) spread(*options.symmetry, evidence, errors);
  const Stop stop = stop_of(evidence.ending);
  const double judged = monitor.seconds();
  const Deadline deadline = trail_deadline(monitor, options, stop);
  if (!keeps_graph) parts.stores.forget();
  const Court court{program, sources, {options.explore.receptions, options.strict}, &searched};
  auto verdict =
      judge(court, evidence, errors, *parts.frontier, {deadline, trail_room(options)}, problem);
  if (verdict && violations) add_violations(std::move(*violations), *verdict);
  if (!verdict || !keeps_graph) return verdict;
  const Deadline look = look_deadline(monitor, options, stop, monitor.seconds() - judged);
  if (!judge_graph(court, {graph, parts.stores, errors, options, look}, *verdict, problem))
    return {};
  return verdict;
}

}  // namespace panoptes
