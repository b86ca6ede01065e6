// SPDX-License-Identifier: Apache-2.0
// What message counts exclude cannot be reached: no state that is, nor a claim with such a state.
#include "backward/balance.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "backward/possible_together.hpp"
#include "differential/generator.hpp"
#include "reversed/forwards.hpp"
#include "support/program.hpp"
#include "support/sample.hpp"

namespace panoptes::backward {
namespace {

using test::compile;
using test::Compiled;

// A line is reliable, so who waits for an answer has a question under way, or being answered, or
// the answer. Without any two of these facts, or three, the rest can be.
constexpr const char* handshake =
    "queue asked = { };\n"
    "queue answered = { };\n"
    "proc client { do :: asked!question -> answered?answer od }\n"
    "proc server { do :: asked?question -> answered!answer od }\n";

TEST(Balance, ExcludesTheDeadlockOfAHandshakeThatThreeFactsAtATimeAllow) {
  const Compiled compiled = compile(handshake);
  ReversedProgram reversed(compiled.program);
  const PossibleTogether together(reversed, {});
  ASSERT_TRUE(together.has_triples());
  const MessageBalance balance(reversed.space);
  const auto candidates = reversed.candidates(ReceptionPolicy::blocked, {});
  ASSERT_TRUE(candidates);
  std::size_t deadlocks = 0;
  for (const Targets::Candidate& candidate : *candidates) {
    if (candidate.target.kind != ErrorKind::deadlock) continue;
    for (const Claim& claim : candidate.claims) {
      deadlocks += together.allows(claim);
      EXPECT_FALSE(balance.allows(claim)) << to_text(compiled.program, candidate.target);
    }
  }
  EXPECT_GT(deadlocks, 0u);
}

// How many of the states that can be reached it excludes; nothing where there are too many.
std::optional<std::uint64_t> excluded_by(const MessageBalance& balance, ClaimSpace& space,
                                         const Program& program) {
  std::uint64_t excluded = 0;
  const auto ask = [&](const StateBatch& batch, const std::vector<Finding>&) {
    const Claim point = space.point_of(batch[0]);
    excluded += !balance.allows(point);
    EXPECT_EQ(balance.allows(point), !balance.conflict_in(point));
  };
  if (!for_each_reachable(program, ReceptionPolicy::blocked, 2'000, ask)) return {};
  return excluded;
}

struct Soundness {
  std::uint64_t protocols = 0, claims = 0, sums = 0;

  void expect_of(const std::string& name, const Program& program, ReceptionPolicy receptions) {
    ReversedProgram reversed(program);
    ClaimSpace& space = reversed.space;
    const MessageBalance balance(space);
    const auto excluded = excluded_by(balance, space, program);
    if (!excluded) return;
    EXPECT_EQ(*excluded, 0u) << name;
    ++protocols;
    sums += balance.size();
    // What is wrong in a state that can be reached is a claim that must be allowed.
    const auto candidates = reversed.candidates(receptions, {.work = 10'000});
    if (!candidates) return;
    for_each_reachable(program, receptions, 2'000, [&](const StateBatch& batch, const auto& found) {
      if (found.empty()) return;
      const Claim point = space.point_of(batch[0]);
      for (const Targets::Candidate& candidate : *candidates)
        for (const Claim& claim : candidate.claims) {
          if (!space.is_within(point, claim)) continue;
          ++claims;
          EXPECT_TRUE(balance.allows(claim)) << name << to_text(program, candidate.target);
        }
    });
  }
};

TEST(Balance, AllowsWhatCanBeReachedInRandomProtocols) {
  Soundness soundness;
  for (std::uint64_t seed = 0; seed < 100; ++seed)
    for (const auto timeouts : {TimeoutPolicy::empty, TimeoutPolicy::lock, TimeoutPolicy::quiet}) {
      if (!test::has_all_samples() && static_cast<TimeoutPolicy>(seed % 3) != timeouts) continue;
      test::Setup setup;
      setup.timeouts = timeouts;
      setup.overflow = seed % 5 == 4 ? OverflowPolicy::error : OverflowPolicy::wait;
      const Compiled compiled = compile(differential::random_protocol(seed), setup);
      soundness.expect_of(fmt::format("seed {}: ", seed), compiled.program,
                          static_cast<ReceptionPolicy>(seed / 3 % 3));
      if (HasFailure()) return;
    }
  EXPECT_GT(soundness.protocols, 50u);
  EXPECT_GT(soundness.claims, 1000u);
  EXPECT_GT(soundness.sums, 100u);
}

TEST(Balance, AllowsWhatCanBeReachedInModels) {
  Soundness soundness;
  for (const std::string& name : test::model_names()) {
    const Compiled compiled = compile(test::model_text(name));
    soundness.expect_of(name + ": ", compiled.program, ReceptionPolicy::blocked);
    if (HasFailure()) return;
  }
  EXPECT_GT(soundness.protocols, 20u);
  EXPECT_GT(soundness.sums, 50u);
}

// The two tests above would notice rules that are taken for such as change nothing else.
TEST(Balance, OfOtherRulesExcludesWhatCanBeReached) {
  const Compiled compiled = compile(handshake);
  for (ProcessId process = 0; process < 2; ++process) {
    Program other = compiled.program;
    for (Rule& rule : other.rules)
      if (rule.owner().process == process) rule.kind = ActionKind::internal;
    ClaimSpace space(other);
    EXPECT_GT(excluded_by(MessageBalance(space), space, compiled.program), 0u);
  }
}

}  // namespace
}  // namespace panoptes::backward
