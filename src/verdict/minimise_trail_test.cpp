// SPDX-License-Identifier: Apache-2.0
#include "verdict/minimise_trail.hpp"

#include <gtest/gtest.h>

#include "support/program.hpp"
#include "verdict/conclusions.hpp"

namespace panoptes {
namespace {

// The deadlock at the end of the steps with these texts.
ErrorReport deadlock_after(const test::Compiled& compiled, const std::vector<std::string>& texts) {
  std::vector<RuleId> rules;
  for (const std::string& text : texts)
    for (RuleId id = 0; id < compiled.program.rules.size(); ++id)
      if (compiled.program.rules[id].text == text) rules.push_back(id);
  std::string problem;
  const auto trail = follow(compiled.program, rules, problem);
  if (!trail) throw std::runtime_error(problem);
  auto report =
      report_error(compiled.program, Finding{}, trail->last, rules, {}, compiled.sources, problem);
  if (!report) throw std::runtime_error(problem);
  return *report;
}

// With or without a message for q, everybody is at the same place: it is one deadlock.
test::Compiled stopped_sender() {
  return test::compile(
      "var done : 0..1, x : 0..1;\n"
      "channel a[1], b[1];\n"
      "proc p { done = 1; x = 1; b?never }\n"
      "proc q { a?y }\n"
      "proc r { do :: (done == 0) -> a!x od }\n");
}
const std::vector<std::string> with_a_message{"(done == 0)", "a!x", "done = 1", "x = 1"};

TEST(MinimisedTrails, HaveTheCauseOfTheStateTheyEndIn) {
  const test::Compiled compiled = stopped_sender();
  ErrorReport error = deadlock_after(compiled, with_a_message);
  EXPECT_EQ(error.cause, "q at 4:10 cannot receive a?x");
  TrailEffort effort;
  EXPECT_EQ(
      minimise_trail(compiled.program, error, ReceptionPolicy::blocked, compiled.sources, effort),
      2u);
  EXPECT_EQ(error.cause, "");
  EXPECT_EQ(error.cause, deadlock_after(compiled, {"done = 1", "x = 1"}).cause);
  EXPECT_LT(effort.steps, TrailEffort{}.steps);
}

TEST(MinimisedTrails, StayAsTheyAreWhereTheEffortIsSpent) {
  const test::Compiled compiled = stopped_sender();
  TrailEffort spent;
  spent.steps = 0;
  TrailEffort interrupted;
  interrupted.interrupted = [] { return true; };
  for (TrailEffort* effort : {&spent, &interrupted}) {
    ErrorReport error = deadlock_after(compiled, with_a_message);
    EXPECT_EQ(minimise_trail(compiled.program, error, ReceptionPolicy::blocked, compiled.sources,
                             *effort),
              0u);
    EXPECT_EQ(error.trail.steps.size(), 4u);
    EXPECT_EQ(error.cause, "q at 4:10 cannot receive a?x");
  }
}

}  // namespace
}  // namespace panoptes
