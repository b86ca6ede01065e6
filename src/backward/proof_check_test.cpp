// SPDX-License-Identifier: Apache-2.0
// Proofs that a solver writes are accepted; what proves nothing is not, whatever it looks like.
#include "backward/proof_check.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "backward/sat_solver.hpp"

namespace panoptes {
namespace {

using Clauses = std::vector<std::vector<Literal>>;

bool is_accepted(const Clauses& clauses, std::string_view proof) {
  ProofChecker checker;
  for (const std::vector<Literal>& clause : clauses) checker.add(clause);
  std::string problem;
  const bool accepted = checker.check(proof, {}, problem) == ProofChecker::Answer::proved;
  EXPECT_EQ(accepted, problem.empty());
  return accepted;
}

// So many clauses of three literals.
Clauses random_clauses(std::uint64_t seed, int variables, int count) {
  std::mt19937_64 random(seed);
  Clauses clauses;
  for (int i = 0; i < count; ++i) {
    std::vector<Literal> clause;
    for (int j = 0; j < 3; ++j) {
      const auto variable = static_cast<Literal>(1 + random() % static_cast<unsigned>(variables));
      clause.push_back(random() % 2 == 0 ? variable : -variable);
    }
    clauses.push_back(clause);
  }
  return clauses;
}

// More pigeons than holes.
Clauses pigeons(int holes) {
  const auto in = [&](int pigeon, int hole) { return pigeon * holes + hole + 1; };
  Clauses clauses;
  for (int p = 0; p <= holes; ++p) {
    clauses.emplace_back();
    for (int h = 0; h < holes; ++h) clauses.back().push_back(in(p, h));
  }
  for (int h = 0; h < holes; ++h)
    for (int p = 0; p <= holes; ++p)
      for (int q = 0; q < p; ++q) clauses.push_back({-in(p, h), -in(q, h)});
  return clauses;
}

TEST(Proofs, OfASolverAreAccepted) {
  int proved = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Clauses clauses = random_clauses(seed, 30, 150);
    const ProvedAnswer answer = ask_for_proof(clauses, {});
    if (answer.answer != SatSolver::Answer::impossible) continue;
    EXPECT_TRUE(is_accepted(clauses, answer.proof)) << seed;
    ++proved;
  }
  EXPECT_GT(proved, 100);
  for (const int holes : {3, 5, 6}) {
    const ProvedAnswer answer = ask_for_proof(pigeons(holes), {});
    ASSERT_EQ(answer.answer, SatSolver::Answer::impossible);
    EXPECT_TRUE(is_accepted(pigeons(holes), answer.proof)) << holes;
  }
}

// Without a clause that they need, the same lines prove nothing.
TEST(Proofs, OfWhatIsPossibleAreRefused) {
  int refused = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Clauses clauses = random_clauses(seed, 25, 120);
    const ProvedAnswer answer = ask_for_proof(clauses, {});
    if (answer.answer != SatSolver::Answer::impossible) continue;
    for (std::size_t i = seed % 7; i < clauses.size(); i += 7) {
      Clauses fewer = clauses;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
      if (ask_for_proof(fewer, {}).answer != SatSolver::Answer::possible) continue;
      EXPECT_FALSE(is_accepted(fewer, answer.proof)) << seed << " without " << i;
      ++refused;
    }
  }
  EXPECT_GT(refused, 50);
}

TEST(Proofs, ThatAreDamagedAreRefusedOrProofs) {
  const Clauses possible = random_clauses(1, 30, 60);
  ASSERT_EQ(ask_for_proof(possible, {}).answer, SatSolver::Answer::possible);
  const std::string proof = ask_for_proof(pigeons(4), {}).proof;
  std::mt19937_64 random(5);
  for (int i = 0; i < 500; ++i) {
    std::string damaged = proof;
    for (std::uint64_t n = 1 + random() % 4; n-- > 0;)
      damaged[random() % damaged.size()] = "0123456789- d\nx"[random() % 15];
    EXPECT_FALSE(is_accepted(possible, damaged)) << damaged;
    is_accepted(pigeons(4), damaged);  // whatever it says, it comes back
  }
  for (const char* text : {"", "0", "d", "1", "1 0", "x", "d 1 0\n", "99999999999 0", "1 2"})
    EXPECT_FALSE(is_accepted(possible, text)) << text;
}

TEST(Proofs, AreGivenUpWhenTimeIsOver) {
  const Clauses clauses = pigeons(6);
  const std::string proof = ask_for_proof(clauses, {}).proof;
  ProofChecker checker;
  for (const std::vector<Literal>& clause : clauses) checker.add(clause);
  std::string problem;
  const Deadline over([] { return 0.0; });
  EXPECT_EQ(checker.check(proof, over, problem), ProofChecker::Answer::given_up);
  EXPECT_EQ(problem, "time");
}

// x1 stands for something new: allowed, since no clause says otherwise.
TEST(Proofs, MayAddDefinitions) {
  EXPECT_TRUE(is_accepted({{1, 2}, {1, -2}, {-1, 2}, {-1, -2}}, "3 0 1 0 0"));
  EXPECT_FALSE(is_accepted({{1, 2}, {-3, 1}, {-3, -1}}, "3 0 0")) << "it is false";
}

}  // namespace
}  // namespace panoptes
