// SPDX-License-Identifier: Apache-2.0
#include "verdict/confirm.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "step/examine.hpp"
#include "step/turn.hpp"
#include "verdict/violations.hpp"

namespace panoptes {
namespace {

bool has_all_rules(const Program& program, const std::vector<RuleId>& rules, std::string& problem) {
  const auto unknown = std::find_if(rules.begin(), rules.end(),
                                    [&](RuleId rule) { return rule >= program.rules.size(); });
  if (unknown == rules.end()) return true;
  problem = fmt::format("there is no rule {}: the model has {}", *unknown, program.rules.size());
  return false;
}

std::optional<ErrorReport> confirm_livelock(const Program& program, const RecordedTrail& recorded,
                                            const Strictness& strictness, const SourceSet& sources,
                                            std::string& problem) {
  LivelockShape shape;
  auto trail = replay_livelock(program, {recorded.steps, recorded.cycle}, shape, problem);
  if (!trail) return {};
  ErrorReport report;
  report.description = describe(program, shape, sources);
  report.finding.kind = ErrorKind::livelock;
  report.trail = std::move(trail->way);
  report.cycle = std::move(trail->cycle);
  describe_end(program, report, strictness.receptions, sources);
  return report;
}

// The property that the record names.
std::optional<ErrorReport> confirm_violation(const Program& program, const RecordedTrail& recorded,
                                             const SourceSet& sources, std::string& problem) {
  const auto& properties = program.protocol.temporal;
  const auto meant =
      std::ranges::find(properties, recorded.error->message, &TemporalProperty::name);
  if (meant == properties.end()) {
    problem = fmt::format("there is no temporal property {}", recorded.error->message);
    return {};
  }
  return report_violation(program, static_cast<std::uint32_t>(meant - properties.begin()),
                          {recorded.steps, recorded.cycle}, sources, problem);
}

std::optional<ErrorReport> confirm_stuck(const Program& program, const RecordedTrail& recorded,
                                         const Strictness& strictness, const SourceSet& sources,
                                         std::string& problem) {
  const auto& processes = program.protocol.processes;
  const auto named = std::ranges::find(processes, recorded.error->process, &Process::name);
  if (named == processes.end()) {
    problem = fmt::format("there is no process {}", recorded.error->process);
    return {};
  }
  ErrorReport report;
  report.finding.kind = ErrorKind::stuck;
  report.finding.process = static_cast<ProcessId>(named - processes.begin());
  auto trail = replay_stuck(program, recorded.steps, report.finding.process, problem);
  if (!trail) return {};
  report.trail = std::move(*trail);
  report.key = key_of(program, report.finding, report.trail.last);
  describe_end(program, report, strictness.receptions, sources);
  return report;
}

// Everything that is wrong at the end of `trail` and with the steps that could be taken there.
std::vector<Finding> findings_behind(const Program& program, const Trail& trail,
                                     ReceptionPolicy receptions) {
  Turn turn(program);
  for (std::size_t i = 0; i < trail.steps.size(); ++i)
    turn.take(trail.steps[i].rule, trail.steps[i].before, trail.after(i));
  const StateBatch batch{program.layout.words, trail.last};
  SuccessorBatch successors;
  std::vector<Finding> findings;
  turn.expand(batch, successors, findings);
  if (turn.is_outside()) examine(program, batch, successors, receptions, findings);
  return findings;
}

bool fails(const std::vector<Finding>& findings, RuleId rule) {
  return std::any_of(findings.begin(), findings.end(),
                     [&](const Finding& finding) { return finding.rule == rule; });
}

}  // namespace

std::optional<ErrorReport> confirm(const Program& program, const RecordedTrail& recorded,
                                   const Strictness& strictness, const SourceSet& sources,
                                   std::string& problem) {
  if (!has_all_rules(program, recorded.steps, problem)) return {};
  if (!has_all_rules(program, recorded.cycle, problem)) return {};
  if (!recorded.error) {
    auto trail = follow(program, recorded.steps, problem);
    if (!trail) return {};
    ErrorReport report;
    report.trail = std::move(*trail);
    return report;
  }
  if (recorded.error->kind == ErrorKind::livelock)
    return confirm_livelock(program, recorded, strictness, sources, problem);
  if (recorded.error->kind == ErrorKind::stuck)
    return confirm_stuck(program, recorded, strictness, sources, problem);
  if (is_of_run(recorded.error->kind))
    return confirm_violation(program, recorded, sources, problem);

  // A step that fails has no state after it: the error is then in the state before.
  std::vector<RuleId> rules = recorded.steps;
  RuleId failing = none;
  if (!rules.empty()) {
    const RuleId last = rules.back();
    rules.pop_back();
    const auto before = follow(program, rules, problem);
    if (!before) return {};
    if (fails(findings_behind(program, *before, strictness.receptions), last))
      failing = last;
    else
      rules.push_back(last);
  }
  const auto trail = follow(program, rules, problem);
  if (!trail) return {};
  for (const Finding& finding : findings_behind(program, *trail, strictness.receptions)) {
    if (finding.rule != failing || finding.kind != recorded.error->kind) continue;
    const ErrorDescription shown = describe(program, finding, trail->last, sources);
    if (shown.process == recorded.error->process && shown.message == recorded.error->message)
      return report_error(program, finding, trail->last, rules, strictness, sources, problem);
  }
  problem = fmt::format("the {} at the end of a trail of {} steps does not show on replay",
                        to_string(recorded.error->kind), recorded.steps.size());
  return {};
}

}  // namespace panoptes
