// SPDX-License-Identifier: Apache-2.0
// Trails that were written down, and trails that nobody ever walked.
#include "verdict/confirm.hpp"

#include <gtest/gtest.h>

#include "support/model.hpp"

namespace panoptes {
namespace {

RecordedTrail recorded(const ErrorReport& error) {
  RecordedTrail trail{error.description, error.is_warning, {}, {}};
  for (const TrailStep& step : error.trail.steps) trail.steps.push_back(step.rule);
  for (const TrailStep& step : error.cycle.steps) trail.cycle.push_back(step.rule);
  return trail;
}

// What confirm() says of every error of a model: its sentence as found and as seen again.
void expect_confirmed(const std::string& name, const CheckOptions& options,
                      const test::Setup& setup = {}) {
  SCOPED_TRACE(name);
  const test::Compiled compiled = test::compile(test::model_text(name), setup);
  const Verdict verdict = test::check(compiled, options);
  EXPECT_FALSE(verdict.errors.empty());
  for (const ErrorReport& error : verdict.errors) {
    std::string problem;
    const auto again =
        confirm(compiled.program, recorded(error), {options.explore.receptions, options.strict},
                compiled.sources, problem);
    ASSERT_TRUE(again) << problem;
    EXPECT_EQ(again->description.text, error.description.text);
    EXPECT_EQ(again->description.place, error.description.place);
    EXPECT_EQ(again->cause, error.cause);
    EXPECT_EQ(again->trail.last, error.trail.last);
    EXPECT_EQ(again->trail.ends_in_failure, error.trail.ends_in_failure);
    EXPECT_EQ(again->trail.steps.size(), error.trail.steps.size());
    EXPECT_EQ(again->cycle.steps.size(), error.cycle.steps.size());
  }
}

TEST(Confirm, SeesEveryKindOfErrorAgain) {
  CheckOptions options;
  expect_confirmed("exchange", options);
  expect_confirmed("request", options);
  expect_confirmed("mistakes", options, {.overflow = OverflowPolicy::error});
  options.strict = true;
  expect_confirmed("lost_message", options);
  options.search = ExhaustiveSearch{.storage = WholeGraph{}};
  expect_confirmed("polling", options);
}

const char* const model = "channel a[1]; proc p { a!x; assert(1 == 2) } proc q { a?x; a?x }\n";

std::string problem_of(const RecordedTrail& trail) {
  const test::Compiled compiled = test::compile(model);
  std::string problem = "no problem";
  confirm(compiled.program, trail, {}, compiled.sources, problem);
  return problem;
}

TEST(Confirm, SaysWhyATrailIsNone) {
  ErrorDescription deadlock;
  EXPECT_EQ(problem_of({{}, false, {0, 2}, {}}), "no problem");
  EXPECT_EQ(problem_of({{}, false, {0, 0}, {}}), "step 2 (a!x) cannot be replayed");
  EXPECT_EQ(problem_of({{}, false, {0, 9}, {}}), "there is no rule 9: the model has 4");
  // A step that fails leads nowhere.
  EXPECT_EQ(problem_of({{}, false, {0, 1}, {}}), "step 2 (assert(1 == 2)) cannot be replayed");
  EXPECT_EQ(problem_of({deadlock, false, {0}, {}}),
            "the deadlock at the end of a trail of 1 steps does not show on replay");
  ErrorDescription assertion;
  assertion.kind = ErrorKind::assertion;
  assertion.process = "p";
  EXPECT_EQ(problem_of({assertion, false, {0, 1}, {}}), "no problem");
  assertion.process = "q";
  EXPECT_EQ(problem_of({assertion, false, {0, 1}, {}}),
            "the assertion at the end of a trail of 2 steps does not show on replay");
}

}  // namespace
}  // namespace panoptes
