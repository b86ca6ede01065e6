// SPDX-License-Identifier: Apache-2.0
// What is said to be independent can be exchanged, and what is said to be concurrent with an error
// can be left out.
#include "verdict/causality.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/model.hpp"
#include "verdict/minimise_trail.hpp"

namespace panoptes {
namespace {

// Models with errors of all kinds, in variants.
std::vector<test::Compiled> faulty_models() {
  std::vector<test::Compiled> models;
  const std::pair<const char*, const char*> variants[] = {
      {"setup_handshake", ""},
      {"dining_philosophers", ""},
      {"connection", ""},
      {"mistakes", ""},
      {"alternating_bit_link", "#define A3\n"},
      {"leader_election", "#define TWINS\n"},
      {"peterson", "#define SWAPPED\n"},
      {"two_phase_commit", "#define CRASH\n#define IMPATIENT\n"}};
  for (const auto& [name, definitions] : variants)
    models.push_back(test::compile(test::model_text(name, definitions)));
  test::Setup lock;
  lock.timeouts = TimeoutPolicy::lock;
  models.push_back(test::compile(test::model_text("alternating_bit_link", "#define A2\n"), lock));
  // What a step looks at is changed by others, and a channel that is read depends on a variable.
  models.push_back(
      test::compile("channel c[3]; var seen : 0..1;\n"
                    "proc a { c!m; c!n; c!m }\n"
                    "proc w { (len(c) == 1); seen = 1; (len(c) == 1) }\n"
                    "proc r { c?m; c?n; (seen == 1); c?m; assert(0) }\n"));
  models.push_back(
      test::compile("channel c[0..1][2]; var x : 0..1;\n"
                    "proc q { x = 1 }\n"
                    "proc s { c[1]!b }\n"
                    "proc p { c[x]?a }\n"
                    "proc t { c[0]!a }\n"
                    "proc z { do :: skip od }\n"));
  models.push_back(
      test::compile("channel c[1], d[1];\n"
                    "proc s { c!b }\n"
                    "proc t { d!b }\n"
                    "proc p { if :: c?a :: d?timeout fi }\n"));
  return models;
}

// Errors at the end of random walks, whose trails are as long as they come.
std::vector<ErrorReport> errors_of_walks(const test::Compiled& compiled,
                                         ReceptionPolicy receptions = ReceptionPolicy::blocked) {
  std::vector<ErrorReport> errors;
  CheckOptions options;
  options.explore.receptions = receptions;
  options.search = RandomWalks{1};
  options.limits.depth = 300;
  for (options.seed = 1; options.seed <= 20; ++options.seed)
    for (ErrorReport& error : test::check(compiled, options).errors)
      errors.push_back(std::move(error));
  return errors;
}

std::vector<RuleId> rules_of(const Trail& trail) {
  std::vector<RuleId> rules;
  for (const TrailStep& step : trail.steps) rules.push_back(step.rule);
  if (trail.ends_in_failure) rules.pop_back();
  return rules;
}

TEST(Causality, AllowsNeighboursToBeExchangedThatDoNotNeedEachOther) {
  std::size_t exchanged = 0;
  for (const test::Compiled& compiled : faulty_models()) {
    for (const ErrorReport& error : errors_of_walks(compiled)) {
      const Causes causes = causes_of(compiled.program, error.trail.steps);
      const std::vector<RuleId> rules = rules_of(error.trail);
      for (std::size_t i = 0; i + 1 < rules.size(); ++i) {
        if (std::ranges::count(causes[i + 1], i) > 0) continue;
        std::vector<RuleId> other = rules;
        std::swap(other[i], other[i + 1]);
        std::string problem;
        const auto trail = replay(compiled.program, other, error.finding, error.key,
                                  ReceptionPolicy::blocked, problem);
        ASSERT_TRUE(trail) << "steps " << i + 1 << " and " << i + 2 << ": " << problem;
        EXPECT_EQ(trail->last, error.trail.last);
        ++exchanged;
      }
    }
  }
  EXPECT_GT(exchanged, 100u);
}

TEST(Causality, NamesTheStepsAnErrorDoesNotNeed) {
  // What `idler` does has nothing to do with the message that nobody expects.
  const test::Compiled compiled = test::compile(
      "channel c[1], d[1];\n"
      "proc idler { d!x; d!x }\n"
      "proc taker { do :: d?x od }\n"
      "proc sender { c!odd }\n"
      "proc receiver { if :: c?even :: c?timeout -> c?even fi }\n");
  CheckOptions options;
  options.search = RandomWalks{1};
  std::size_t concurrent = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    options.seed = seed;
    for (const ErrorReport& error : test::check(compiled, options).errors) {
      if (error.description.kind != ErrorKind::unspecified_reception) continue;
      const std::vector<bool> needed = needed_by(compiled.program, error.trail, error.finding);
      for (std::size_t i = 0; i < needed.size(); ++i) {
        const ProcessId process = compiled.program.rules[error.trail.steps[i].rule].owner().process;
        EXPECT_EQ(needed[i], process >= 2) << error.trail.steps.size() << " steps, step " << i;
        concurrent += needed[i] ? 0 : 1;
      }
    }
  }
  EXPECT_GT(concurrent, 0u);
}

TEST(Causality, LetsEverythingElseBeLeftOut) {
  std::size_t left_out = 0;
  for (const ReceptionPolicy receptions :
       {ReceptionPolicy::blocked, ReceptionPolicy::reading, ReceptionPolicy::any})
    for (const test::Compiled& compiled : faulty_models())
      for (const ErrorReport& error : errors_of_walks(compiled, receptions)) {
        const std::vector<bool> needed = needed_by(compiled.program, error.trail, error.finding);
        const std::vector<RuleId> rules = rules_of(error.trail);
        std::vector<RuleId> rest;
        for (std::size_t i = 0; i < rules.size(); ++i)
          if (needed[i]) rest.push_back(rules[i]);
        std::string problem;
        EXPECT_TRUE(replay(compiled.program, rest, error.finding, error.key, receptions, problem))
            << error.description.text << ": " << problem;
        left_out += rules.size() - rest.size();
      }
  EXPECT_GT(left_out, 100u);
}

std::size_t minimise(const test::Compiled& compiled, ErrorReport& error) {
  TrailEffort effort;
  return minimise_trail(compiled.program, error, ReceptionPolicy::blocked, compiled.sources,
                        effort);
}

TEST(MinimisedTrails, LeadToTheSameErrorInNoMoreSteps) {
  std::size_t left_out = 0;
  for (const test::Compiled& compiled : faulty_models()) {
    for (ErrorReport& error : errors_of_walks(compiled)) {
      const std::size_t before = error.trail.steps.size();
      const std::size_t gone = minimise(compiled, error);
      EXPECT_LE(error.trail.steps.size(), before);
      std::string problem;
      EXPECT_TRUE(replay(compiled.program, rules_of(error.trail), error.finding, error.key,
                         ReceptionPolicy::blocked, problem))
          << problem;
      left_out += gone;
    }
  }
  EXPECT_GT(left_out, 100u);
}

TEST(MinimisedTrails, OfAShortestOneAreTheSame) {
  for (const test::Compiled& compiled : faulty_models()) {
    for (ErrorReport& error : test::check(compiled).errors)
      EXPECT_EQ(minimise(compiled, error), 0u);
  }
}

TEST(MinimisedTrails, OfALivelockAreTheShortestWaysToIt) {
  const test::Compiled compiled = test::compile(
      "channel c[1];\n"
      "proc a var x : 0..3; { do :: x = (x + 1) % 4 :: c!go; break od; do :: x = 1 :: x = 2 od }\n"
      "proc b { c?go }\n");
  CheckOptions options;
  options.search = ExhaustiveSearch{.order = Order::depth, .storage = WholeGraph{}};
  Verdict verdict = test::check(compiled, options);
  ASSERT_EQ(verdict.errors.size(), 1u);
  ErrorReport& error = verdict.errors.front();
  ASSERT_EQ(error.description.kind, ErrorKind::livelock);
  EXPECT_EQ(minimise(compiled, error), 0u);
  // c!go, c?go and an assignment, which may lead back to where it began.
  EXPECT_EQ(error.trail.steps.size(), 3u);
  EXPECT_EQ(error.cycle.steps.size(), 1u);
}

}  // namespace
}  // namespace panoptes
