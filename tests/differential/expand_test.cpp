// SPDX-License-Identifier: Apache-2.0
// Where states with errors are not expanded, the engine and the plain checker still agree; and what
// is said of the rest is so.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "argos/parse.hpp"
#include "differential/engine.hpp"
#include "differential/generator.hpp"

namespace panoptes::differential {
namespace {

constexpr std::uint64_t expanded_protocols = 120;

PlainOptions sound_options(std::uint64_t seed) {
  PlainOptions options;
  options.expands_faulty = false;
  if (seed % 2 == 1) options.timeouts = PlainOptions::Timeouts::lock;
  if (seed % 7 == 3) options.timeouts = PlainOptions::Timeouts::quiet;
  if (seed % 3 == 1) options.receptions = PlainOptions::Receptions::reading;
  if (seed % 3 == 2) options.receptions = PlainOptions::Receptions::any;
  options.state_limit = 4'000;
  return options;
}

// Groups with their counts; and, where they are comparable, the lengths of their trails.
std::string sound_text(const PlainResult& result, bool with_steps) {
  std::string text = fmt::format("{} states, {} transitions\n", result.states, result.transitions);
  for (const PlainError& e : result.errors)
    text += fmt::format("{} [{}] [{}] [{}]: {} times, {} steps\n", e.kind, e.process, e.place,
                        e.message, e.count, with_steps ? e.steps : 0);
  return text;
}

TEST(SoundStates, AreExpandedAndNoOthersByEverySearch) {
  std::uint64_t smaller = 0, same = 0;
  for (std::uint64_t seed = 0; seed < expanded_protocols; ++seed) {
    SourceSet sources;
    Diagnostics diagnostics;
    const argos::Model model =
        argos::parse_text("random.argos", random_protocol(seed), sources, diagnostics);
    EngineOptions options;
    options.plain = sound_options(seed);
    options.interpreted = seed % 2 == 0;
    const PlainResult wanted = plain_check(model, sources, options.plain);
    if (!wanted.complete) continue;
    for (const unsigned threads : {1u, 3u}) {
      options.threads = threads;
      EXPECT_EQ(sound_text(engine_check(model, sources, options).result, true),
                sound_text(wanted, true))
          << "seed " << seed;
    }
    options.threads = 1;
    options.search = ExhaustiveSearch{.order = Order::depth};
    EXPECT_EQ(sound_text(engine_check(model, sources, options).result, false),
              sound_text(wanted, false))
        << "seed " << seed;
    options.search = CacheSearch{};
    options.count_distinct = true;
    EXPECT_EQ(sound_text(engine_check(model, sources, options).result, false),
              sound_text(wanted, false))
        << "seed " << seed;

    // Without an error it is the whole search.
    options = {};
    options.plain = sound_options(seed);
    options.plain.expands_faulty = true;
    const PlainResult all = engine_check(model, sources, options).result;
    EXPECT_EQ(all.errors.empty(), wanted.errors.empty()) << "seed " << seed;
    if (wanted.errors.empty()) {
      EXPECT_EQ(sound_text(all, true), sound_text(wanted, true)) << "seed " << seed;
    }
    EXPECT_GE(all.states, wanted.states);
    smaller += wanted.states < all.states;
    same += wanted.states == all.states;
  }
  EXPECT_GT(smaller, expanded_protocols / 10);
  EXPECT_GT(same, expanded_protocols / 10);
}

}  // namespace
}  // namespace panoptes::differential
