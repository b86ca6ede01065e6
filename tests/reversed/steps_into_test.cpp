// SPDX-License-Identifier: Apache-2.0
// What is left open of a step is what claims would say: the states before it are the same, and so
// is everything that is learnt from states in which a demand is not met.
#include "backward/steps_into.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "backward/reversed_program.hpp"
#include "differential/generator.hpp"
#include "support/program.hpp"
#include "support/sample.hpp"

namespace panoptes::backward {
namespace {

// Steps into the claims of all targets of a program, as claims and left open.
class OpenSteps {
 public:
  OpenSteps(const Program& program, std::uint64_t seed) : reversed_(program), random_(seed) {}

  void compare() {
    const auto candidates = reversed_.candidates(ReceptionPolicy::blocked, {});
    if (!candidates) return;
    for (const Targets::Candidate& candidate : *candidates) {
      if (testing::Test::HasFailure()) return;
      if (candidate.claims.empty() || random_() % 4 != 0) continue;
      const Claim& claim = candidate.claims[random_() % candidate.claims.size()];
      for (RuleId rule = 0; rule < reversed_.program.rules.size(); ++rule)
        if (reversed_.predecessors.may_lead_into(claim, rule)) compare(claim, rule);
      for (const ProcessId process : reversed_.predecessors.loners())
        compare(reversed_.predecessors.before_waiting(claim, process),
                reversed_.predecessors.drafts_before_waiting(claim, process));
    }
  }

  std::uint64_t in = 0, out = 0, open = 0, refused = 0;

