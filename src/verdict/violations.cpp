// SPDX-License-Identifier: Apache-2.0
#include "verdict/violations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "verdict/moments.hpp"

namespace panoptes {
namespace {

// Whether the property holds of the run: of the first moment, those of the way, and those of the
// cycle again and again.
bool holds_of(const Program& program, const TemporalProperty& property, const LassoTrail& run) {
  const Moments moments(program, property);
  const bool has_ended = run.cycle.steps.empty();
  std::vector<Valuation> stem = moments.of_trail(run.way), cycle = moments.of_trail(run.cycle);
  stem.insert(stem.begin(), moments.of_state(program.initial));
  if (has_ended) {
    stem.back() |= moments.of_end();
    cycle.push_back(moments.of_state(run.way.last) | moments.of_end());
  }
  return holds_on_lasso(property.formula, stem, cycle);
}

// Who could move in a state: whose rule is enabled there, be it one that fails.
std::set<ProcessId> enabled_in(const Program& program, Interpreter& interpreter, StateView state) {
  StateBatch batch{program.layout.words, {}};
  SuccessorBatch successors;
  std::vector<Finding> findings;
  batch.assign(state);
  interpreter.expand(batch, successors, findings);
  std::set<ProcessId> result;
  const auto add = [&](RuleId rule) {
    for (const ProcessMove& move : program.rules[rule].moves) result.insert(move.process);
  };
  for (const RuleId rule : successors.rules) add(rule);
  for (const Finding& finding : findings)
    if (finding.rule != none) add(finding.rule);
  return result;
}

// "" where the cycle is fair; else who has been passed over.
std::string unfair_process(const Program& program, const Trail& cycle) {
  std::set<ProcessId> moved, always, sometimes;
  for (const TrailStep& step : cycle.steps)
    for (const ProcessMove& move : program.rules[step.rule].moves) moved.insert(move.process);
  Interpreter interpreter(program);
  for (ProcessId p = 0; p < program.control.size(); ++p) always.insert(p);
  for (const TrailStep& step : cycle.steps) {
    if (step.begins_inside) continue;
    const std::set<ProcessId> here = enabled_in(program, interpreter, step.before);
    sometimes.insert(here.begin(), here.end());
    std::erase_if(always, [&](ProcessId p) { return !here.contains(p); });
  }
  const bool is_strong = program.protocol.fairness.processes == Fairness::strong;
  for (const ProcessId p : is_strong ? sometimes : always)
    if (!moved.contains(p)) return program.protocol.processes[p].name;
  return {};
}

std::string unfair_line(const Program& program, const Trail& cycle) {
  std::set<ChannelId> lost, carried;
  StateView start;
  for (const TrailStep& step : cycle.steps) {
    const Rule& rule = program.rules[step.rule];
    if (!step.begins_inside) start = step.before;
    if (rule.kind == ActionKind::lose && !is_full(program.layout.channels[rule.channel], start))
      lost.insert(rule.channel);
    if (rule.kind == ActionKind::send) carried.insert(rule.channel);
  }
  for (const ChannelId c : lost)
    if (!carried.contains(c)) return program.protocol.channels[c].name;
  return {};
}

std::string unfair_part(const Program& program, const Trail& cycle) {
  const FairnessDemands& demands = program.protocol.fairness;
  std::string part;
  if (cycle.steps.empty()) return part;  // nobody can move
  if (demands.processes != Fairness::any) part = unfair_process(program, cycle);
  return part.empty() && demands.lines ? unfair_line(program, cycle) : part;
}

}  // namespace

ErrorKind kind_of(PropertyOrigin origin) {
  switch (origin) {
    case PropertyOrigin::formula: break;
    case PropertyOrigin::progress: return ErrorKind::progress;
    case PropertyOrigin::acceptance: return ErrorKind::acceptance;
  }
  return ErrorKind::ltl;
}

std::optional<ErrorReport> report_violation(const Program& program, std::uint32_t number,
                                            const Lasso& run, const SourceSet& sources,
                                            std::string& problem, const Deadline& deadline) {
  const TemporalProperty& property = program.protocol.temporal[number];
  ErrorReport report;
  report.finding.kind = kind_of(property.origin);
  report.finding.assertion = number;
  report.key = key_of(program, report.finding, program.initial);
  report.description = describe(program, report.finding, program.initial, sources);
  report.depth = search_depth(program, run.way, false);
  auto trail = replay_lasso(program, run, problem, deadline);
  if (!trail) {
    if (!problem.empty()) return {};
    report.gap = TrailGap::time;
    report.trail.last = program.initial;
    return report;
  }
  if (holds_of(program, property, *trail)) {
    problem = fmt::format("{} holds of a run of {} and {} steps, which was said to violate it",
                          property.name, run.way.size(), run.cycle.size());
    return {};
  }
  if (const std::string part = unfair_part(program, trail->cycle); !part.empty()) {
    problem = fmt::format("a cycle of {} steps is not fair to {}", run.cycle.size(), part);
    return {};
  }
  report.trail = std::move(trail->way);
  report.cycle = std::move(trail->cycle);
  return report;
}

void group_members(const Program& program, Violations& found) {
  std::map<ErrorKey, ErrorReport> groups;
  for (ErrorReport& error : found.errors) {
    const ErrorKey exact = exact_key_of(program, error.finding, program.initial);
    const auto [place, fresh] = groups.try_emplace(error.key, error);
    if (fresh) continue;
    ErrorReport& group = place->second;
    Members members = group.members;
    add_members(program, exact_key_of(program, group.finding, program.initial), exact, members);
    const std::uint64_t count = group.count + error.count;
    if (error.step_count() < group.step_count()) group = std::move(error);
    group.members = std::move(members);
    group.count = count;
  }
  found.errors.clear();
  for (auto& [key, group] : groups) found.errors.push_back(std::move(group));
}

}  // namespace panoptes
