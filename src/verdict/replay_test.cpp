// SPDX-License-Identifier: Apache-2.0
// True trails are accepted, doctored ones are not.
#include <gtest/gtest.h>

#include "support/model.hpp"
#include "verdict/trail.hpp"

namespace panoptes {
namespace {

// A model and the first error found in it, with what replay() wants to know.
struct Found {
  explicit Found(const std::string& text, const test::Setup& setup = {})
      : compiled(test::compile(text, setup)), error(test::check(compiled).errors.at(0)) {
    for (const TrailStep& step : error.trail.steps) rules.push_back(step.rule);
    if (error.trail.ends_in_failure) rules.pop_back();
    key = key_of(compiled.program, error.finding, error.trail.last);
  }

  std::optional<Trail> replay() {
    return panoptes::replay(compiled.program, rules, error.finding, key, ReceptionPolicy::blocked,
                            problem);
  }

  const Program& program() const { return compiled.program; }
  RuleId rule(const std::string& text) const {
    for (RuleId id = 0; id < program().rules.size(); ++id)
      if (program().rules[id].text == text) return id;
    throw std::runtime_error("no rule " + text);
  }

  test::Compiled compiled;
  ErrorReport error;
  std::vector<RuleId> rules;
  ErrorKey key{ErrorKind::deadlock, {}};
  std::string problem;
};

const char* const stuck =
    "channel c[2], d[1];\n"
    "proc p var x; { c!a(1); c!b; x = 2; (x == 3) }\n"
    "proc q { c?a(_); d?timeout }\n";

TEST(Replay, AcceptsATrailThatEndsInItsError) {
  Found found(stuck);
  ASSERT_EQ(found.error.description.kind, ErrorKind::deadlock);
  const auto trail = found.replay();
  ASSERT_TRUE(trail) << found.problem;
  EXPECT_EQ(trail->steps.size(), 5u);
  EXPECT_EQ(trail->last, found.error.trail.last);
  EXPECT_FALSE(trail->ends_in_failure);
  EXPECT_EQ(trail->steps[0].before, found.program().initial);
}

TEST(Replay, AcceptsATrailWhoseLastStepFails) {
  Found found("proc p var x; { x = 2; assert(x == 1) }");
  const auto trail = found.replay();
  ASSERT_TRUE(trail) << found.problem;
  EXPECT_TRUE(trail->ends_in_failure);
  ASSERT_EQ(trail->steps.size(), 2u);
  EXPECT_EQ(found.program().rules[trail->steps[1].rule].text, "assert(x == 1)");
  EXPECT_EQ(trail->steps[1].before, trail->last);
}

TEST(Replay, RejectsARuleThatIsNotEnabled) {
  Found found(stuck);
  found.rules[0] = found.rule("c?a(_)");
  EXPECT_FALSE(found.replay());
  EXPECT_EQ(found.problem, "step 1 (c?a(_)) cannot be replayed");
}

TEST(Replay, RejectsALockOnlyTimeoutWhereSomethingElseCanMove) {
  Found found(stuck, {.timeouts = TimeoutPolicy::lock});
  ASSERT_TRUE(found.replay()) << found.problem;
  // Moved to the front of the steps that remain after c?a(_).
  const RuleId timeout = found.rule("d?timeout");
  ASSERT_EQ(found.rules.back(), timeout);
  found.rules.pop_back();
  const RuleId last = found.rules.back();
  found.rules.back() = timeout;
  found.rules.push_back(last);
  EXPECT_FALSE(found.replay());
  EXPECT_EQ(found.problem, "step 4 (d?timeout) cannot be replayed");
}

TEST(Replay, RejectsAnErrorThatIsNotThere) {
  Found found(stuck);
  found.rules.pop_back();
  EXPECT_FALSE(found.replay());
  EXPECT_EQ(found.problem, "the deadlock at the end of a trail of 4 steps does not show on replay");
}

TEST(Replay, RejectsAnotherErrorThanTheOneFound) {
  Found found(stuck);
  ++found.key.parts[0];
  EXPECT_FALSE(found.replay());
  Found failing("proc p var x; { if :: assert(x == 1) :: assert(x == 2) fi }", {.minimise = false});
  failing.error.finding.rule = failing.rule("assert(x == 2)");
  EXPECT_FALSE(failing.replay());  // in the same state, but another statement
  failing.key = key_of(failing.program(), failing.error.finding, failing.error.trail.last);
  EXPECT_TRUE(failing.replay());
  failing.error.finding.rule = none;
  EXPECT_FALSE(failing.replay());
}

// ---- what a trail knows ------------------------------------------------------------------------

TEST(Trails, KnowWhichStepReceivedWhatAnotherSent) {
  Found found(
      "channel c[3] = { old }, d[1]; sink s;\n"
      "proc p { c!a(1); s!log; c!a(2); d?never }\n"
      "proc q { c?old; c?a(_) }\n");
  const auto trail = found.replay();
  ASSERT_TRUE(trail) << found.problem;
  std::vector<std::string> steps;
  for (const TrailStep& step : trail->steps)
    steps.push_back(
        fmt::format("{} {}", step.message, step.taken_at ? std::to_string(*step.taken_at) : "-"));
  EXPECT_EQ(steps, (std::vector<std::string>{"a(1) 4", "log -", "a(2) -", "old -", "a(1) -"}));
}

TEST(Trails, CountSendsAndTimeoutsAsEvents) {
  Found found(stuck);
  EXPECT_EQ(found.error.trail.event_count(found.program()), 3u);  // c!a(1), c!b, d?timeout
}

}  // namespace
}  // namespace panoptes
