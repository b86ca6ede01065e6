// SPDX-License-Identifier: Apache-2.0
// --time and --memory are promises of the whole process: compiling, trails and report included. Of
// times only what a busy machine keeps, too; tests/hostile measures them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <nlohmann/json.hpp>

#include "cli/child.hpp"
#include "support/json.hpp"

namespace panoptes::cli {
namespace {

using Json = nlohmann::json;

struct Measured {
  Result result;
  double seconds = 0.0;
};

Measured measured(const std::string& text, std::vector<std::string> options) {
  const TemporaryFolder folder;
  options.insert(options.begin(), {"check", folder.write("hostile.argos", text)});
  const auto start = std::chrono::steady_clock::now();
  Measured run{cli::run(options)};
  run.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  EXPECT_EQ(run.result.signal, 0);
  return run;
}

// The peak less what the program takes before it loads a model, in bytes.
void expect_within(std::uint64_t limit, const Measured& run, const Json& report) {
  if (is_sanitized) return;
  const auto peak = static_cast<std::uint64_t>(run.result.peak_kilobytes) * 1024;
  EXPECT_LE(peak - report.at("fixed_bytes").get<std::uint64_t>(), limit + limit / 50);
}

// Six processes that each choose one of twelve places to wait for ever.
TEST(WholeRun, KeepsTenThousandErrorsAndCountsTheOthers) {
  std::string options;
  for (int place = 0; place < 12; ++place) options += fmt::format(":: skip -> c[i]?a{} ", place);
  const Measured run = measured("proc p[i : 0..5] channel c[1]; { if " + options + " fi }",
                                {"--search", "exhaustive", "--memory", "256M", "--time",
                                 is_sanitized ? "60s" : "10s", "--json"});
  EXPECT_EQ(run.result.exit_code, 1);
  EXPECT_LT(run.seconds, is_sanitized ? 120.0 : 30.0);
  const Json report = test::parse_json(run.result.output);
  EXPECT_LE(report.at("errors").size(), 10'000u);
  EXPECT_GT(report.at("errors").size(), 9'000u);
  EXPECT_GT(report.at("findings_left_out").get<std::uint64_t>(), 0u);
  expect_within(256u << 20, run, report);
}

// The groups that are kept are the same whoever finds them.
TEST(WholeRun, KeepsTheSameErrorsForAnyNumberOfThreads) {
  std::string options;
  for (int place = 0; place < 16; ++place) options += fmt::format(":: skip -> c[i]?a{} ", place);
  const std::string text = "proc p[i : 0..4] channel c[1]; { if " + options + " fi }";
  std::vector<Json> reports;
  for (const char* threads : {"1", "2"}) {
    Json report = test::parse_json(
        measured(text, {"--reduce", "none", "--json", "--threads", threads}).result.output);
    Json kept = Json::array();
    EXPECT_GT(report.at("findings_left_out").get<std::uint64_t>(), 0u);
    kept.push_back(report.at("findings_left_out"));
    for (const Json& error : report.at("errors"))
      kept.push_back(Json::array({error.at("state"), error.at("count"), error.at("steps")}));
    reports.push_back(std::move(kept));
  }
  EXPECT_EQ(reports[0], reports[1]);
}

// A counter to 30,000, then a thousand assertions that fail.
TEST(WholeRun, MakesTrailsWhileTimeLasts) {
  if (is_sanitized) GTEST_SKIP() << "a sanitizer writes no trail in the time that is left for it";
  std::string asserts;
  for (int i = 0; i < 1000; ++i) asserts += fmt::format(":: assert(x == {}) ", i);
  const Measured run =
      measured("proc p { var x; do :: (x < 30000) -> x = x + 1 :: (x == 30000) -> break od; if " +
                   asserts + " fi }",
               {"--reduce", "none", "--time", "2s", "--threads", "1", "--json"});
  EXPECT_EQ(run.result.exit_code, 1);
  EXPECT_LT(run.seconds, is_sanitized ? 60.0 : 10.0);
  const Json report = test::parse_json(run.result.output);
  ASSERT_EQ(report.at("errors").size(), 1000u);
  EXPECT_EQ(report.at("findings_left_out"), 0);
  const Json& last = report.at("errors").back();
  EXPECT_TRUE(last.at("trail").is_null());
  EXPECT_EQ(last.at("trail_left_out"), "no time for it");
  EXPECT_EQ(last.at("steps"), report.at("errors").front().at("steps"));
}

// A thousand processes: the successors of one state are a megabyte.
TEST(WholeRun, HasFewWideStatesInItsHands) {
  const Measured run =
      measured("proc p[i : 0..999] { var a : 0..3; do :: a = (a + 1) % 4 :: a = (a + 2) % 4 od }",
               {"--reduce", "none", "--memory", "64M", "--time", "1s", "--json"});
  EXPECT_EQ(run.result.exit_code, 3);
  expect_within(64u << 20, run, test::parse_json(run.result.output));
}

// 200 assertions with 2^14 sets of states each.
TEST(WholeRun, RefusesAssertionsThatAreTooLargeTogether) {
  std::string steps;
  for (int i = 0; i < 13; ++i) steps += "if :: mon!a :: mon!b fi; ";
  const Measured run = measured(
      "sink mon;\nproc p { do :: mon!a :: mon!b od }\n"
      "assert big[i : 0..199] { do :: mon!a :: mon!b :: mon!a -> " +
          steps + "break od }",
      {});
  EXPECT_EQ(run.result.exit_code, 2);
  EXPECT_TRUE(contains(run.result.errors, "need more than 262144 subsets of states together"));
  EXPECT_LT(run.seconds, is_sanitized ? 100.0 : 20.0);
}

// What is too little for the model alone says so, and in JSON too.
TEST(WholeRun, SaysThatAModelAloneTakesTooMuch) {
  if (is_sanitized) GTEST_SKIP() << "a sanitizer has memory of its own";
  std::string body;
  for (int i = 0; i < 40'000; ++i) body += fmt::format("x = x + {}; ", i);
  const Measured run = measured("proc p { var x; " + body + " }", {"--memory", "8M", "--json"});
  EXPECT_EQ(run.result.exit_code, 3);
  EXPECT_TRUE(contains(run.result.errors, "--memory 8M is too little for this model"));
  EXPECT_EQ(test::parse_json(run.result.output).at("verdict"), "unknown");
}

}  // namespace
}  // namespace panoptes::cli
