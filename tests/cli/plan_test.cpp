// SPDX-License-Identifier: Apache-2.0
// `panoptes plan`: what is known is said as it is, what is not is said to be an estimate, and what
// was asked for is what is assumed.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/child.hpp"
#include "support/json.hpp"

namespace panoptes::cli {
namespace {

const std::string models = std::string(PANOPTES_SOURCE_DIR) + "/models/";

nlohmann::json plan_of(std::vector<std::string> words) {
  words.insert(words.begin(), "plan");
  words.emplace_back("--json");
  const Result result = run(words);
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  return test::parse_json(result.output);
}

TEST(Plan, KnowsWhatItsSampleHasSeen) {
  const auto plan = plan_of({models + "connection.argos"});
  EXPECT_EQ(plan["estimated"]["source"], "sample");
  EXPECT_EQ(plan["sample"]["states"], 10);
  EXPECT_EQ(plan["sample"]["transitions"], 15);
  EXPECT_EQ(plan["estimated"]["states"], 10.0);
  EXPECT_EQ(plan["runs"].size(), 15u);
  EXPECT_EQ(plan["runs"].back()["nodes"], 16'384);
  EXPECT_EQ(plan["fewest"], 1);
  EXPECT_EQ(plan["fastest"], 1) << "so few states want no second node";
  EXPECT_GT(plan["join"]["rules"], 0.0);
}

TEST(Plan, TakesTheNumberOfStatesThatIsGiven) {
  const auto plan = plan_of({models + "connection.argos", "--states", "1000000000000", "--nodes",
                             "1,64,4096", "--node-memory", "16G"});
  EXPECT_EQ(plan["estimated"]["source"], "given");
  EXPECT_EQ(plan["estimated"]["states"], 1e12);
  ASSERT_EQ(plan["runs"].size(), 3u);
  EXPECT_EQ(plan["runs"][0]["fits"], false);
  EXPECT_EQ(plan["runs"][2]["fits"], true);
  EXPECT_EQ(plan["fewest"], 4096);
  EXPECT_LT(plan["runs"][1]["seconds"], plan["runs"][0]["seconds"]);
}

TEST(Plan, AssumesWhatIsAskedFor) {
  const auto plan = plan_of({models + "connection.argos", "--cores", "7", "--node-memory", "3M",
                             "--link", "1000", "--latency", "5ms", "--nodes", "2"});
  EXPECT_EQ(plan["assumed"]["cores"], 7);
  EXPECT_EQ(plan["assumed"]["memory_bytes"], 3.0 * 1024 * 1024);
  EXPECT_EQ(plan["assumed"]["link_bytes_per_second"], 1000.0);
  EXPECT_EQ(plan["assumed"]["latency_seconds"], 0.005);
}

// Six counters of 64 values each: a sample sees next to nothing of them.
TEST(Plan, DoesNotPretendToKnow) {
  const TemporaryFolder folder;
  const std::string model = folder.write("endless.argos", endless);
  const auto plan = plan_of({model, "--sample", "300ms"});
  EXPECT_EQ(plan["sample"]["is_complete"], false);
  const std::string source = plan["estimated"]["source"];
  EXPECT_TRUE(source == "levels" || source == "unknown") << source;
  EXPECT_GE(plan["estimated"]["states"], plan["sample"]["states"].get<double>());
  EXPECT_EQ(plan["estimated"]["high"].is_null(), source == "unknown");
  const Result text = run({"plan", model, "--sample", "100ms"});
  EXPECT_EQ(text.exit_code, 0) << text.errors;
  EXPECT_TRUE(contains(text.output, "An estimate, no promise.")) << text.output;
  EXPECT_TRUE(contains(text.output, "Assumed: ")) << text.output;
}

TEST(Plan, ComplainsOfWhatItCannotRead) {
  EXPECT_EQ(run({"plan", models + "nowhere.argos"}).exit_code, 2);
  EXPECT_EQ(run({"plan", models + "connection.argos", "--nodes", "0"}).exit_code, 2);
  EXPECT_EQ(run({"plan", models + "connection.argos", "--nodes", "x"}).exit_code, 2);
  const Result many = run({"plan", models + "connection.argos", "--nodes", "1,20000"});
  EXPECT_EQ(many.exit_code, 2);
  EXPECT_TRUE(contains(many.errors, "--nodes 1,20000: there are up to 16384")) << many.errors;
}

// What needs a database is refused where there is none.
TEST(HypercubeOptions, AreThoseOfSteps) {
  for (const std::vector<std::string>& more : {std::vector<std::string>{"--paths", "1", "--steps"},
                                               {"--db", "duckdb"},
                                               {"--threads", "2"}}) {
    std::vector<std::string> words = {"relate", models + "connection.argos", "--on", "hypercube"};
    words.insert(words.end(), more.begin(), more.end());
    const Result result = run(words);
    EXPECT_EQ(result.exit_code, 2) << more[0];
    EXPECT_TRUE(contains(result.errors, "which is no database")) << result.errors;
  }
}

}  // namespace
}  // namespace panoptes::cli
