// SPDX-License-Identifier: Apache-2.0
#include "api/backward_verdict.hpp"

#include <algorithm>

#include "api/memory.hpp"
#include "api/trails.hpp"
#include "backward/distance.hpp"
#include "backward/sat_solver.hpp"
#include "verdict/judge.hpp"

namespace panoptes {
namespace {

// Ways that were found backwards: state i of a batch is that of finding i.
class BackwardWays final : public WayBack {
 public:
  explicit BackwardWays(const std::vector<const BackwardFinding*>& found) : found_(found) {}

  void come_to(std::uint64_t index) { current_ = index; }
  std::uint64_t mark(unsigned, std::size_t) override { return current_; }
  std::optional<std::vector<RuleId>> path(std::uint64_t marked, const Deadline&) override {
    return found_[marked]->rules;
  }
  bool has_insides() const override { return true; }
  bool is_shortest() const override { return false; }

 private:
  const std::vector<const BackwardFinding*>& found_;
  std::uint64_t current_ = 0;
};

std::string_view to_string(Reachability reachability) {
  switch (reachability) {
    case Reachability::reachable: return "reachable";
    case Reachability::unreachable: return "unreachable";
    case Reachability::unknown: return "unknown";
  }
  return "";
}

Stop stop_of(const std::string& reason) {
  if (reason.empty()) return Stop::finished;
  if (reason == "interrupt") return Stop::interrupted;
  return reason == "time" ? Stop::time : reason == "memory" ? Stop::memory : Stop::selection;
}

// Why something is not settled; "" where everything is.
std::string shortage_of(const BackwardOutcome& outcome) {
  if (!outcome.reason.empty()) return outcome.reason;
  for (const BackwardOutcome::Settled& settled : outcome.targets)
    if (!settled.reason.empty()) return settled.reason;
  return {};
}

// What trails may take beside the ways that they are made of, which the outcome has, and a report
// will have, too.
std::uint64_t trail_bytes(const OptionValues& values,
                          const std::vector<const BackwardFinding*>& found) {
  std::uint64_t taken = 0;
  for (const BackwardFinding* finding : found) taken += 2 * finding->rules.size() * sizeof(RuleId);
  const std::uint64_t all = memory_of(values);
  return (all - std::min(all, taken)) / 2;
}

BackwardReport report_of(const Program& program, const OptionValues& values,
                         const BackwardOutcome& outcome) {
  BackwardReport report;
  report.engine = values.text(option::engine);
  report.is_chosen = !values.texts(option::target).empty();
  report.left = outcome.left;
  report.facts = outcome.facts;
  report.sample_states = outcome.sample_states;
  report.questions = outcome.questions;
  report.claims = outcome.invariant ? outcome.invariant->size() : outcome.claims;
  report.reason = outcome.reason;
  for (const BackwardOutcome::Settled& settled : outcome.targets) {
    BackwardReport::Target target{to_text(program, settled.target),
                                  place_of(program, settled.target),
                                  std::string(to_string(settled.reachability)),
                                  settled.by,
                                  settled.reason,
                                  {}};
    for (const BackwardFinding& finding : settled.findings) target.ways.push_back(finding.rules);
    report.targets.push_back(std::move(target));
  }
  return report;
}

}  // namespace

BackwardOptions backward_options(const OptionValues& values) {
  BackwardOptions options;
  options.engine = values.get(option::engine);
  options.receptions = values.get(option::receptions);
  options.limits.bytes = memory_of(values);
  options.has_potential = values.has(option::potential);
  options.wants_proof = values.has(option::certificate);
  options.words = values.texts(option::target);
  return options;
}

std::string missing_for_backward(const OptionValues& values) {
  const bool is_certify = values.command() == "certify";
  if (!is_certify && values.get(option::engine) == BackwardEngine::claims &&
      !values.has(option::certificate))
    return {};
  const std::string missing = why_no_sat_solver();
  if (missing.empty() || values.command() != "backward") return missing;
  return missing + ", or use --engine claims without --certificate";
}

Result<Verdict, std::string> backward_verdict(const OptionValues& values, const Loaded& loaded,
                                              const BackwardOutcome& outcome,
                                              const Deadline& deadline) {
  const Program& program = *loaded.program;
  std::vector<const BackwardFinding*> found;
  for (const BackwardOutcome::Settled& settled : outcome.targets)
    for (const BackwardFinding& finding : settled.findings) found.push_back(&finding);
  BackwardWays ways(found);
  ErrorLog log(program);
  for (std::size_t i = 0; i < found.size(); ++i) {
    ways.come_to(i);
    const bool fails = found[i]->finding.rule != none;
    std::vector<RuleId> rules = found[i]->rules;
    if (fails) rules.push_back(found[i]->finding.rule);
    StateBatch batch{.width = program.initial.size(), .words = {}};
    batch.push_back(found[i]->state);
    log.add({found[i]->finding}, batch, {.depth = search_depth(program, rules, fails)}, ways);
  }
  log.finish();
  Evidence evidence;
  evidence.measured.seconds = outcome.seconds;
  evidence.measured.processor_seconds = outcome.processor_seconds;
  evidence.measured.is_distinct = false;  // nobody has counted states
  const Stop stop = stop_of(shortage_of(outcome));
  evidence.ending = {.told = stop, .has_waiting = stop != Stop::finished};
  // Of code that is never executed it knows nothing, and of what is, what its trails have.
  evidence.sees_code = false;
  evidence.fired.assign(program.rules.size(), false);
  for (const BackwardFinding* finding : found)
    for (const RuleId rule : finding->rules) evidence.fired[rule] = true;
  evidence.passed = evidence.fired;
  for (const BackwardFinding* finding : found)
    if (finding->finding.rule != none) evidence.fired[finding->finding.rule] = true;
  std::string problem;
  auto verdict = judge({program, loaded.sources, strictness_of(values)}, evidence, log, ways,
                       {.deadline = deadline, .bytes = trail_bytes(values, found)}, problem);
  if (!verdict) return problem;
  verdict->backward = report_of(program, values, outcome);
  // One way was found to each; how many states show it nobody has counted.
  for (auto* const errors : {&verdict->errors, &verdict->warnings})
    for (ErrorReport& error : *errors) error.count = 0;
  return std::move(*verdict);
}

std::optional<CostExpression> cost_towards(const OptionValues& values, const Loaded& loaded,
                                           const Deadline& deadline) {
  ReversedProgram reversed(*loaded.program);
  const BackwardLimits limits{.deadline = deadline, .bytes = memory_of(values) / 4};
  auto targets = reversed.candidates(values.get(option::receptions), limits);
  if (!targets) return {};
  std::erase_if(*targets, [&](const Targets::Candidate& candidate) {
    return !goes_by(reversed.program, candidate.target, values.texts(option::towards));
  });
  if (targets->empty()) return {};
  return distance_to(reversed, *targets, limits);
}

}  // namespace panoptes
