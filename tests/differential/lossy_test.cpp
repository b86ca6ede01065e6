// SPDX-License-Identifier: Apache-2.0
// Searches that may miss states find in random protocols nothing that is not there: some of the
// states and groups of errors of an exhaustive search. All trails are replayed by the check.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "argos/parse.hpp"
#include "differential/engine.hpp"
#include "differential/generator.hpp"
#include "support/sample.hpp"

namespace panoptes::differential {
namespace {

const std::uint64_t lossy_protocols = test::sample_of(300);

struct Lossy {
  std::string name;
  ExhaustiveSearch search;
  std::uint64_t memory_bytes = UINT64_MAX;
};

std::vector<Lossy> every_lossy() {
  const BitArena bits{.bytes = 64};
  return {{"Bits", {.storage = bits}},
          {"BitsThreeTimes", {.storage = bits, .course = Runs{3}}},
          {"OneBit", {.storage = BitArena{256, 1}}},
          {"Fingerprints", {.storage = Fingerprints{16}}},
          {"LittleMemory", {}, 60'000},
          {"HardlyAnyMemory", {}, 20'000}};
}

class LossySearch : public testing::TestWithParam<Lossy> {};
INSTANTIATE_TEST_SUITE_P(Of, LossySearch, testing::ValuesIn(every_lossy()),
                         [](const auto& param) { return param.param.name; });

TEST_P(LossySearch, FindsNothingThatIsNotThere) {
  const Lossy& lossy = GetParam();
  std::uint64_t found_fewer = 0, found_some = 0;
  for (std::uint64_t seed = 0; seed < lossy_protocols; ++seed) {
    SourceSet sources;
    Diagnostics diagnostics;
    const argos::Model model =
        argos::parse_text("random.argos", random_protocol(seed), sources, diagnostics);
    EngineOptions options;
    options.interpreted = false;
    options.threads = seed % 2 == 0 ? 1 : 2;
    if (seed % 3 == 1) options.plain.receptions = PlainOptions::Receptions::any;
    options.state_limit = compared_states();
    const EngineOpinion wanted = engine_check(model, sources, options);
    if (!wanted.result.complete) continue;
    options.state_limit = UINT64_MAX;
    options.search = lossy.search;
    options.limits.memory_bytes = lossy.memory_bytes;
    options.seed = seed + 1;
    const EngineOpinion found = engine_check(model, sources, options);
    ASSERT_EQ(wanted.problem, "") << "seed " << seed;
    ASSERT_EQ(found.problem, "") << "seed " << seed;
    EXPECT_LE(found.result.states, wanted.result.states) << "seed " << seed;
    const auto all = groups_of(wanted.result), some = groups_of(found.result);
    EXPECT_TRUE(std::includes(all.begin(), all.end(), some.begin(), some.end())) << "seed " << seed;
    if (found.result.complete) {
      EXPECT_EQ(found.result.states, wanted.result.states) << "seed " << seed;
      EXPECT_EQ(some, all) << "seed " << seed;
    }
    found_fewer += found.result.states < wanted.result.states;
    found_some += !some.empty();
  }
  EXPECT_GT(found_some, lossy_protocols / 10);
  EXPECT_TRUE(found_fewer > test::sample_of(30) ||
              std::holds_alternative<Fingerprints>(lossy.search.storage))
      << "too large to miss any";
}

}  // namespace
}  // namespace panoptes::differential
