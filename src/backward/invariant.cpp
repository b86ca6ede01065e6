// SPDX-License-Identifier: Apache-2.0
#include "backward/invariant.hpp"

#include <algorithm>
#include <numeric>

namespace panoptes {

bool for_each_step_into(ReversedProgram& reversed, const Claim& claim, const BackwardLimits& limits,
                        std::vector<RuleId>& order, const UseStep& use) {
  Predecessors& predecessors = reversed.predecessors;
  const auto restock = [&] {
    reversed.solver.allow(limits.work, [&limits]() -> const char* {
      return limits.deadline.has_passed() ? "time" : nullptr;
    });
  };
  for (std::size_t i = 0; i < order.size(); ++i) {
    const RuleId rule = order[i];
    if (!predecessors.may_lead_into(claim, rule) || predecessors.is_beside(claim, rule)) continue;
    restock();
    for (const Claim& before : predecessors.before(claim, rule)) {
      if (use(rule, before)) continue;
      std::swap(order[i], order[i / 2]);
      return false;
    }
  }
  for (const ProcessId process : predecessors.loners()) {
    restock();
    for (const Claim& before : predecessors.before_waiting(claim, process))
      if (!use(none, before)) return false;
  }
  return true;
}

std::optional<std::vector<Claim>> invariant_against(ReversedProgram& reversed,
                                                    const std::vector<Targets::Candidate>& wrong,
                                                    const std::vector<Claim>& proved,
                                                    const PossibleTogether* together,
                                                    const BackwardLimits& limits) {
  ClaimSpace& space = reversed.space;
  SatSolver sat;
  ClaimLiterals literals(space, sat);
  std::vector<ClaimPart> parts;
  std::vector<Claim> taken;
  const auto exclude = [&](const Claim& claim, Literal unless) {
    literals.parts_of(claim, parts);
    std::vector<Literal> clause;
    if (unless != 0) clause.push_back(unless);
    for (const ClaimPart& part : parts) clause.push_back(-part.literal);
    sat.add(clause);
  };
  // Takes what has the states of the claim, where what is meant is; false where nothing has one.
  const auto take_for = [&](const Claim& claim, Literal is_meant) {
    while (true) {
      if (is_meant != 0) sat.assume(is_meant);
      literals.parts_of(claim, parts);
      for (const ClaimPart& part : parts) sat.assume(part.literal);
      const SatSolver::Answer answer = sat.ask(limits.deadline);
      if (answer != SatSolver::Answer::possible) return answer == SatSolver::Answer::impossible;
      const Claim point = literals.point_of_model();
      const auto has_it = std::find_if(proved.begin(), proved.end(), [&](const Claim& one) {
        return space.is_within(point, one);
      });
      std::optional<Claim> found;
      if (has_it != proved.end())
        found = *has_it;
      else if (together != nullptr)
        found = together->conflict_in(point);
      if (!found) return false;
      exclude(*found, 0);
      taken.push_back(std::move(*found));
    }
  };
  std::vector<RuleId> order(reversed.program.rules.size());
  std::iota(order.begin(), order.end(), 0u);
  try {
    for (const Targets::Candidate& target : wrong) {
      const Literal is_meant = target.unless.empty() ? 0 : literals.fresh();
      for (const Claim& claim : target.unless) exclude(claim, -is_meant);
      if (!std::all_of(target.claims.begin(), target.claims.end(),
                       [&](const Claim& claim) { return take_for(claim, is_meant); }))
        return {};
    }
    for (std::size_t i = 0; i < taken.size(); ++i) {
      const Claim claim = taken[i];
      if (!for_each_step_into(reversed, claim, limits, order,
                              [&](RuleId, const Claim& before) { return take_for(before, 0); }))
        return {};
    }
  } catch (const TooMuchWork&) {
    return {};
  }
  return taken;
}

}  // namespace panoptes
