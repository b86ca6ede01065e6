// SPDX-License-Identifier: Apache-2.0
// --never and --reach, from the command line to the trail and back.
#include <nlohmann/json.hpp>

#include "cli/child.hpp"
#include "support/json.hpp"

namespace panoptes::cli {
namespace {

using Json = nlohmann::json;

class Invariants : public testing::Test {
 protected:
  Json checked(std::vector<std::string> options, int code) {
    options.insert(options.begin(), {"check", path_, "--json"});
    const Result result = run(options);
    EXPECT_EQ(result.exit_code, code) << result.errors;
    return test::parse_json(result.output);
  }

  TemporaryFolder folder_;
  std::string path_ = folder_.write(
      "m.argos",
      "var x : 0..3; proc p { do :: x < 3 -> x = x + 1 :: x == 3 -> x = 0 od } proc q { (0) }");
};

TEST_F(Invariants, OfTheCommandLineAreThoseOfARun) {
  const Json both = checked({"--never", "x == 2", "--never", "x == 3 && q@end"}, 1);
  ASSERT_EQ(both["errors"].size(), 1u);
  EXPECT_EQ(both["errors"][0]["kind"], "invariant");
  EXPECT_EQ(both["errors"][0]["message"], "never (x == 2)");
  EXPECT_EQ(both["options"]["never"], "x == 2; x == 3 && q@end");
  EXPECT_EQ(checked({}, 0)["verdict"], "holds");
}

TEST_F(Invariants, ThatAreAskedForAreReachedOrNotOrNobodyKnows) {
  const Json found = checked({"--reach", "x == 3", "--shortest"}, 1);
  ASSERT_EQ(found["errors"].size(), 1u);
  EXPECT_EQ(found["errors"][0]["kind"], "reached");
  EXPECT_EQ(found["errors"][0]["steps"], 6);
  EXPECT_EQ(found["errors"][0]["shortest"], true);
  EXPECT_EQ(checked({"--reach", "x == 3 && q@end"}, 0)["promise"], "exhaustive");
  EXPECT_EQ(checked({"--reach", "x == 3", "--depth", "4"}, 3)["verdict"], "unknown");
  const Result clash = run({"check", path_, "--reach", "x == 3", "--never", "x == 2"});
  EXPECT_EQ(clash.exit_code, 2);
  EXPECT_TRUE(contains(clash.errors, "--never is not for --reach, which looks for nothing else"))
      << clash.errors;
}

TEST_F(Invariants, AreConfirmedByTheirTrails) {
  const std::string trail = folder_.path("t.json");
  run({"check", path_, "--never", "x == 2", "--trail", trail});
  Result replayed = run({"replay", path_, trail});
  EXPECT_EQ(replayed.exit_code, 1) << replayed.errors;
  EXPECT_TRUE(contains(replayed.output, "never (x == 2) does not hold")) << replayed.output;
  replayed = run({"replay", path_, trail, "--never", "x == 1"});
  EXPECT_EQ(replayed.exit_code, 2);
  EXPECT_TRUE(contains(replayed.errors, "--never 'x == 2'")) << replayed.errors;
  run({"check", path_, "--reach", "x == 3", "--trail", trail});
  replayed = run({"replay", path_, trail});
  EXPECT_EQ(replayed.exit_code, 1) << replayed.errors;
  EXPECT_TRUE(contains(replayed.output, "x == 3 holds")) << replayed.output;
}

TEST_F(Invariants, AreFoundBrokenInADatabaseAndByASimulation) {
  const Result related = run({"relate", path_, "--never", "x == 2"});
  EXPECT_EQ(related.exit_code, 1) << related.errors;
  EXPECT_TRUE(contains(related.output, "never (x == 2) does not hold, where x = 2"))
      << related.output;
  const Result asked = run({"query", path_, "--never", "x == 2", "--named", "invariants"});
  EXPECT_EQ(asked.exit_code, 0) << asked.errors;
  EXPECT_TRUE(contains(asked.output, "never (x == 2)")) << asked.output;
  EXPECT_EQ(run({"simulate", path_, "--never", "x == 2"}).exit_code, 1);
}

}  // namespace
}  // namespace panoptes::cli
