// SPDX-License-Identifier: Apache-2.0
#include "backward/distance.hpp"

#include <algorithm>

#include "backward/claim_index.hpp"

namespace panoptes {
namespace {

constexpr std::size_t most_claims = 200;  // in the expression

// Claims as expressions of the pool of a cost.
class ClaimExpressions {
 public:
  ClaimExpressions(const ClaimSpace& space, Expressions& pool) : space_(space), pool_(pool) {}

  ExpressionId of(const Claim& claim) {
    const Program& program = space_.program();
    const Claim& all = space_.everything();
    std::vector<ExpressionId> parts{pool_.constant(1)};
    const auto add = [&](std::size_t place, ExpressionId number) {
      if (claim[place] != all[place]) parts.push_back(in(number, space_.number(claim, place)));
    };
    for (ProcessId p = 0; p < program.control.size(); ++p)
      add(space_.control(p), pool_.ask(Op::control, p));
    for (VariableId v = 0; v < program.layout.variables.size(); ++v)
      add(space_.variable(v), pool_.variable(v));
    for (std::uint32_t a = 0; a < program.layout.assertions.size(); ++a)
      add(space_.subset(a), pool_.ask(Op::subset, a));
    for (ChannelId c = 0; c < program.layout.channels.size(); ++c)
      if (claim[space_.numbers() + c] != all[space_.numbers() + c])
        add_channel(c, space_.channel(claim, c), parts);
    return pool_.joined(Op::logical_and, parts);
  }

 private:
  ExpressionId in(ExpressionId number, const ValueSet& set) {
    std::vector<ExpressionId> either;
    for (const Interval& part : set.parts())
      either.push_back(pool_.joined(
          Op::logical_and, {pool_.binary(Op::greater_equal, number, pool_.constant(part.low)),
                            pool_.binary(Op::less_equal, number, pool_.constant(part.high))}));
    return pool_.joined(Op::logical_or, either);
  }

  void add_channel(ChannelId channel, const ChannelClaim& said, std::vector<ExpressionId>& parts) {
    parts.push_back(in(pool_.ask(Op::length, channel), ValueSet(said.shortest(), said.longest())));
    for (std::uint32_t i = 0; i < said.known.size(); ++i) {
      parts.push_back(in(pool_.tag(channel, i), said.known[i].tags));
      for (std::uint32_t v = 0; v < said.known[i].values.size(); ++v)
        parts.push_back(in(pool_.field(channel, v, none, i), said.known[i].values[v]));
    }
  }

  const ClaimSpace& space_;
  Expressions& pool_;
};

// Claims by how many rules they are away from the targets.
std::vector<std::vector<Claim>> rounds_to(ReversedProgram& reversed,
                                          const std::vector<Targets::Candidate>& targets,
                                          const BackwardLimits& limits) {
  ClaimIndex met(reversed.space);
  std::size_t left = most_claims;
  std::vector<std::vector<Claim>> rounds(1);
  const auto add = [&](const Claim& claim) {
    if (left == 0 || met.has_around(claim)) return left > 0;
    met.add(claim);
    rounds.back().push_back(claim);
    return --left > 0;
  };
  for (const Targets::Candidate& target : targets)
    if (!target.is_one_of_many)
      for (const Claim& claim : target.claims) add(claim);
  try {
    while (left > 0 && !rounds.back().empty() && !limits.deadline.has_passed()) {
      const std::vector<Claim> last = rounds.back();
      rounds.emplace_back();
      for (const Claim& claim : last)
        for (const StepInto& step : reversed.steps.of(claim, limits)) add(step.before);
    }
  } catch (const TooMuchWork&) {
    // What is there is enough to go by.
  }
  return rounds;
}

}  // namespace

CostExpression distance_to(ReversedProgram& reversed,
                           const std::vector<Targets::Candidate>& targets,
                           const BackwardLimits& limits) {
  CostExpression cost;
  ClaimExpressions claims(reversed.space, cost.pool);
  // A state costs one for every round that it is not within.
  std::vector<ExpressionId> outside;
  ExpressionId is_within = cost.pool.constant(0);
  for (const std::vector<Claim>& round : rounds_to(reversed, targets, limits)) {
    std::vector<ExpressionId> either{is_within};
    for (const Claim& claim : round) either.push_back(claims.of(claim));
    is_within = cost.pool.joined(Op::logical_or, either);
    outside.push_back(cost.pool.unary(Op::logical_not, is_within));
  }
  cost.root = cost.pool.joined(Op::add, outside);
  return cost;
}

}  // namespace panoptes
