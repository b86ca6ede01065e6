// SPDX-License-Identifier: Apache-2.0
#include "api/plan_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <thread>

#include "api/memory.hpp"
#include "relational/step_columns.hpp"
#include "relational/two_process.hpp"
#include "search/check_program.hpp"

namespace panoptes {
namespace {

constexpr unsigned most_nodes = 16'384;
constexpr double assumed_rate = 1e6;  // states a second, where a sample does not tell

// Those of --nodes, or all powers of two.
std::vector<unsigned> nodes_of(const OptionValues& values) {
  std::vector<unsigned> nodes;
  for (const NumberRange& range : values.get(option::nodes).value_or(std::vector<NumberRange>{}))
    for (std::uint64_t n = range.first; n <= range.last; ++n)
      nodes.push_back(static_cast<unsigned>(n));
  if (nodes.empty())
    for (unsigned n = 1; n <= most_nodes; n *= 2) nodes.push_back(n);
  return nodes;
}

PlannedNode node_of(const OptionValues& values) {
  PlannedNode node;
  node.cores = static_cast<double>(
      values.get(option::cores).value_or(std::max(1u, std::thread::hardware_concurrency())));
  node.memory_bytes = static_cast<double>(
      values.get(option::node_memory).value_or(available_memory_bytes() / 4 * 3));
  if (const auto link = values.get(option::link))
    node.link_bytes_per_second = static_cast<double>(*link);
  if (const auto latency = values.get(option::latency)) node.latency_seconds = *latency;
  return node;
}

// One core, breadth first, every state as it is: what a node of a cluster does.
CheckOptions sample_options(const OptionValues& values, const std::atomic<bool>& interrupted) {
  CheckOptions options;
  options.limits.seconds = *values.get(option::sample);
  options.limits.report_seconds = 0.1;
  options.limits.memory_bytes = memory_of(values) / 2;  // a sample need not be all there is
  options.interrupted = &interrupted;
  return options;
}

void add_sample(Plan& plan, const Program& program, const Verdict& verdict) {
  plan.sample_states = verdict.states;
  plan.sample_transitions = verdict.transitions;
  plan.sample_levels = verdict.depth + 1;
  plan.sample_seconds = verdict.seconds;
  plan.is_complete = verdict.stop == Stop::finished && verdict.states_waiting == 0;
  // Rates are those of states that were expanded.
  const auto states = static_cast<double>(verdict.states);
  const double expanded = std::max(1.0, states - static_cast<double>(verdict.states_waiting));
  plan.search.transitions_per_state = static_cast<double>(verdict.transitions) / expanded;
  plan.search.message_bytes = static_cast<double>(program.layout.words * sizeof(Word));
  plan.search.states_per_second = assumed_rate;
  plan.search.bytes_per_state = 2 * plan.search.message_bytes;
  if (plan.says_little()) return;
  plan.search.states_per_second = expanded / verdict.seconds;
  plan.search.bytes_per_state =
      static_cast<double>(verdict.store_bytes + verdict.trail_bytes + verdict.frontier_bytes) /
      states;
}

void add_states(Plan& plan, const OptionValues& values, const Verdict& verdict) {
  const auto seen = static_cast<double>(verdict.states);
  plan.states = {seen, seen, seen, static_cast<double>(plan.sample_levels)};
  if (const auto given = values.get(option::states)) {
    plan.source = Plan::Source::given;
    plan.states.states = plan.states.low = plan.states.high = static_cast<double>(*given);
  } else if (plan.is_complete) {
    plan.source = Plan::Source::sample;
  } else if (const auto estimate = estimate_states(known_by_level(verdict.samples))) {
    plan.source = Plan::Source::levels;
    plan.states = *estimate;
    plan.states.low = std::max(plan.states.low, seen);
    plan.states.states = std::max(plan.states.states, seen);
  } else {
    plan.source = Plan::Source::unknown;
  }
  plan.search.states = plan.states.states;
  plan.search.levels = plan.states.levels;
}

// The last join of the fourth step: all states with all rules.
void add_join(Plan& plan, const Program& program) {
  const auto protocol = two_process(program);
  if (!protocol) return;
  Plan::Join join;
  for (const TwoProcess::Side* side : {&protocol->a, &protocol->b})
    join.rules += static_cast<double>(side->transmissions.size() + side->receptions.size() +
                                      side->internals.size() + side->timeouts.size());
  join.transitions = plan.search.states * plan.search.transitions_per_state;
  join.tuple_bytes = 8.0 * static_cast<double>(StepColumns(*protocol).transition().size());
  plan.join = join;
}

void add_runs(Plan& plan, const std::vector<unsigned>& nodes) {
  const double alone = plan_search(plan.search, plan.node, 1).seconds;
  const PlannedRun* fastest = nullptr;
  for (const unsigned count : nodes) {
    PlannedRun run = plan_search(plan.search, plan.node, count);
    if (plan.join && std::has_single_bit(count))
      run.join_seconds = plan_join(plan.node, plan.join->rules, plan.join->transitions,
                                   plan.join->tuple_bytes, count);
    plan.runs.push_back(run);
  }
  for (const PlannedRun& run : plan.runs) {
    if (!run.fits) continue;
    if (!plan.fewest || run.nodes < *plan.fewest) plan.fewest = run.nodes;
    if (!fastest || run.seconds < fastest->seconds) fastest = &run;
    if (2 * alone / run.seconds >= run.nodes && run.nodes > plan.useful.value_or(0))
      plan.useful = run.nodes;
  }
  if (fastest) plan.fastest = fastest->nodes;
}

}  // namespace

std::string wrong_nodes(const OptionValues& values) {
  for (const NumberRange& range : values.get(option::nodes).value_or(std::vector<NumberRange>{}))
    if (range.last > most_nodes)
      return fmt::format("--nodes {}: there are up to {}", values.text(option::nodes), most_nodes);
  return {};
}

Result<Plan, std::string> plan_model(const std::string& path, const OptionValues& values,
                                     const Loaded& loaded, const std::atomic<bool>& interrupted) {
  const Program& program = *loaded.program;
  const auto verdict = check_program(program, loaded.sources, sample_options(values, interrupted));
  if (!verdict) return verdict.failure();
  Plan plan;
  plan.model = path;
  plan.node = node_of(values);
  add_sample(plan, program, *verdict);
  add_states(plan, values, *verdict);
  add_join(plan, program);
  add_runs(plan, nodes_of(values));
  return plan;
}

}  // namespace panoptes
