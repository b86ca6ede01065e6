// SPDX-License-Identifier: Apache-2.0
#include "backward/steps_into.hpp"

#include <algorithm>
#include <utility>

namespace panoptes {
namespace {

// Claims before a way that are worth a question each, and what it may take to find them. Beyond
// that its demands are left open.
constexpr std::size_t most_claims_before = 4;
constexpr std::uint64_t most_work_before = 20'000;

}  // namespace

std::vector<Claim> StepsInto::before(const Claim& claim, std::size_t way) {
  const std::size_t rules = program_.rules.size();
  return way < rules ? predecessors_.before(claim, static_cast<RuleId>(way))
                     : predecessors_.before_waiting(claim, static_cast<ProcessId>(way - rules));
}

std::vector<Predecessors::Draft> StepsInto::drafts_before(const Claim& claim, std::size_t way) {
  const std::size_t rules = program_.rules.size();
  return way < rules
             ? predecessors_.drafts_before(claim, static_cast<RuleId>(way))
             : predecessors_.drafts_before_waiting(claim, static_cast<ProcessId>(way - rules));
}

void StepsInto::add(const Claim& claim, std::size_t way, const BackwardLimits& limits,
                    std::vector<StepInto>& steps) {
  const RuleId rule = way < program_.rules.size() ? static_cast<RuleId>(way) : none;
  const auto shortage = [&limits]() -> const char* {
    return limits.deadline.has_passed() ? "time" : nullptr;
  };
  if (!has_many_[way]) {
    solver_.allow(std::min(limits.work, most_work_before), shortage);
    std::vector<Claim> found;
    try {
      found = before(claim, way);
    } catch (const TooMuchWork&) {
      if (shortage() != nullptr) throw;
      has_many_[way] = true;
    }
    has_many_[way] = has_many_[way] || found.size() > most_claims_before;
    if (!has_many_[way]) {
      for (Claim& one : found) steps.push_back({rule, std::move(one), {}});
      return;
    }
  }
  solver_.allow(limits.work_open, shortage);
  for (Predecessors::Draft& draft : drafts_before(claim, way)) {
    StepInto& step = steps.emplace_back(StepInto{rule, std::move(draft.claim), {}});
    for (const Demand& demand : draft.demands) step.open.push_back(demands.id_of(demand));
  }
}

std::vector<StepInto> StepsInto::of(const Claim& claim, const BackwardLimits& limits,
                                    const Counts& counts) {
  // What is asked of single states behind it takes little, however this ends.
  const struct Allowance {
    Solver& solver;
    ~Allowance() { solver.allow(UINT64_MAX, {}); }
  } allowance{solver_};
  std::vector<StepInto> steps;
  for (RuleId rule = 0; rule < program_.rules.size(); ++rule)
    if ((!counts || counts(program_.rules[rule])) && predecessors_.may_lead_into(claim, rule) &&
        !predecessors_.is_beside(claim, rule))
      add(claim, rule, limits, steps);
  for (const ProcessId process : predecessors_.loners())
    add(claim, program_.rules.size() + process, limits, steps);
  return steps;
}

}  // namespace panoptes
