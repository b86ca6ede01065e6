// SPDX-License-Identifier: Apache-2.0
#include "verdict/judge.hpp"

#include <algorithm>
#include <utility>

#include "verdict/rank.hpp"

namespace panoptes {
namespace {

// What may be said of what was seen; errors come later.
Verdict claimed(const Evidence& evidence) {
  const Ending& ending = evidence.ending;
  const StorePromise& store = evidence.store;
  Verdict verdict;
  static_cast<Measured&>(verdict) = evidence.measured;
  const Conclusion conclusion = conclusion_of(ending, store);
  verdict.stop = conclusion.stop;
  verdict.promise = conclusion.promise;
  verdict.unexpanded = ending.unexpanded;
  verdict.dropped = ending.dropped;
  if (!ending.is_folded && store.may_omit) verdict.expected_omissions = store.expected_omissions;
  verdict.kept = store.kept;
  verdict.fired = evidence.fired;
  verdict.passed = evidence.passed;
  return verdict;
}

// Until somebody has looked at runs.
std::vector<PropertyReport> unknown_properties(const Program& program) {
  std::vector<PropertyReport> result;
  if (program.errors.is_question) return result;
  for (const TemporalProperty& property : program.protocol.temporal)
    result.push_back({property.name, property.text, Outcome::unknown,
                      "it takes a search that keeps the whole graph"});
  return result;
}

void note_first_error(Verdict& verdict) {
  if (verdict.first_error_states > 0) return;
  verdict.first_error_states = verdict.states;
  verdict.first_error_seconds = verdict.seconds;
}

}  // namespace

Outcome outcome_of(const Verdict& verdict) {
  if (!verdict.errors.empty()) return Outcome::violated;
  const auto is_unknown = [](const PropertyReport& p) { return p.answer == Outcome::unknown; };
  if (std::ranges::any_of(verdict.properties, is_unknown)) return Outcome::unknown;
  return verdict.promise == Promise::partial ? Outcome::unknown : Outcome::holds;
}

std::optional<Verdict> judge(const Court& court, const Evidence& evidence, const ErrorLog& errors,
                             WayBack& way_back, TrailRoom room, std::string& problem) {
  Verdict verdict = claimed(evidence);
  verdict.properties = unknown_properties(court.program);
  verdict.findings_left_out = errors.left_out();
  const Program& searched = court.searched ? *court.searched : court.program;
  if (!make_reports({court.program, searched}, errors, way_back, court.strictness, court.sources,
                    std::move(room), verdict, problem))
    return {};
  for (auto* list : {&verdict.errors, &verdict.warnings})
    for (ErrorReport& error : *list)
      error.is_shortest =
          error.is_shortest && has_all_to(error.depth, evidence.ending, evidence.store);
  verdict.outcome = outcome_of(verdict);
  if (!evidence.sees_code) return verdict;
  verdict.dead_code = dead_code(court.program, evidence.fired);
  verdict.is_dead_code_certain = verdict.promise == Promise::exhaustive && !errors.has_failure();
  if (verdict.is_dead_code_certain)
    verdict.dead_in_members = dead_in_members(court.program, evidence.fired);
  return verdict;
}

void add_livelocks(const Court& court, Livelocks&& found, Verdict& verdict) {
  verdict.graph = found.graph;
  if (!found.errors.empty()) note_first_error(verdict);
  for (ErrorReport& error : found.errors) {
    describe_end(court.program, error, court.strictness.receptions, court.sources);
    verdict.errors.push_back(std::move(error));
  }
  sort_by_length(verdict.errors);
  verdict.outcome = outcome_of(verdict);
}

void add_violations(Violations&& found, Verdict& verdict) {
  if (!found.errors.empty()) note_first_error(verdict);
  verdict.properties = std::move(found.properties);
  for (ErrorReport& error : found.errors) verdict.errors.push_back(std::move(error));
  sort_by_length(verdict.errors);
  verdict.outcome = outcome_of(verdict);
}

}  // namespace panoptes
