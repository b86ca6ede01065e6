// SPDX-License-Identifier: Apache-2.0
// What both searches prove is certified, by a checker that knows nothing of them; and nothing else
// is. Whether claims prove what they should is told here by looking at every state there is.
#include "backward/certificate.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <random>

#include "backward/certify.hpp"
#include "backward/induction.hpp"
#include "backward/search_claims.hpp"
#include "base/sha256.hpp"
#include "base/version.hpp"
#include "differential/generator.hpp"
#include "support/program.hpp"
#include "support/sample.hpp"

namespace panoptes::backward {
namespace {

using test::compile;
using test::Compiled;
using Outcome = CertifyAnswer::Outcome;
using Condition = CertifyAnswer::Condition;

Certificate blank_certificate(const Program& program) {
  return {version, "models/x.argos", fingerprint_text(program), {{"timeouts", "empty"}}};
}

// What induction proves, as much of it as is needed; nothing where it gives up.
std::optional<Certificate> induced(ReversedProgram& reversed,
                                   const std::vector<Targets::Candidate>& candidates) {
  const PossibleTogether together(reversed, {});
  ReachableSample sample(reversed, 2000, {});
  Induction induction(reversed, together, sample);
  const auto answers = induction.search(candidates, {.claims = 20'000, .work = 100'000});
  Certificate certificate = blank_certificate(reversed.program);
  std::vector<Targets::Candidate> wrong;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (answers[i].reachability != Reachability::unreachable) continue;
    certificate.targets.push_back(candidates[i].target);
    wrong.push_back(candidates[i]);
  }
  auto claims = invariant_against(reversed, wrong, induction.excluded(), &together, {});
  if (!claims) return {};
  certificate.excluded = std::move(*claims);
  return certificate;
}

// What the other search proves, all of it.
Certificate searched(ReversedProgram& reversed, const std::vector<Targets::Candidate>& candidates) {
  ClaimSearch search(reversed);
  Certificate certificate = blank_certificate(reversed.program);
  for (const Targets::Candidate& candidate : candidates)
    if (search.search(candidate, {.claims = 200, .work = 10'000}).reachability ==
        Reachability::unreachable)
      certificate.targets.push_back(candidate.target);
  certificate.excluded = search.proved();
  return certificate;
}

void expect_same(const Certificate& left, const Certificate& right, const ClaimSpace& space) {
  EXPECT_EQ(left.version, right.version);
  EXPECT_EQ(left.model, right.model);
  EXPECT_EQ(left.options, right.options);
  EXPECT_EQ(left.excluded, right.excluded);
  EXPECT_EQ(write_certificate(left, space), write_certificate(right, space));
}

// Reads what was written, and checks it.
CertifyAnswer checked(const Certificate& certificate, const Program& program, ClaimSpace& space) {
  const std::string text = write_certificate(certificate, space);
  const auto read = read_certificate(text, space);
  if (!read) {
    ADD_FAILURE() << read.failure().line << ":" << read.failure().column << ": "
                  << read.failure().message << "\n"
                  << text;
    return {};
  }
  expect_same(*read, certificate, space);
  return certify(program, *read, space, {});
}

struct Proofs {
  std::uint64_t proved = 0, targets = 0, claims = 0, questions = 0;

  void check(const std::string& name, const Compiled& compiled, ReceptionPolicy receptions) {
    ReversedProgram reversed(compiled.program);
    const auto candidates = reversed.candidates(receptions, {.work = 100'000});
    if (!candidates || candidates->size() > 500) return;
    if (const auto certificate = induced(reversed, *candidates))
      check(name + " by induction", *certificate, compiled.program, reversed.space);
    if (test::has_all_samples() || candidates->size() < 50)
      check(name + " by claims", searched(reversed, *candidates), compiled.program, reversed.space);
  }
  void check(const std::string& name, const Certificate& certificate, const Program& program,
             ClaimSpace& space) {
    const CertifyAnswer answer = checked(certificate, program, space);
    EXPECT_EQ(answer.outcome, Outcome::proved)
        << name << ": " << answer.reason << ", " << answer.state << "\n"
        << write_certificate(certificate, space);
    EXPECT_GE(answer.questions, 1 + program.rules.size() + certificate.targets.size());
    ++proved;
    targets += certificate.targets.size();
    claims += certificate.excluded.size();
    questions += answer.questions;
  }
};

TEST(Certificates, OfModelsAreProved) {
  Proofs proofs;
  for (const char* name : {"setup_handshake", "exchange", "flow_control", "two_phase_commit",
                           "leader_election", "lost_message"}) {
    proofs.check(name, compile(test::model_text(name)), ReceptionPolicy::blocked);
    if (HasFailure()) return;
  }
  EXPECT_GE(proofs.proved, 6u);
  EXPECT_GT(proofs.claims, 20u);
}

TEST(Certificates, OfRandomProtocolsAreProved) {
  Proofs proofs;
  for (std::uint64_t seed = 0; seed < test::sample_of(40) && !HasFailure(); ++seed) {
    test::Setup setup;
    setup.timeouts = static_cast<TimeoutPolicy>(seed % 3);
    setup.overflow = seed % 5 == 4 ? OverflowPolicy::error : OverflowPolicy::wait;
    proofs.check("seed " + std::to_string(seed),
                 compile(differential::random_protocol(seed), setup),
                 static_cast<ReceptionPolicy>(seed / 3 % 3));
  }
  EXPECT_GT(proofs.proved, test::sample_of(40) / 2);
  EXPECT_GT(proofs.targets, 10u);
}

}  // namespace
}  // namespace panoptes::backward
