// SPDX-License-Identifier: Apache-2.0
// Runs by chance: how they end, and how often what is chosen.
#include "session/simulate.hpp"

#include <gtest/gtest.h>

#include <map>

#include "support/program.hpp"

namespace panoptes {
namespace {

StepChooser chooser_of(const Program& program, std::uint64_t seed,
                       const StepChooser::Weights& weights = {}) {
  std::string problem;
  auto chooser = StepChooser::make(program, seed, weights, problem);
  if (!chooser) throw std::runtime_error(problem);
  return *chooser;
}

// How often each action is taken in 10,000 steps.
std::map<std::string, std::size_t> counts(const std::string& text,
                                          const StepChooser::Weights& weights = {}) {
  const test::Compiled compiled = test::compile(text);
  SimulationOptions options;
  options.length = 10'000;
  std::string problem;
  const auto run = simulate(compiled.program, chooser_of(compiled.program, 1, weights), options,
                            compiled.sources, problem);
  if (!run) throw std::runtime_error(problem);
  std::map<std::string, std::size_t> result;
  for (const TrailStep& step : run->trail.steps) ++result[compiled.program.rules[step.rule].text];
  return result;
}

void expect_near(double found, double wanted) { EXPECT_NEAR(found, wanted, wanted / 5.0); }

TEST(Simulations, WeighOptionsByTheirTags) {
  auto taken = counts("var n : 0..2; proc p { do :: [high] n = 0 :: n = 1 :: [low] n = 2 od }\n");
  expect_near(static_cast<double>(taken["n = 0"]) / static_cast<double>(taken["n = 1"]), 4.0);
  expect_near(static_cast<double>(taken["n = 1"]) / static_cast<double>(taken["n = 2"]), 4.0);
}

TEST(Simulations, WeighProcessesMessagesAndTimeouts) {
  const std::string two = "var n : 0..2; proc p { do :: n = 0 od } proc q { do :: n = 1 od }\n";
  auto taken = counts(two, {{"q", 9}});
  expect_near(static_cast<double>(taken["n = 1"]) / static_cast<double>(taken["n = 0"]), 9.0);
  taken = counts(two, {{"p", 0}});
  EXPECT_EQ(taken["n = 0"], 0u);
  taken = counts(two, {{"p", 0}, {"q", 0}});  // then there are no others
  expect_near(static_cast<double>(taken["n = 0"]), 5'000.0);
  const std::string sink = "sink s; proc p[i : 0..1] { do :: s!a :: s!b od }\n";
  taken = counts(sink, {{"a", 3}, {"p[0]", 0}});
  expect_near(static_cast<double>(taken["s!a"]) / static_cast<double>(taken["s!b"]), 3.0);
  const std::string timer = "channel c[1]; sink s; proc p { do :: c?timeout :: c?a :: s!b od } ";
  taken = counts(timer + "proc q { do :: c!a od }\n", {{"timeout", 0}, {"q", 0}});
  EXPECT_EQ(taken["c?timeout"], 0u);
  EXPECT_EQ(taken["s!b"], 10'000u);
}

TEST(Simulations, RefuseWeightsOfNothing) {
  const test::Compiled compiled = test::compile("sink s; proc sender { s!message }\n");
  std::string problem;
  EXPECT_FALSE(StepChooser::make(compiled.program, 1, {{"sendr", 2}}, problem));
  EXPECT_EQ(problem, "no process and no message is called `sendr`; did you mean `sender`?");
  EXPECT_FALSE(StepChooser::make(compiled.program, 1, {{"s", 2}}, problem));
  EXPECT_FALSE(StepChooser::make(compiled.program, 1, {{"message", 2}, {"message", 3}}, problem));
  EXPECT_EQ(problem, "`message` has two weights");
}

std::string end_of(const std::string& text, SimulationOptions options = {}) {
  const test::Compiled compiled = test::compile(text);
  std::string problem;
  const auto run = simulate(compiled.program, chooser_of(compiled.program, 1), options,
                            compiled.sources, problem);
  if (!run) return problem;
  return fmt::format("{} after {}{}{}", to_string(run->end), run->trail.steps.size(),
                     run->error ? ": " : "", run->error ? run->error->description.text : "");
}

TEST(Simulations, EndWhereNothingCanHappenOrSomethingIsWrong) {
  EXPECT_EQ(end_of("sink s; proc p { s!a; s!b }\n"), "stopped after 2");
  EXPECT_EQ(end_of("sink s; proc p { do :: s!a od }\n"), "length after 100");
  EXPECT_EQ(end_of("channel c; proc p { c?a } proc q { if :: c!a -> c!a fi }\n"),
            "stopped after 3: all processes have ended and c is not empty");
  EXPECT_EQ(end_of("channel c; proc p { c?a; c?b } proc q { c!a }\n"),
            "error after 2: no process can move");
  EXPECT_EQ(end_of("sink s; proc p { s!a; assert(1 == 2) }\n"),
            "error after 2: process p at 1:23: assert(1 == 2) does not hold");
  SimulationOptions strict;
  strict.strictness.unread_messages_are_errors = true;
  EXPECT_EQ(end_of("channel c; proc p { c?a } proc q { if :: c!a -> c!a fi }\n", strict),
            "error after 3: all processes have ended and c is not empty");
  SimulationOptions interrupted;
  interrupted.interrupted = [] { return true; };
  EXPECT_EQ(end_of("sink s; proc p { do :: s!a od }\n", interrupted), "interrupted after 0");
}

TEST(Simulations, DependOnTheSeedAlone) {
  const test::Compiled compiled = test::compile(test::model_text("sliding_window"));
  const auto rules = [&](std::uint64_t seed) {
    std::string problem;
    const auto run = simulate(compiled.program, chooser_of(compiled.program, seed), {},
                              compiled.sources, problem);
    std::vector<RuleId> result;
    for (const TrailStep& step : run->trail.steps) result.push_back(step.rule);
    return result;
  };
  EXPECT_EQ(rules(3), rules(3));
  EXPECT_NE(rules(3), rules(4));
}

}  // namespace
}  // namespace panoptes
