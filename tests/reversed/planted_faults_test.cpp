// SPDX-License-Identifier: Apache-2.0
// Comparisons that pass, and that each notice some of the faults that are planted.
#include "reversed/planted_faults.hpp"

#include <gtest/gtest.h>

#include <random>
#include <sstream>

#include "backward/balance.hpp"
#include "backward/certify.hpp"
#include "backward/possible_together.hpp"
#include "backward/proof_check.hpp"
#include "backward/search_claims.hpp"
#include "reversed/every_state.hpp"
#include "reversed/forwards.hpp"
#include "support/program.hpp"

namespace panoptes::backward {
namespace {

// Conditions, arithmetic, assignments, two messages in a row and values that come along.
constexpr const char* small =
    "channel c[2];\n"
    "var x : 0..3;\n"
    "proc p { do :: when (x < 2) x = x + 1 :: when (x != 1) c!m(x) :: c!n\n"
    "            :: when (x > 1) x = 3 - x :: when (x == 3 || empty(c)) c!n od }\n"
    "proc q { var y : 0..1; do :: c?n -> y = 1 - y :: c?m(x) :: when (y == 1) x = 0 od }\n";

// One asks, one answers: what is in the channels depends on where both are.
constexpr const char* exchange =
    "channel to[2], from[2];\n"
    "proc a { do :: to!ask -> from?answer od }\n"
    "proc b { do :: to?ask -> from!answer od }\n";

// Each of them ends.
constexpr const char* two_messages =
    "channel to[2];\nproc a { to!ask; to!tell }\nproc b { to?ask; to?tell }\n";

// What goes backwards has the fault, if there is one.
Program with(const PlantedFault* fault, const Program& program) {
  Program changed = program;
  if (fault != nullptr && fault->in_rules) fault->in_rules(changed);
  return changed;
}

// Claims of all kinds: of some state, some of which is forgotten, and of some numbers another value
// is as good.
std::vector<Claim> random_claims(const EveryState& every, ClaimSpace& space, std::size_t count) {
  std::mt19937_64 random(1);
  std::vector<Claim> claims;
  while (claims.size() < count) {
    Claim claim = space.point_of(every.words(random() % every.size()));
    const Claim other = space.point_of(every.words(random() % every.size()));
    for (std::size_t place = 0; place < claim.size(); ++place) {
      const auto choice = random() % 3;
      if (choice == 0) space.forget(claim, place);
      if (choice == 1 && place < space.numbers())
        space.put(claim, place, space.number(claim, place) | space.number(other, place));
    }
    claims.push_back(std::move(claim));
  }
  return claims;
}

// Whether rules lead backwards from claims to just those states from which they lead into them.
bool steps_are_right(const PlantedFault* fault) {
  const Program program = test::compile(small).program;
  const EveryState every(program, 10'000);
  EXPECT_TRUE(every.is_complete());
  ReversedProgram reversed(with(fault, program));
  for (const Claim& claim : random_claims(every, reversed.space, 40))
    for (RuleId rule = 0; rule < program.rules.size(); ++rule) {
      Claim behind = claim;
      if (fault != nullptr && fault->in_claim) fault->in_claim(reversed, rule, behind);
      reversed.solver.allow(1'000'000, {});
      std::vector<Claim> before = reversed.predecessors.before(behind, rule);
      if (fault != nullptr && fault->in_answer) fault->in_answer(reversed, rule, before);
      for (std::size_t i = 0; i < every.size(); ++i) {
        const bool is_said = std::any_of(before.begin(), before.end(), [&](const Claim& one) {
          return every.is_in(one, reversed.space, i);
        });
        const bool is_so = std::any_of(
            every.steps(i).begin(), every.steps(i).end(), [&](const EveryState::Step& step) {
              return step.rule == rule && every.is_in(claim, reversed.space, step.next);
            });
        if (is_said != is_so) return false;
      }
    }
  return true;
}

// Whether everything that can be reached is thought to be possible.
template <typename Allows>
bool allows_reachable(const Program& program, ClaimSpace& space, const Allows& allows) {
  bool is_right = true;
  const auto use = [&](const StateBatch& batch, const std::vector<Finding>&) {
    is_right = is_right && allows(space.point_of(batch[0]));
  };
  EXPECT_TRUE(for_each_reachable(program, ReceptionPolicy::blocked, 10'000, use));
  return is_right;
}

bool facts_are_right(const PlantedFault* fault) {
  const Program program = test::compile(exchange).program;
  ReversedProgram reversed(with(fault, program));
  const PossibleTogether together(reversed, {});
  return allows_reachable(program, reversed.space,
                          [&](const Claim& point) { return together.allows(point); });
}

bool sums_are_right(const PlantedFault* fault) {
  const Program program = test::compile(two_messages).program;
  ReversedProgram reversed(with(fault, program));
  const MessageBalance balance(reversed.space);
  EXPECT_GT(balance.size(), 0u);
  return allows_reachable(program, reversed.space,
                          [&](const Claim& point) { return balance.allows(point); });
}

// Whether what is proved is certified.
bool proof_is_right(const PlantedFault* fault) {
  const Program program = test::compile(exchange).program;
  ReversedProgram reversed(program);
  ClaimSearch search(reversed);
  Certificate certificate{"", "m", fingerprint_text(program), {}};
  const auto candidates = reversed.candidates(ReceptionPolicy::blocked, {});
  EXPECT_TRUE(candidates);
  for (const Targets::Candidate& candidate : *candidates)
    if (search.search(candidate, {}).reachability == Reachability::unreachable)
      certificate.targets.push_back(candidate.target);
  certificate.excluded = search.proved();
  EXPECT_FALSE(certificate.excluded.empty());
  if (fault != nullptr) fault->in_claim(reversed, none, certificate.excluded.front());
  return certify(program, certificate, reversed.space, {}).outcome ==
         CertifyAnswer::Outcome::proved;
}

// Whether what does not follow is refused: no two of these clauses contradict each other.
bool checker_is_right(const PlantedFault* fault) {
  const std::vector<std::vector<Literal>> clauses{{1, 2}, {-1, 2}, {2, 3}};
  const std::string proof = "-2 0\n0\n";
  ProofChecker checker;
  for (const std::vector<Literal>& clause : clauses) checker.add(clause);
  if (fault != nullptr) {  // what is there already follows
    std::istringstream lines(proof);
    for (Literal literal = 0; lines >> literal && literal != 0;)
      checker.add(std::vector<Literal>{literal});
  }
  std::string problem;
  return checker.check(proof, {}, problem) == ProofChecker::Answer::refused;
}

bool is_right(PlantedFault::Where where, const PlantedFault* fault) {
  switch (where) {
    case PlantedFault::Where::steps: return steps_are_right(fault);
    case PlantedFault::Where::facts: return facts_are_right(fault);
    case PlantedFault::Where::sums: return sums_are_right(fault);
    case PlantedFault::Where::claims: return proof_is_right(fault);
    case PlantedFault::Where::checker: return checker_is_right(fault);
  }
  return false;
}

TEST(BackwardFaults, AreCaughtByWhatPassesWithoutThem) {
  for (const PlantedFault& fault : all_planted_faults()) {
    EXPECT_TRUE(is_right(fault.where, nullptr)) << "without: " << fault.name;
    EXPECT_FALSE(is_right(fault.where, &fault)) << "nobody noticed: " << fault.name;
  }
}

}  // namespace
}  // namespace panoptes::backward
