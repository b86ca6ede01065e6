// SPDX-License-Identifier: Apache-2.0
#include "differential/engine.hpp"

#include <algorithm>
#include <tuple>

#include "argos/build.hpp"
#include "support/state_limit.hpp"

namespace panoptes::differential {
namespace {

RuleOptions rule_options(const PlainOptions& options) {
  RuleOptions rules;
  if (options.timeouts == PlainOptions::Timeouts::lock) rules.timeouts = TimeoutPolicy::lock;
  if (options.timeouts == PlainOptions::Timeouts::quiet) rules.timeouts = TimeoutPolicy::quiet;
  if (options.overflow_is_error) rules.overflow = OverflowPolicy::error;
  return rules;
}

CheckOptions check_options(const EngineOptions& options) {
  CheckOptions check;
  check.stepper = options.interpreted ? StepperKind::interpreter : StepperKind::native;
  check.threads = options.threads;
  check.search = options.search;
  check.seed = options.seed;
  check.count_distinct = options.count_distinct;
  check.limits = options.limits;
  check.strict = true;
  if (options.plain.livelocks)
    check.search = ExhaustiveSearch{std::get<ExhaustiveSearch>(options.search).order, WholeGraph{}};
  check.explore.expands_faulty = options.plain.expands_faulty;
  if (options.plain.receptions == PlainOptions::Receptions::reading)
    check.explore.receptions = ReceptionPolicy::reading;
  if (options.plain.receptions == PlainOptions::Receptions::any)
    check.explore.receptions = ReceptionPolicy::any;
  return check;
}

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts(1);
  for (const char letter : text)
    if (letter == ',')
      parts.emplace_back();
    else
      parts.back() += letter;
  return parts;
}

// Where everybody is, by family: the group says no more.
std::string places_by_family(const Program& program, const ErrorDescription& d) {
  if (d.kind != ErrorKind::deadlock && d.kind != ErrorKind::livelock) return d.place;
  const std::vector<std::string> places = split(d.place), moving = split(d.process);
  std::vector<std::pair<std::string, std::string>> said;
  for (ProcessId p = 0; p < program.protocol.processes.size(); ++p) {
    const std::string& name = program.protocol.processes[p].name;
    const bool moves = std::find(moving.begin(), moving.end(), name) != moving.end();
    said.emplace_back(name, (moves ? "*" : "") + places[p]);
  }
  return by_family(said);
}

PlainError in_plain_terms(const Program& program, const ErrorReport& error) {
  const ErrorDescription& d = error.description;
  const bool is_statement = !d.statement.empty() && d.kind != ErrorKind::endless_atomic;
  PlainError result{std::string(to_string(d.kind)), without_indices(d.process),
                    places_by_family(program, d),
                    without_indices(is_statement ? d.statement : d.message), d.state};
  if (d.kind == ErrorKind::invariant) {
    const Invariant& invariant = program.protocol.invariants[error.finding.assertion];
    if (invariant.name == invariant.text) result.message.clear();
  }
  for (const Member& member : error.members) result.members.insert(name_of(program, member));
  result.count = error.count;
  // Of sequences that are one step to the search, a trail has all steps.
  result.steps = has_indivisible(program) ? error.depth + (error.trail.ends_in_failure ? 1 : 0)
                                          : error.step_count();
  return result;
}

PlainResult in_plain_terms(const Program& program, const Verdict& verdict) {
  PlainResult result;
  result.complete = verdict.promise == Promise::exhaustive && verdict.findings_left_out == 0;
  result.states = verdict.states;
  result.transitions = verdict.transitions;
  result.depth = verdict.depth;
  for (const ErrorReport& error : verdict.errors)
    result.errors.push_back(in_plain_terms(program, error));
  std::sort(result.errors.begin(), result.errors.end(),
            [](const PlainError& a, const PlainError& b) {
              return std::tie(a.kind, a.process, a.place, a.message) <
                     std::tie(b.kind, b.process, b.place, b.message);
            });
  return result;
}

}  // namespace

EngineOpinion engine_check(const argos::Model& model, const SourceSet& sources,
                           const EngineOptions& options) {
  EngineOpinion opinion;
  Diagnostics diagnostics;
  BuildOptions build;
  build.default_capacity = static_cast<std::uint32_t>(options.plain.default_capacity);
  build.ranges = options.plain.ranges_wrap ? RangePolicy::wrap : RangePolicy::error;
  build.minimise = options.minimise;
  auto protocol = build_protocol(model, build, sources, diagnostics);
  if (!protocol) {
    opinion.problem = diagnostics.render(sources);
    return opinion;
  }
  const PlantedFault* fault = options.fault;
  if (fault && fault->in_protocol) opinion.fault_planted = fault->in_protocol(*protocol);
  auto program = compile_rules(std::move(*protocol), rule_options(options.plain), opinion.problem);
  if (!program) return opinion;
  if (fault && fault->in_program) opinion.fault_planted |= fault->in_program(*program);
  CheckOptions check_with = check_options(options);
  test::StateLimit limit(options.state_limit);
  if (options.state_limit != UINT64_MAX) limit.apply(check_with);
  try {
    const auto verdict = check(*program, sources, check_with, opinion.problem);
    if (verdict) opinion.result = in_plain_terms(*program, *verdict);
  } catch (const InternalFault& internal) {
    opinion.problem = internal.what();
  }
  return opinion;
}

}  // namespace panoptes::differential