 private:
  void compare(const Claim& claim, RuleId rule) {
    reversed_.solver.allow(100'000, {});
    std::vector<Claim> claims;
    try {
      claims = reversed_.predecessors.before(claim, rule);
    } catch (const TooMuchWork&) {
      return;
    }
    reversed_.solver.allow(UINT64_MAX, {});
    compare(claims, reversed_.predecessors.drafts_before(claim, rule));
  }

  void compare(const std::vector<Claim>& claims, const std::vector<Predecessors::Draft>& drafts) {
    for (const Claim& claim : claims) compare(point_in(claim), claims, drafts);
    for (const Predecessors::Draft& draft : drafts) {
      open += draft.demands.size();
      for (int i = 0; i < 4; ++i) {
        const Claim point = point_in(draft.claim);
        compare(point, claims, drafts);
        learn(point, draft);
      }
    }
  }

  void compare(const Claim& point, const std::vector<Claim>& claims,
               const std::vector<Predecessors::Draft>& drafts) {
    const bool is_in_claims = std::any_of(claims.begin(), claims.end(), [&](const Claim& claim) {
      return reversed_.space.is_within(point, claim);
    });
    const bool is_in_drafts =
        std::any_of(drafts.begin(), drafts.end(), [&](const Predecessors::Draft& draft) {
          return reversed_.space.is_within(point, draft.claim) &&
                 std::all_of(draft.demands.begin(), draft.demands.end(), [&](const Demand& demand) {
                   return reversed_.solver.is_met(point, demand);
                 });
        });
    EXPECT_EQ(is_in_claims, is_in_drafts);
    ++(is_in_claims ? in : out);
  }

  // Claims around a state: in what is learnt no state meets the demand, in what is met all do.
  void learn(const Claim& point, const Predecessors::Draft& draft) {
    Demands& demands = reversed_.steps.demands;
    Demands::Ids ids;
    for (const Demand& demand : draft.demands) ids.push_back(demands.id_of(demand));
    if (demands.are_met_or_learn(ids, point)) {
      const Claim around = demands.met_around(point, draft.claim, ids);
      EXPECT_TRUE(reversed_.space.is_within(point, around));
      EXPECT_TRUE(reversed_.space.is_within(around, draft.claim));
      for (int i = 0; i < 4; ++i) EXPECT_TRUE(demands.are_met(ids, point_in(around)));
      return;
    }
    for (std::size_t i = 0; i < ids.size(); ++i) {
      if (demands.refusals(ids[i]).empty()) continue;
      const Claim refusal = demands.refusals(ids[i]).back();
      for (int n = 0; n < 4; ++n)
        EXPECT_FALSE(reversed_.solver.is_met(point_in(refusal), draft.demands[i]));
      ++refused;
    }
  }

  std::int64_t one_of(const ValueSet& set) {
    std::uint64_t left = random_() % set.size();
    std::int64_t chosen = set.low();
    for (const Interval& part : set.parts()) {
      const auto size = static_cast<std::uint64_t>(part.high - part.low) + 1;
      if (left < size) return part.low + static_cast<std::int64_t>(left);
      left -= size;
      chosen = part.high;
    }
    return chosen;
  }

  // Some state of the claim.
  Claim point_in(const Claim& claim) {
    ClaimSpace& space = reversed_.space;
    Claim point = claim;
    for (std::size_t place = 0; place < space.numbers(); ++place)
      space.put(point, place, ValueSet::only(one_of(space.number(claim, place))));
    for (ChannelId c = 0; c < reversed_.program.layout.channels.size(); ++c) {
      const ChannelClaim& said = space.channel(claim, c);
      ChannelClaim exactly;
      const auto length = one_of(ValueSet(said.shortest(), said.longest()));
      for (std::uint32_t i = 0; i < length; ++i) {
        MessageClaim message = space.message_at(claim, c, i);
        space.narrow(message, c, ValueSet::only(one_of(message.tags)));
        for (ValueSet& value : message.values) value = ValueSet::only(one_of(value));
        exactly.known.push_back(std::move(message));
      }
      space.put(point, c, std::move(exactly));
    }
    return point;
  }

  ReversedProgram reversed_;
  std::mt19937_64 random_;
};

TEST(StepsInto, LeftOpenAreThoseOfClaims) {
  std::uint64_t in = 0, out = 0, open = 0, refused = 0;
  for (std::uint64_t seed = 0; seed < test::sample_of(150) && !HasFailure(); ++seed) {
    test::Setup setup;
    setup.timeouts = static_cast<TimeoutPolicy>(seed % 3);
    setup.overflow = seed % 5 == 4 ? OverflowPolicy::error : OverflowPolicy::wait;
    const test::Compiled compiled = test::compile(differential::random_protocol(seed), setup);
    OpenSteps steps(compiled.program, seed);
    steps.compare();
    EXPECT_FALSE(HasFailure()) << "seed " << seed;
    in += steps.in;
    out += steps.out;
    open += steps.open;
    refused += steps.refused;
  }
  EXPECT_GT(in, 500u);
  EXPECT_GT(out, test::has_all_samples() ? 100u : 30u);
  EXPECT_GT(open, 300u);
  EXPECT_GT(refused, 50u);
}

// What is kept of questions that were asked is counted, once.
TEST(StepsInto, CountWhatTheyKeep) {
  const test::Compiled compiled =
      test::compile("var x : 0..9, y : 0..9;\nproc p { do :: (x < y) -> x = x + 1 od }\n");
  ReversedProgram reversed(compiled.program);
  const ExpressionId condition = reversed.conditions.enabled(0);
  const Claim& all = reversed.space.everything();
  EXPECT_EQ(reversed.solver.bytes(), 0u);
  reversed.solver.narrowing(all, {condition, Demand::Kind::holds});
  const std::uint64_t once = reversed.solver.bytes();
  EXPECT_GT(once, 100u);
  reversed.solver.narrowing(all, {condition, Demand::Kind::holds});
  EXPECT_EQ(reversed.solver.bytes(), once);
  reversed.solver.narrowing(all, {condition, Demand::Kind::does_not_hold});
  EXPECT_EQ(reversed.solver.bytes(), 2 * once);
}

}  // namespace
}  // namespace panoptes::backward
