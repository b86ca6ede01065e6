// SPDX-License-Identifier: Apache-2.0
#include "verdict/verdict.hpp"

#include <algorithm>

namespace panoptes {

std::string_view to_string(Outcome outcome) {
  switch (outcome) {
    case Outcome::holds: return "holds";
    case Outcome::violated: return "violated";
    case Outcome::unknown: return "unknown";
  }
  return "";
}

std::string_view to_string(Promise promise) {
  switch (promise) {
    case Promise::exhaustive: return "exhaustive";
    case Promise::hashed: return "hashed";
    case Promise::partial: return "partial";
  }
  return "";
}

std::string_view to_string(Stop stop) {
  switch (stop) {
    case Stop::finished: return "finished";
    case Stop::interrupted: return "interrupted";
    case Stop::time: return "time limit reached";
    case Stop::memory: return "memory limit reached";
    case Stop::depth: return "depth limit reached";
    case Stop::first_error: return "stopped at the first error";
    case Stop::sample: return "random walks are a sample";
    case Stop::selection: return "successors left out by choice";
    case Stop::unexpanded: return "states with errors were not expanded";
    case Stop::omission: return "states may have been taken for others";
    case Stop::folding: return "states folded together";
  }
  return "";
}

std::string_view to_string(Kept kept) {
  switch (kept) {
    case Kept::whole: return "whole";
    case Kept::hashes: return "hashes";
    case Kept::bits: return "bits";
  }
  return "";
}

std::string_view to_string(TrailGap gap) {
  switch (gap) {
    case TrailGap::no_gap: return "";
    case TrailGap::unasked: return "not asked for";
    case TrailGap::time: return "no time for it";
    case TrailGap::memory: return "no memory for it";
    case TrailGap::steps: return "too many steps in those before it";
  }
  return "";
}

std::uint64_t ErrorReport::step_count() const {
  if (gap == TrailGap::no_gap) return trail.steps.size();
  return gap == TrailGap::unasked ? way.rules.size() : depth + (trail.ends_in_failure ? 1 : 0);
}

std::optional<std::uint64_t> ErrorReport::event_count(const Program& program) const {
  if (gap == TrailGap::no_gap) return trail.event_count(program);
  return gap == TrailGap::unasked ? std::optional(way.events) : std::nullopt;
}

std::vector<RuleId> ErrorReport::rules() const {
  if (gap == TrailGap::unasked) return way.rules;
  std::vector<RuleId> rules;
  for (const TrailStep& step : trail.steps) rules.push_back(step.rule);
  return rules;
}

bool hides_errors(const Verdict& verdict) {
  return std::any_of(verdict.errors.begin(), verdict.errors.end(),
                     [](const ErrorReport& error) { return error.trail.ends_in_failure; });
}

std::uint64_t BackwardReport::count_of(std::string_view answer) const {
  return static_cast<std::uint64_t>(
      std::count_if(targets.begin(), targets.end(),
                    [&](const Target& target) { return target.answer == answer; }));
}

std::uint64_t BackwardReport::unsettled() const {
  return static_cast<std::uint64_t>(std::ranges::count_if(targets, [](const Target& target) {
    return target.answer == "unknown" || !target.reason.empty();
  }));
}

}  // namespace panoptes
