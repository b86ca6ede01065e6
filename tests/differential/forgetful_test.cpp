// SPDX-License-Identifier: Apache-2.0
// Searches that forget find in random protocols what an exhaustive one finds: a cache and a stack
// the same states and groups of errors, walks some of them. All trails are replayed by the check.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "argos/parse.hpp"
#include "differential/engine.hpp"
#include "differential/generator.hpp"
#include "support/sample.hpp"

namespace panoptes::differential {
namespace {

const std::uint64_t forgetful_protocols = test::sample_of(300);
constexpr std::uint64_t cached_states = 2'000;  // what has more is left out

struct Protocol {
  explicit Protocol(std::uint64_t seed) : options_(seed) {
    model_ = argos::parse_text("random.argos", random_protocol(seed), sources_, diagnostics_);
  }

  PlainResult check(const SearchPlan& search, const Limits& limits, std::uint64_t seed = 1,
                    std::uint64_t state_limit = UINT64_MAX) {
    EngineOptions options;
    if (options_ % 2 == 1) options.plain.timeouts = PlainOptions::Timeouts::lock;
    if (options_ % 3 == 1) options.plain.receptions = PlainOptions::Receptions::any;
    options.interpreted = false;
    options.search = search;
    options.seed = seed;
    options.count_distinct = true;
    options.limits = limits;
    options.state_limit = state_limit;
    const EngineOpinion opinion = engine_check(model_, sources_, options);
    EXPECT_EQ(opinion.problem, "");
    return opinion.result;
  }

 private:
  std::uint64_t options_;
  SourceSet sources_;
  Diagnostics diagnostics_;
  argos::Model model_;
};

constexpr Replacement strategies[] = {Replacement::most, Replacement::least,
                                      Replacement::largest_class, Replacement::oldest,
                                      Replacement::subtree};

// A cache of half the states, and one of a single place; where the work done twice takes too long,
// nothing is compared.
TEST(Forgetful, CacheFindsTheSameStatesAndErrors) {
  std::uint64_t compared = 0;
  for (std::uint64_t seed = 0; seed < forgetful_protocols; ++seed) {
    Protocol protocol(seed);
    const PlainResult wanted = protocol.check(ExhaustiveSearch{}, {}, 1, cached_states);
    if (!wanted.complete || wanted.states > cached_states) continue;
    CacheSearch search{.states = wanted.states};
    const PlainResult whole = protocol.check(search, {.depth = 0});
    EXPECT_TRUE(whole.complete) << "seed " << seed;
    EXPECT_EQ(whole.states, wanted.states) << "seed " << seed;
    EXPECT_EQ(whole.transitions, wanted.transitions) << "seed " << seed;
    EXPECT_EQ(groups_of(whole), groups_of(wanted)) << "seed " << seed;

    for (const std::uint64_t places : {std::max<std::uint64_t>(1, wanted.states / 2), 1ul}) {
      search.states = places;
      search.replacement = strategies[seed % std::size(strategies)];
      const PlainResult small =
          protocol.check(search, {.memory_bytes = UINT64_MAX, .seconds = 0.05, .depth = 0});
      if (!small.complete) continue;
      ++compared;
      EXPECT_EQ(small.states, wanted.states) << "seed " << seed;
      EXPECT_EQ(groups_of(small), groups_of(wanted)) << "seed " << seed;
    }
  }
  EXPECT_GT(compared, forgetful_protocols / 2);
}

TEST(Forgetful, StackFindsTheSameStatesAndErrorsNearTheInitialState) {
  for (std::uint64_t seed = 0; seed < forgetful_protocols; ++seed) {
    Protocol protocol(seed);
    const Limits near{.depth = 7};
    const PlainResult wanted = protocol.check(ExhaustiveSearch{}, near);
    for (const bool labelled_only : {false, true}) {
      const PlainResult found = protocol.check(StackSearch{labelled_only}, near);
      EXPECT_EQ(found.states, wanted.states) << "seed " << seed;
      EXPECT_EQ(groups_of(found), groups_of(wanted)) << "seed " << seed;
    }
  }
}

TEST(Forgetful, WalksFindNothingThatIsNotThere) {
  std::uint64_t found_some = 0, have_some = 0;
  for (std::uint64_t seed = 0; seed < forgetful_protocols; ++seed) {
    Protocol protocol(seed);
    const PlainResult all = protocol.check(ExhaustiveSearch{}, {}, 1, compared_states());
    if (!all.complete) continue;
    const auto wanted = groups_of(all);
    const PlainResult walked = protocol.check(RandomWalks{100}, {.depth = 200}, seed + 1);
    const auto found = groups_of(walked);
    EXPECT_FALSE(walked.complete);
    EXPECT_TRUE(std::includes(wanted.begin(), wanted.end(), found.begin(), found.end()))
        << "seed " << seed;
    have_some += !wanted.empty();
    found_some += !found.empty();
  }
  EXPECT_GT(found_some * 2, have_some) << "walks find errors in most protocols that have some";
}

}  // namespace
}  // namespace panoptes::differential
