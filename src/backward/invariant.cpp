// SPDX-License-Identifier: Apache-2.0
#include "backward/invariant.hpp"

#include <algorithm>

namespace panoptes {

bool for_each_step_into(ReversedProgram& reversed, const Claim& claim, const BackwardLimits& limits,
                        const UseStep& use) {
  Predecessors& predecessors = reversed.predecessors;
  const auto restock = [&] {
    reversed.solver.allow(limits.work, [&limits]() -> const char* {
      return limits.deadline.has_passed() ? "time" : nullptr;
    });
  };
  for (RuleId rule = 0; rule < reversed.program.rules.size(); ++rule) {
    if (!predecessors.may_lead_into(claim, rule) || predecessors.is_beside(claim, rule)) continue;
    restock();
    for (const Claim& before : predecessors.before(claim, rule))
      if (!use(rule, before)) return false;
  }
  for (const ProcessId process : predecessors.loners()) {
    restock();
    for (const Claim& before : predecessors.before_waiting(claim, process))
      if (!use(none, before)) return false;
  }
  return true;
}

namespace {

// What was taken so far, and a solver that knows it.
class Taken {
 public:
  Taken(ReversedProgram& reversed, const std::vector<Claim>& proved,
        const PossibleTogether* together, const BackwardLimits& limits)
      : space_(reversed.space),
        proved_(proved),
        together_(together),
        limits_(limits),
        literals_(space_, sat_) {}

  // Takes what has the states that show the target; false where nothing has one.
  bool take_for(const Targets::Candidate& target) {
    const Literal is_meant = target.unless.empty() ? 0 : literals_.fresh();
    for (const Claim& claim : target.unless) literals_.exclude(claim, -is_meant);
    return std::all_of(target.claims.begin(), target.claims.end(),
                       [&](const Claim& claim) { return take_for(claim, is_meant); });
  }

  // The same for the states of a claim, where `is_meant` is true.
  bool take_for(const Claim& claim, Literal is_meant) {
    while (true) {
      if (is_meant != 0) sat_.assume(is_meant);
      literals_.assume(claim);
      const SatSolver::Answer answer = sat_.ask(limits_.deadline);
      if (answer != SatSolver::Answer::possible) return answer == SatSolver::Answer::impossible;
      std::optional<Claim> found = claim_with(literals_.point_of_model());
      if (!found) return false;
      literals_.exclude(*found);
      claims.push_back(std::move(*found));
    }
  }

  std::vector<Claim> claims;

 private:
  std::optional<Claim> claim_with(const Claim& point) const {
    const auto has_it = std::find_if(proved_.begin(), proved_.end(), [&](const Claim& one) {
      return space_.is_within(point, one);
    });
    if (has_it != proved_.end()) return *has_it;
    return together_ != nullptr ? together_->conflict_in(point) : std::nullopt;
  }

  ClaimSpace& space_;
  const std::vector<Claim>& proved_;
  const PossibleTogether* together_;
  const BackwardLimits& limits_;
  SatSolver sat_;
  ClaimLiterals literals_;
};

}  // namespace

std::optional<std::vector<Claim>> invariant_against(ReversedProgram& reversed,
                                                    const std::vector<Targets::Candidate>& wrong,
                                                    const std::vector<Claim>& proved,
                                                    const PossibleTogether* together,
                                                    const BackwardLimits& limits) {
  Taken taken(reversed, proved, together, limits);
  try {
    for (const Targets::Candidate& target : wrong)
      if (!taken.take_for(target)) return {};
    for (std::size_t i = 0; i < taken.claims.size(); ++i) {
      const Claim claim = taken.claims[i];
      if (!for_each_step_into(reversed, claim, limits, [&](RuleId, const Claim& before) {
            return taken.take_for(before, 0);
          }))
        return {};
    }
  } catch (const TooMuchWork&) {
    return {};
  }
  return std::move(taken.claims);
}

}  // namespace panoptes
