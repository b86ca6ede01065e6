// SPDX-License-Identifier: Apache-2.0
// What cannot be true together is true in no state that can be reached, whenever time ends.
#include "backward/possible_together.hpp"

#include <gtest/gtest.h>

#include <random>

#include "backward/reachable_sample.hpp"
#include "differential/generator.hpp"
#include "support/program.hpp"

namespace panoptes::backward {
namespace {

using test::compile;
using test::Compiled;

// It has passed when it was asked so often.
Deadline after(std::size_t questions) {
  return Deadline([left = questions]() mutable {
    if (left == 0) return -1.0;
    --left;
    return 1.0;
  });
}

struct Conflicts {
  std::uint64_t of_pairs = 0, of_triples = 0;

  // Of states put together from two that can be reached, those that cannot be as far as it knows.
  void expect_of(const PossibleTogether& together, ClaimSpace& space, ReachableSample& sample) {
    std::mt19937_64 random(1);
    for (std::size_t i = 0; i < sample.size(); ++i) {
      EXPECT_FALSE(together.conflict_in(sample[i]));
      EXPECT_TRUE(together.allows(sample[i]));
      Claim mixed = sample[i];
      const Claim& other = sample[random() % sample.size()];
      for (std::size_t place = 0; place < mixed.size(); ++place)
        if (random() % 4 == 0) mixed[place] = other[place];
      const auto conflict = together.conflict_in(mixed);
      if (!conflict) continue;
      EXPECT_TRUE(space.is_within(mixed, *conflict));
      EXPECT_FALSE(sample.first_in(*conflict)) << "of " << sample.size() << " states";
      ++(together.has_triples() ? of_triples : of_pairs);
    }
  }
};

TEST(PossibleTogether, ExcludesNothingThatCanBeReachedWheneverTimeEnds) {
  Conflicts conflicts;
  for (std::uint64_t seed = 0; seed < 20 && !HasFailure(); ++seed) {
    const Compiled compiled = compile(differential::random_protocol(seed));
    ReversedProgram reversed(compiled.program);
    ReachableSample sample(reversed, 500, {});
    for (std::size_t questions = 1; questions < 5'000; questions *= 2) {
      const PossibleTogether together(reversed, {.deadline = after(questions)});
      conflicts.expect_of(together, reversed.space, sample);
    }
  }
  EXPECT_GT(conflicts.of_pairs, 100u);
  EXPECT_GT(conflicts.of_triples, 100u);
}

// What there was no time for is left out, and nobody takes the rest for all states. Time ends while
// states are looked for, of which there is one then, or, behind as many questions as there are
// states, while they become points.
TEST(Samples, HaveStatesThatCanBeReachedWheneverTimeEnds) {
  std::size_t of_one = 0, of_some = 0;
  for (std::uint64_t seed = 0; seed < 20 && !HasFailure(); ++seed) {
    const Compiled compiled = compile(differential::random_protocol(seed));
    ReversedProgram reversed(compiled.program);
    ReachableSample all(reversed, 2'000, {});
    if (!all.is_complete()) continue;
    std::vector<std::size_t> ends;
    for (std::size_t questions = 1; questions < 5'000; questions *= 2) {
      ends.push_back(questions);
      if (questions <= all.size() / 64) ends.push_back(all.size() + questions);
    }
    for (const std::size_t questions : ends) {
      ReachableSample some(reversed, 2'000, after(questions));
      EXPECT_GE(some.size(), 1u);
      EXPECT_LE(some.size(), all.size());
      EXPECT_EQ(some.is_complete(), some.size() == all.size()) << seed << ", " << questions;
      for (std::size_t i = 0; i < some.size(); ++i) EXPECT_TRUE(all.first_in(some[i]));
      if (!some.is_complete()) ++(some.size() > 1 ? of_some : of_one);
    }
  }
  EXPECT_GT(of_one, 50u);
  EXPECT_GT(of_some, 10u);
}

// Whatever a search looks for, a certificate is asked about.
TEST(Targets, AreAmongThoseOfTheTable) {
  std::size_t compared = 0;
  for (std::uint64_t seed = 0; seed < 40 && !HasFailure(); ++seed) {
    const Compiled compiled = compile(differential::random_protocol(seed));
    ReversedProgram reversed(compiled.program);
    for (const auto policy :
         {ReceptionPolicy::blocked, ReceptionPolicy::reading, ReceptionPolicy::any}) {
      const auto every = every_target(reversed.program, reversed.conditions, policy);
      const auto candidates = reversed.candidates(policy, {});
      if (!candidates) continue;
      for (Targets::Candidate candidate : *candidates) {
        candidate.target.control.clear();
        EXPECT_TRUE(std::ranges::find(every, candidate.target) != every.end())
            << seed << ": " << to_text(reversed.program, candidate.target);
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 1'000u);
}

}  // namespace
}  // namespace panoptes::backward
