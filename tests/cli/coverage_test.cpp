// SPDX-License-Identifier: Apache-2.0
// What a search that may have missed states says about how much it has seen: a share only where it
// is an estimate of the real one, counts otherwise.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/child.hpp"
#include "support/json.hpp"

namespace panoptes::cli {
namespace {

using Words = std::vector<std::string>;

const std::string folder = std::string(PANOPTES_SOURCE_DIR);
const Words small_arena{"check",
                        folder + "/models/sliding_window.argos",
                        "--reduce",
                        "none",
                        "--search",
                        "supertrace",
                        "--threads",
                        "1",
                        "--arena",
                        "512",
                        "--bits-per-state",
                        "1"};
constexpr double all_states = 59'062;

Words with(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

nlohmann::json report(const Words& words) {
  const Result result = run(with(words, {"--json"}));
  EXPECT_EQ(result.exit_code, 3) << result.errors;
  return test::parse_json(result.output);
}

TEST(Coverage, OfOneRunIsNotSaid) {
  const nlohmann::json json = report(small_arena);
  EXPECT_LT(json["states"], 0.05 * all_states);
  EXPECT_TRUE(json["coverage"].is_null());
  EXPECT_TRUE(json["states_at_least"].is_null());
  EXPECT_GT(json["expected_omissions"], 500);
  const std::string text = run(small_arena).output;
  EXPECT_NE(text.find("\ncoverage: unknown\n"), std::string::npos) << text;
  EXPECT_NE(text.find("states taken for others, and all that only those lead to,\n"),
            std::string::npos);
  EXPECT_EQ(text.find('%'), std::string::npos) << text;
}

TEST(Coverage, OfManyRunsIsABound) {
  const Words words = with(small_arena, {"--runs", "16"});
  const nlohmann::json json = report(words);
  const double real = json["states"].get<double>() / all_states;
  EXPECT_LT(real, 0.05);
  EXPECT_GE(json["coverage"], real);
  EXPECT_LT(json["coverage"], 0.25);
  EXPECT_LE(json["states_at_least"], all_states);
  EXPECT_GT(json["states_together"], json["states"]);
  EXPECT_EQ(json["sampled_share"], 1.0);
  const std::string text = run(words).output;
  EXPECT_NE(text.find(" states (95 % sure): the best of 16 runs\n"), std::string::npos) << text;
}

// What was left is counted instead.
TEST(Coverage, IsNotSaidWhereTimeRanOut) {
  for (const char* runs : {"1", "3"}) {
    const nlohmann::json json =
        report({"check", folder + "/bench/pairs/two_links.argos", "-D", "SLOTS=3", "--search",
                "supertrace", "--runs", runs, "--memory", "512M", "--time", "1s"});
    EXPECT_EQ(json["stop"], "time limit reached");
    EXPECT_TRUE(json["coverage"].is_null());
    EXPECT_TRUE(json["expected_omissions"].is_number());
    EXPECT_GT(json["states_waiting"], 0);
    EXPECT_LE(json["states_waiting"], json["states"]);
  }
}

// A path that is longer than there is memory for is not followed to its end, and that is no matter
// of hashes.
TEST(Coverage, IsNotSaidWhereMemoryRanOut) {
  if (is_sanitized) GTEST_SKIP() << "a sanitizer's own memory is more than the limit";
  const Words words{"check",    folder + "/models/sliding_window.argos",
                    "-D",       "WINDOW=3",
                    "--search", "supertrace",
                    "--order",  "depth",
                    "--runs",   "3",
                    "--memory", "7M",
                    "--reduce", "none"};
  const nlohmann::json json = report(words);
  EXPECT_EQ(json["stop"], "memory limit reached");
  EXPECT_TRUE(json["coverage"].is_null());
  EXPECT_GT(json["states"], 10'000);
  EXPECT_GT(json["dropped"], 0);
  const std::string text = run(words).output;
  EXPECT_NE(text.find("\ncoverage: unknown, since it was cut short\nleft: "), std::string::npos)
      << text;
  EXPECT_NE(text.find(" dropped for want of memory\n"), std::string::npos) << text;
}

TEST(Coverage, IsNotSaidDepthFirstEither) {
  const Words words{"check",    folder + "/bench/pairs/two_links.argos",
                    "-D",       "SLOTS=2",
                    "--search", "supertrace",
                    "--order",  "depth",
                    "--memory", "64M",
                    "--time",   is_sanitized ? "2s" : "0.1s"};
  const nlohmann::json json = report(words);
  EXPECT_TRUE(json["coverage"].is_null());
  EXPECT_EQ(json["states_waiting"], 0);
  EXPECT_GT(json["successors_waiting"], 0);
  const std::string text = run(words).output;
  EXPECT_NE(text.find("not looked at\n"), std::string::npos) << text;
}

}  // namespace
}  // namespace panoptes::cli
