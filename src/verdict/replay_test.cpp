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

TEST(Replay, KnowsTheValuesOfWhateverIsSent) {
  // To a sink, to a channel, and with a step that fails.
  Found found(
      "channel c[2]; sink log;\n"
      "proc p var x : 0..9; { x = 3; log!seen(x); c!m(x + 4); c!m(x, 8) }\n"
      "proc q { c?m(_); c?m(_, _) }\n"
      "assert one { c!m }\n");
  const auto trail = found.replay();
  ASSERT_TRUE(trail) << found.problem;
  std::vector<std::string> messages;
  for (const TrailStep& step : trail->steps)
    if (found.program().rules[step.rule].kind == ActionKind::send) messages.push_back(step.message);
  EXPECT_EQ(messages, (std::vector<std::string>{"seen(3)", "m(7)", "m(3, 8)"}));
  EXPECT_TRUE(trail->ends_in_failure);
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

// ---- livelocks ---------------------------------------------------------------------------------

struct Livelock {
  explicit Livelock(const std::string& text) : compiled(test::compile(text)) {}

  // By the texts of the rules.
  bool replays(const std::vector<std::string>& way, const std::vector<std::string>& cycle) {
    const auto rules = [&](const std::vector<std::string>& texts) {
      std::vector<RuleId> result;
      for (const std::string& text : texts)
        for (RuleId id = 0; id < compiled.program.rules.size(); ++id)
          if (compiled.program.rules[id].text == text) result.push_back(id);
      EXPECT_EQ(result.size(), texts.size());
      return result;
    };
    LivelockShape shape;
    return replay_livelock(compiled.program, {rules(way), rules(cycle)}, shape, problem)
        .has_value();
  }

  test::Compiled compiled;
  std::string problem;
};

TEST(ReplayOfLivelocks, AcceptsACycleThatNothingLeadsOutOf) {
  Livelock found("channel c[1]; proc p var x : 0..3; { c!m; do :: x = (x + 1) % 2 od }");
  EXPECT_TRUE(found.replays({"c!m"}, {"x = (x + 1) % 2", "x = (x + 1) % 2"})) << found.problem;
}

TEST(ReplayOfLivelocks, RefusesOneThatDoesNotLeadBack) {
  Livelock found("channel c[1]; proc p var x : 0..3; { c!m; do :: x = (x + 1) % 2 od }");
  EXPECT_FALSE(found.replays({"c!m"}, {"x = (x + 1) % 2"}));
  EXPECT_EQ(found.problem, "a cycle of 1 steps does not lead back on replay");
  EXPECT_FALSE(found.replays({"c!m"}, {}));
  EXPECT_FALSE(found.replays({}, {"x = (x + 1) % 2"}));
  EXPECT_EQ(found.problem, "step 1 (x = (x + 1) % 2) cannot be replayed");
}

TEST(ReplayOfLivelocks, RefusesOneWithAWayOut) {
  for (const std::string way_out :
       {":: (x == 1) -> c!m", ":: (x == 1) -> break", ":: (x == 1) -> s = 1",
        ":: (x == 1) -> assert(x == 0)", ":: (x == 1) -> x = 2; (x == 1)"}) {
    Livelock found("var s : 0..1; sink c; proc p var x : 0..3; { do :: x = 1 - x " + way_out +
                   " od }");
    EXPECT_FALSE(found.replays({}, {"x = 1 - x", "x = 1 - x"})) << way_out;
    EXPECT_EQ(found.problem, "there is a way out of a cycle of 2 steps");
  }
}

}  // namespace
}  // namespace panoptes
