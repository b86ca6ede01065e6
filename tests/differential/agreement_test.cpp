// SPDX-License-Identifier: Apache-2.0
// The engine and the plain checker agree on random protocols, and the comparison has teeth: every
// planted fault is caught. A disagreement is shrunk and kept under tests/regress/.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "argos/build.hpp"
#include "argos/parse.hpp"
#include "differential/engine.hpp"
#include "differential/faults.hpp"
#include "differential/generator.hpp"
#include "differential/plain_checker.hpp"
#include "differential/shrink.hpp"
#include "support/sample.hpp"

namespace panoptes::differential {
namespace {

// Every day half of them.
const std::uint64_t wanted_protocols = compared_protocols / (test::has_all_samples() ? 1 : 2);
// A few more than are compared: some are too large.
const std::uint64_t protocols = wanted_protocols * 112 / 100;
constexpr std::uint64_t shards = 4;

// Options vary with the seed, so that every combination is met.
PlainOptions options_for(std::uint64_t seed) {
  PlainOptions options;
  if (seed % 2 == 1) options.timeouts = PlainOptions::Timeouts::lock;
  if (seed % 7 == 3) options.timeouts = PlainOptions::Timeouts::quiet;
  if (seed % 3 == 1) options.receptions = PlainOptions::Receptions::reading;
  if (seed % 3 == 2) options.receptions = PlainOptions::Receptions::any;
  options.overflow_is_error = seed % 5 == 4;
  options.ranges_wrap = seed % 7 == 6;
  options.state_limit = compared_states();
  return options;
}

std::string to_text(const PlainResult& result) {
  std::string text = fmt::format("{} states, {} transitions, depth {}\n", result.states,
                                 result.transitions, result.depth);
  for (const PlainError& e : result.errors)
    text +=
        fmt::format("{} process [{}] at [{}] message [{}] in [{}]: {} times, {} steps\n", e.kind,
                    e.process, e.place, e.message, fmt::join(e.members, ","), e.count, e.steps);
  return text;
}

// Errors without what a depth-first search or minimised automata may change.
std::string kinds_of(const PlainResult& result, bool with_groups) {
  std::string text;
  std::string last;
  for (const PlainError& e : result.errors) {
    const std::string line = with_groups ? fmt::format("{} [{}] [{}] [{}] {}\n", e.kind, e.process,
                                                       e.place, e.message, e.count)
                                         : e.kind + "\n";
    if (line != last) text += line;
    last = line;
  }
  return text;
}

struct Parsed {
  SourceSet sources;
  Diagnostics diagnostics;
  argos::Model model;
};

std::unique_ptr<Parsed> parse(const std::string& text) {
  auto parsed = std::make_unique<Parsed>();
  parsed->model = argos::parse_text("random.argos", text, parsed->sources, parsed->diagnostics);
  return parsed;
}

bool is_model(const Parsed& parsed) {
  Diagnostics diagnostics;
  return !parsed.diagnostics.has_errors() &&
         build_protocol(parsed.model, {}, parsed.sources, diagnostics).has_value();
}

// Whether the engine finds more states than are compared. It knows in a moment, the plain checker
// only after it has found as many.
bool is_too_large(const Parsed& parsed, const PlainOptions& options) {
  const EngineOpinion engine =
      engine_check(parsed.model, parsed.sources,
                   {.plain = options, .interpreted = false, .state_limit = options.state_limit});
  return engine.problem.empty() && !engine.result.complete &&
         engine.result.states > options.state_limit;
}

// Why the two disagree; "" where they do not, where the text is no model, or where the protocol is
// too large to tell.
std::string disagreement(const std::string& text, const PlainOptions& options,
                         const PlantedFault* fault = nullptr, PlainResult* expected = nullptr,
                         bool interpreted = true) {
  const auto parsed = parse(text);
  if (!is_model(*parsed)) return "";
  const bool is_large = !fault && is_too_large(*parsed, options);
  PlainOptions looked_at = options;
  if (is_large) looked_at.state_limit = std::min<std::uint64_t>(looked_at.state_limit, 2'000);
  PlainResult plain;
  try {
    plain = plain_check(parsed->model, parsed->sources, looked_at);
  } catch (const std::invalid_argument& refused) {  // there is no initial state
    const bool both = !engine_check(parsed->model, parsed->sources, {}).problem.empty();
    return both ? "" : fmt::format("plain checker: {}\n", refused.what());
  }
  if (expected) *expected = plain;
  if (!plain.complete) return "";
  if (is_large)
    return fmt::format("{} states, and more than {} for the engine", plain.states,
                       options.state_limit);
  const EngineOpinion engine =
      engine_check(parsed->model, parsed->sources,
                   {.plain = options, .interpreted = interpreted, .fault = fault});
  if (fault && !engine.fault_planted) return "";
  if (!engine.problem.empty()) return engine.problem;
  const std::string wanted = to_text(plain), got = to_text(engine.result);
  if (wanted != got) return fmt::format("plain checker:\n{}engine:\n{}", wanted, got);
  if (fault) return "";

  const EngineOpinion native = engine_check(parsed->model, parsed->sources,
                                            {.plain = options, .interpreted = false, .threads = 3});
  if (to_text(native.result) != wanted)
    return fmt::format("plain checker:\n{}native:\n{}{}", wanted, to_text(native.result),
                       native.problem);
  const EngineOpinion deep =
      engine_check(parsed->model, parsed->sources,
                   {.plain = options, .search = ExhaustiveSearch{.order = Order::depth}});
  if (deep.result.states != plain.states || deep.result.transitions != plain.transitions ||
      kinds_of(deep.result, true) != kinds_of(plain, true))
    return fmt::format("plain checker:\n{}depth first:\n{}{}", wanted, to_text(deep.result),
                       deep.problem);
  const EngineOpinion minimised = engine_check(
      parsed->model, parsed->sources, {.plain = options, .minimise = true, .interpreted = false});
  if (minimised.result.states > plain.states ||
      kinds_of(minimised.result, false) != kinds_of(plain, false))
    return fmt::format("plain checker:\n{}minimised:\n{}{}", wanted, to_text(minimised.result),
                       minimised.problem);
  return "";
}

std::string keep(const std::string& text, std::uint64_t seed) {
  const PlainOptions options = options_for(seed);
  const std::string small = shrink(
      text, [&](const std::string& smaller) { return !disagreement(smaller, options).empty(); });
  const auto folder = std::filesystem::path(PANOPTES_SOURCE_DIR) / "tests" / "regress";
  std::filesystem::create_directories(folder);
  const auto path = folder / fmt::format("seed-{}.argos", seed);
  std::ofstream(path) << fmt::format("// seed {}\n", seed) << small;
  return small;
}

class Agreement : public testing::TestWithParam<std::uint64_t> {};

TEST_P(Agreement, EngineAndPlainCheckerGiveTheSameAnswers) {
  std::uint64_t large = 0, complete = 0;
  const std::uint64_t begin = first_seed() + GetParam() * (protocols / shards);
  for (std::uint64_t seed = begin; seed < begin + protocols / shards; ++seed) {
    const std::string text = random_protocol(seed);
    ASSERT_TRUE(is_model(*parse(text))) << "seed " << seed << " is no model:\n" << text;
    PlainResult expected;
    const std::string reason = disagreement(text, options_for(seed), nullptr, &expected);
    if (!reason.empty()) {
      const std::string small = keep(text, seed);
      FAIL() << "seed " << seed << "\n"
             << disagreement(small, options_for(seed)) << "kept under tests/regress:\n"
             << small;
    }
    complete += expected.complete;
    large += expected.states > 100;
  }
  EXPECT_GE(complete, wanted_protocols / shards) << "too many protocols were too large to compare";
  EXPECT_GE(large * 5, protocols / shards * 2) << "too few have more than 100 states";
}

INSTANTIATE_TEST_SUITE_P(Shards, Agreement, testing::Range<std::uint64_t>(0, shards));

TEST(Regress, EveryKeptProtocolAgreesNow) {
  const auto folder = std::filesystem::path(PANOPTES_SOURCE_DIR) / "tests" / "regress";
  if (!std::filesystem::exists(folder)) return;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".argos") continue;
    std::ifstream file(entry.path());
    std::stringstream text;
    text << file.rdbuf();
    for (std::uint64_t seed = 0; seed < 30; ++seed)
      EXPECT_EQ(disagreement(text.str(), options_for(seed)), "") << entry.path();
  }
}

class Teeth : public testing::TestWithParam<std::tuple<std::size_t, bool>> {};

TEST_P(Teeth, APlantedFaultIsCaught) {
  const PlantedFault fault = all_faults()[std::get<0>(GetParam())];
  const bool interpreted = std::get<1>(GetParam());
  constexpr std::uint64_t tries = 600;
  for (std::uint64_t seed = 0; seed < tries; ++seed) {
    PlainOptions options = options_for(seed);
    options.state_limit = 3'000;
    if (!disagreement(random_protocol(seed), options, &fault, nullptr, interpreted).empty()) return;
  }
  FAIL() << "nobody noticed in " << tries << " protocols: " << fault.name;
}

// For the interpreter and for the native stepper.
INSTANTIATE_TEST_SUITE_P(Faults, Teeth,
                         testing::Combine(testing::Range<std::size_t>(0, all_faults().size()),
                                          testing::Bool()));

}  // namespace
}  // namespace panoptes::differential
