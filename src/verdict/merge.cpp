// SPDX-License-Identifier: Apache-2.0
#include "verdict/merge.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "verdict/error_log.hpp"
#include "verdict/judge.hpp"
#include "verdict/make_reports.hpp"
#include "verdict/rank.hpp"

namespace panoptes {
namespace {

// Whether the trail of `error` is the one to show. What is the shortest stays, unless it is not
// there.
bool is_better(const ErrorReport& error, const ErrorReport& known) {
  if (known.is_shortest && known.gap <= TrailGap::unasked) return false;
  if (error.is_shortest && error.gap <= TrailGap::unasked) return true;
  return std::pair(error.step_count(), error.gap) < std::pair(known.step_count(), known.gap);
}

// Adds errors found by another search, as many as there is room for; of two trails for the same one
// the shorter stays. Returns the findings for which there was no room.
std::uint64_t merge_errors(const Program& program, std::vector<ErrorReport>& all,
                           std::vector<ErrorReport>&& more) {
  const auto exact = [&](const ErrorReport& error) {
    return exact_key_of(program, error.finding, error.trail.last);
  };
  std::map<ErrorKey, std::size_t> index;
  for (std::size_t i = 0; i < all.size(); ++i) index.emplace(all[i].key, i);
  for (ErrorReport& error : more) {
    const auto [found, is_new] = index.emplace(error.key, all.size());
    if (is_new) {
      all.push_back(std::move(error));
      continue;
    }
    ErrorReport* const known = &all[found->second];
    Members members = known->members;
    const std::uint64_t count = std::max(error.count, known->count);
    add_members(error.members, members);
    add_members(program, exact(*known), exact(error), members);
    if (is_better(error, *known)) *known = std::move(error);
    known->members = std::move(members);
    known->count = count;
  }
  sort_by_length(all);
  std::uint64_t left_out = 0;
  for (; all.size() > ErrorLog::Limits{}.groups; all.pop_back()) left_out += all.back().count;
  return left_out;
}

void add_rules(std::vector<bool>& all, const std::vector<bool>& more) {
  all.resize(std::max(all.size(), more.size()));
  for (std::size_t rule = 0; rule < more.size(); ++rule)
    if (more[rule]) all[rule] = true;
}

// What is dead is then what another search has not reached either.
void merge_executed(const Program& program, Verdict& all, const std::vector<bool>& fired,
                    const std::vector<bool>& passed) {
  add_rules(all.fired, fired);
  add_rules(all.passed, passed);
  all.dead_code = dead_code(program, all.fired);
}

// `more` came after all others.
void add_samples(Measured& all, const Measured& more) {
  for (SearchSample sample : more.samples) {
    sample.seconds += all.seconds;
    all.samples.push_back(sample);
  }
  while (all.samples.size() > SampleLog::most) thin_out(all.samples);
}

// `more` came after all others.
void note_first_error(Measured& all, const Measured& more) {
  if (all.first_error_states > 0 || more.first_error_states == 0) return;
  all.first_error_states = all.states_analysed + more.first_error_states;
  all.first_error_seconds = all.seconds + more.first_error_seconds;
}

// The most of what each has, but for what adds up.
void merge_measured(Measured& all, const Measured& more) {
  all.states_waiting += more.states_waiting;
  all.successors_waiting += more.successors_waiting;
  note_first_error(all, more);
  add_samples(all, more);
  all.runs += more.runs;
  all.states = std::max(all.states, more.states);
  all.transitions = std::max(all.transitions, more.transitions);
  all.states_analysed += more.states_analysed;
  all.depth = std::max(all.depth, more.depth);
  all.store_bytes = std::max(all.store_bytes, more.store_bytes);
  all.trail_bytes = std::max(all.trail_bytes, more.trail_bytes);
  all.frontier_bytes = std::max(all.frontier_bytes, more.frontier_bytes);
  all.seconds += more.seconds;
  all.processor_seconds += more.processor_seconds;
}

// An error of another program as one of this; nothing where it is none.
std::optional<ErrorReport> report_here(const Program& program, const ErrorReport& error,
                                       const Strictness& strictness, const SourceSet& sources) {
  std::vector<RuleId> rules = error.rules();
  if (error.trail.ends_in_failure) rules.pop_back();
  std::string problem;
  const auto trail = follow(program, rules, problem);
  if (!trail) return {};
  auto report =
      report_error(program, error.finding, trail->last, rules, strictness, sources, problem);
  if (!report) return {};
  report->count = 1;
  report->depth = search_depth(program, error.rules(), error.trail.ends_in_failure);
  return report;
}

}  // namespace

void merge_runs(const Program& program, Verdict& all, Verdict&& more) {
  all.findings_left_out = std::max(all.findings_left_out, more.findings_left_out);
  all.findings_left_out += merge_errors(program, all.errors, std::move(more.errors));
  all.findings_left_out += merge_errors(program, all.warnings, std::move(more.warnings));
  if (all.promise == Promise::partial && ended_by_itself(all.stop)) all.stop = more.stop;
  if (more.states > all.states) all.expected_omissions = more.expected_omissions;
  all.dropped += more.dropped;
  all.unexpanded = std::max(all.unexpanded, more.unexpanded);
  merge_executed(program, all, more.fired, more.passed);
  merge_measured(all, more);
  all.outcome = outcome_of(all);
}

void merge_walks(const Program& program, Verdict& all, Verdict&& walks) {
  all.findings_left_out += merge_errors(program, all.errors, std::move(walks.errors));
  all.findings_left_out += merge_errors(program, all.warnings, std::move(walks.warnings));
  merge_executed(program, all, walks.fired, walks.passed);
  note_first_error(all, walks);
  all.seconds += walks.seconds;
  all.processor_seconds += walks.processor_seconds;
  all.outcome = outcome_of(all);
}

void merge_shorter(const Program& program, Verdict& all, Verdict&& second,
                   const ShortestReport& report) {
  all.findings_left_out += merge_errors(program, all.errors, std::move(second.errors));
  all.findings_left_out += merge_errors(program, all.warnings, std::move(second.warnings));
  merge_executed(program, all, second.fired, second.passed);
  all.processor_seconds += second.processor_seconds;
  all.seconds += report.seconds;
  all.shortest = report;
  all.outcome = outcome_of(all);
}

void SideFindings::add(Verdict&& found, double seconds, const Announce& announce) {
  if (errors_.empty() && !found.errors.empty()) {
    first_seconds_ = seconds + found.first_error_seconds;
    first_states_ = found.first_error_states;
  }
  for (const ErrorReport& error : found.errors)
    if (announced_.insert(error.key).second && announce) announce(error);
  left_out_ = std::max(left_out_, found.findings_left_out);
  left_out_ += merge_errors(program_, errors_, std::move(found.errors));
  add_rules(fired_, found.fired);
  add_rules(passed_, found.passed);
}

void SideFindings::add_to(Verdict& verdict) {
  if (!fired_.empty()) merge_executed(program_, verdict, fired_, passed_);
  if (errors_.empty()) return;
  if (verdict.first_error_states == 0 || first_seconds_ < verdict.first_error_seconds) {
    verdict.first_error_seconds = first_seconds_;
    verdict.first_error_states = first_states_;
  }
  if (verdict.stop != Stop::finished)
    verdict.findings_left_out = std::max(verdict.findings_left_out, left_out_);
  else if (verdict.findings_left_out > 0) {
    // Whoever has seen everything has counted what it has left out.
    std::set<ErrorKey> known;
    for (const ErrorReport& error : verdict.errors) known.insert(error.key);
    std::erase_if(errors_, [&](const ErrorReport& error) { return !known.contains(error.key); });
  }
  verdict.findings_left_out += merge_errors(program_, verdict.errors, std::move(errors_));
  verdict.outcome = outcome_of(verdict);
}

void keep_what_shows(const Program& program, const SourceSet& sources, const Strictness& strictness,
                     const std::function<bool(const ErrorReport&)>& wanted,
                     const std::function<bool()>& has_time, Verdict& verdict) {
  std::vector<ErrorReport> shown;
  std::vector<bool> fired(program.rules.size()), passed(program.rules.size());
  for (const ErrorReport& error : verdict.errors) {
    if (!has_time()) break;
    if (!wanted(error) || error.gap > TrailGap::unasked) continue;
    auto report = report_here(program, error, strictness, sources);
    if (!report) continue;
    for (const TrailStep& step : report->trail.steps) fired[step.rule] = true;
    for (std::size_t i = 0;
         i + (report->trail.ends_in_failure ? 1 : 0) < report->trail.steps.size(); ++i)
      passed[report->trail.steps[i].rule] = true;
    if (shown.size() >= kept_trails) keep_way(program, *report);
    shown.push_back(std::move(*report));
  }
  verdict.errors = std::move(shown);
  verdict.findings_left_out = 0;
  verdict.dead_code = dead_code(program, fired);
  verdict.fired = std::move(fired);
  verdict.passed = std::move(passed);
  verdict.first_error_seconds = verdict.seconds;
  verdict.first_error_states = verdict.states;
}

}  // namespace panoptes
