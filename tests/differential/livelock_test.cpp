// SPDX-License-Identifier: Apache-2.0
// The engine and the plain checker agree on livelocks and stuck processes of random protocols; and
// keeping the graph changes nothing else.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <iterator>

#include "argos/parse.hpp"
#include "differential/engine.hpp"
#include "differential/generator.hpp"
#include "support/sample.hpp"

namespace panoptes::differential {
namespace {

const std::uint64_t livelock_protocols = test::sample_of(1500);
constexpr std::uint64_t livelock_shards = 3;

// A random protocol and a process beside it that at times gets to spin: the others block for want
// of each other often enough, so that some livelocks have ways out and some have none.
std::string spinning_protocol(std::uint64_t seed) {
  static const char* const spinners[] = {
      "proc spin { do :: skip od }\n",
      "proc spin var turn : 0..2 wraps; { do :: turn++ :: (turn == 2) -> break od }\n",
      "proc spin var turn : 0..2; { do :: (turn < 2) -> turn++ :: (turn == 2) -> skip od }\n",
      "var told : 0..1; proc spin { do :: skip :: told = 1 od }\n",
      "proc spin { if :: goto round :: goto out fi; round: do :: skip od; end: out: skip }\n",
      "proc spin { end: do :: skip od }\n",
      "proc spin var turn : 0..3; { do :: turn = (turn + 1) % 4; assert(turn != 5) od }\n",
      "proc spin var n : 0..1; { do :: n = 1; n = 0 :: assert(n == 0); (n == 1) od }\n",
  };
  return spinners[seed % std::size(spinners)] + random_protocol(seed);
}

PlainOptions livelock_options(std::uint64_t seed) {
  PlainOptions options;
  if (seed % 2 == 1) options.timeouts = PlainOptions::Timeouts::lock;
  options.overflow_is_error = seed % 5 == 4;
  options.state_limit = 1'500;
  options.livelocks = true;
  return options;
}

std::string to_text(const PlainResult& result, bool only_others) {
  std::string text = fmt::format("{} states, {} transitions\n", result.states, result.transitions);
  for (const PlainError& e : result.errors)
    if (!only_others || (e.kind != "livelock" && e.kind != "stuck"))
      text += fmt::format("{} [{}] at [{}] [{}]: {} times, {} steps\n", e.kind, e.process, e.place,
                          e.message, e.count, e.steps);
  return text;
}

std::string all_of(const PlainResult& result, std::string_view kind) {
  std::string text;
  for (const PlainError& e : result.errors)
    if (e.kind == kind)
      text += fmt::format("{} [{}] at [{}]: {} times, {} steps\n", kind, e.process, e.place,
                          e.count, e.steps);
  return text;
}

// Whether there are any: where automata are minimised, places may be others.
std::string any_of(const PlainResult& result) {
  return fmt::format("{} {}", all_of(result, "livelock").empty(), all_of(result, "stuck").empty());
}

class Livelocks : public testing::TestWithParam<std::uint64_t> {};

TEST_P(Livelocks, AreThoseOfThePlainChecker) {
  std::uint64_t compared = 0, with_livelocks = 0, with_stuck = 0;
  const std::uint64_t begin = GetParam() * (livelock_protocols / livelock_shards);
  for (std::uint64_t seed = begin; seed < begin + livelock_protocols / livelock_shards; ++seed) {
    const std::string text = seed % 3 == 0 ? random_protocol(seed) : spinning_protocol(seed);
    SourceSet sources;
    Diagnostics diagnostics;
    const argos::Model model = argos::parse_text("random.argos", text, sources, diagnostics);
    ASSERT_FALSE(diagnostics.has_errors()) << diagnostics.render(sources);
    const PlainOptions options = livelock_options(seed);
    const PlainResult plain = plain_check(model, sources, options);
    if (!plain.complete) continue;
    ++compared;
    const std::string which = fmt::format("seed {}\n{}", seed, text);

    const EngineOpinion kept = engine_check(model, sources, {options});
    ASSERT_EQ(kept.problem, "") << which;
    ASSERT_EQ(to_text(kept.result, false), to_text(plain, false)) << which;
    with_livelocks += !all_of(plain, "livelock").empty();
    with_stuck += !all_of(plain, "stuck").empty();

    EngineOptions without{options};
    without.plain.livelocks = false;
    ASSERT_EQ(to_text(engine_check(model, sources, without).result, true), to_text(plain, true))
        << which;

    EngineOptions deep{options};
    deep.search = ExhaustiveSearch{.order = Order::depth};
    deep.interpreted = false;
    const EngineOpinion deeper = engine_check(model, sources, deep);
    for (const char* const kind : {"livelock", "stuck"})
      ASSERT_EQ(all_of(deeper.result, kind), all_of(plain, kind)) << which;

    EngineOptions minimised{options};
    minimised.minimise = true;
    ASSERT_EQ(any_of(engine_check(model, sources, minimised).result), any_of(plain)) << which;
  }
  EXPECT_GE(compared, livelock_protocols / livelock_shards / 4);
  EXPECT_GE(with_livelocks, compared / 10) << "too few have a livelock";
  EXPECT_GE(with_stuck, compared / 10) << "too few have a stuck process";
}

INSTANTIATE_TEST_SUITE_P(Shards, Livelocks, testing::Range<std::uint64_t>(0, livelock_shards));

struct StuckFault {
  const char* name;
  bool PlainStuckFaults::*flag;
};

class PlantedStuckFaults : public testing::TestWithParam<StuckFault> {};

TEST_P(PlantedStuckFaults, AreCaught) {
  constexpr std::uint64_t most_seeds = 300;
  for (std::uint64_t seed = 0; seed < most_seeds; ++seed) {
    SourceSet sources;
    Diagnostics diagnostics;
    const argos::Model model =
        argos::parse_text("random.argos", spinning_protocol(seed), sources, diagnostics);
    PlainOptions options = livelock_options(seed);
    options.state_limit = 300;
    PlainOptions wrong = options;
    wrong.stuck_faults.*GetParam().flag = true;
    const PlainResult plain = plain_check(model, sources, wrong);
    if (!plain.complete) continue;
    if (to_text(engine_check(model, sources, {options}).result, false) != to_text(plain, false))
      return;
  }
  FAIL() << "nobody has noticed";
}

INSTANTIATE_TEST_SUITE_P(
    Each, PlantedStuckFaults,
    testing::Values(StuckFault{"ReceptionsForgotten", &PlainStuckFaults::forgets_receptions},
                    StuckFault{"FailuresForgotten", &PlainStuckFaults::forgets_failures},
                    StuckFault{"LivelocksForgotten", &PlainStuckFaults::forgets_livelocks},
                    StuckFault{"EndsForgotten", &PlainStuckFaults::forgets_ends},
                    StuckFault{"OneStepOnly", &PlainStuckFaults::looks_at_one_step}),
    [](const auto& each) { return std::string(each.param.name); });

}  // namespace
}  // namespace panoptes::differential
