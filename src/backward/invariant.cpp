// SPDX-License-Identifier: Apache-2.0
#include "backward/invariant.hpp"

#include <algorithm>

#include "backward/claim_cover.hpp"

namespace panoptes {

namespace {

// What was taken so far, and a solver that knows it.
class Taken {
 public:
  Taken(ReversedProgram& reversed, const std::vector<Claim>& proved,
        const PossibleTogether* together, const BackwardLimits& limits)
      : space_(reversed.space),
        demands_(reversed.steps.demands),
        proved_(proved),
        together_(together),
        limits_(limits),
        literals_(space_, sat_),
        demand_literals_(demands_, literals_),
        proved_cover_(space_),
        taken_cover_(space_) {
    for (const Claim& claim : proved) proved_cover_.add(claim);
  }

  // Takes what has the states that show the target; false where nothing has one.
  bool take_for(const Targets::Candidate& target) {
    const Literal is_meant = target.unless.empty() ? 0 : literals_.fresh();
    for (const Claim& claim : target.unless) literals_.exclude(claim, -is_meant);
    Demands::Ids open;
    for (const Demand& demand : target.open) open.push_back(demands_.id_of(demand));
    return std::all_of(target.claims.begin(), target.claims.end(),
                       [&](const Claim& claim) { return take_for(claim, open, is_meant); });
  }

  // The same for the states before a step. Mostly all of them are in one claim.
  bool take_for(const StepInto& step) {
    if (taken_cover_.has_around(step.before)) return true;
    const auto around = proved_cover_.first_around(step.before);
    if (!around) return take_for(step.before, step.open, 0);
    take(proved_[*around]);
    return true;
  }

  std::vector<Claim> claims;

 private:
  // For those of a claim in which demands are met, and `is_meant` is true.
  bool take_for(const Claim& claim, const Demands::Ids& open, Literal is_meant) {
    while (true) {
      const std::vector<Literal> met = demand_literals_.of(open);
      literals_.assume(claim);
      for (const Literal literal : met) sat_.assume(literal);
      if (is_meant != 0) sat_.assume(is_meant);
      const SatSolver::Answer answer = sat_.ask(limits_.deadline);
      if (answer != SatSolver::Answer::possible) return answer == SatSolver::Answer::impossible;
      const Claim point = literals_.point_of_model();
      if (!demands_.are_met_or_learn(open, point)) continue;
      std::optional<Claim> found = claim_with(point);
      if (!found) return false;
      take(*found);
    }
  }

  void take(const Claim& claim) {
    literals_.exclude(claim);
    taken_cover_.add(claim);
    claims.push_back(claim);
  }

  std::optional<Claim> claim_with(const Claim& point) const {
    const auto has_it = std::find_if(proved_.begin(), proved_.end(), [&](const Claim& one) {
      return space_.is_within(point, one);
    });
    if (has_it != proved_.end()) return *has_it;
    return together_ != nullptr ? together_->conflict_in(point) : std::nullopt;
  }

  ClaimSpace& space_;
  Demands& demands_;
  const std::vector<Claim>& proved_;
  const PossibleTogether* together_;
  const BackwardLimits& limits_;
  SatSolver sat_;
  ClaimLiterals literals_;
  DemandLiterals demand_literals_;
  ClaimCover proved_cover_, taken_cover_;
};

}  // namespace

std::optional<std::vector<Claim>> invariant_against(ReversedProgram& reversed,
                                                    const std::vector<Targets::Candidate>& wrong,
                                                    const std::vector<Claim>& proved,
                                                    const PossibleTogether* together,
                                                    const BackwardLimits& limits) {
  Taken taken(reversed, proved, together, limits);
  reversed.solver.allow(UINT64_MAX, {});
  try {
    for (const Targets::Candidate& target : wrong)
      if (!taken.take_for(target)) return {};
    for (std::size_t i = 0; i < taken.claims.size(); ++i) {
      if (taken.claims.size() > limits.claims) return {};
      const std::vector<StepInto> steps = reversed.steps.of(Claim(taken.claims[i]), limits);
      if (!std::all_of(steps.begin(), steps.end(),
                       [&](const StepInto& step) { return taken.take_for(step); }))
        return {};
    }
  } catch (const TooMuchWork&) {
    return {};
  }
  return std::move(taken.claims);
}

}  // namespace panoptes
