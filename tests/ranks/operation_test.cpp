// SPDX-License-Identifier: Apache-2.0
// The program under mpirun, as its users have it: one report, limits that end all ranks, memory
// that adds up, and no rank that waits for one that is gone.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <fstream>

#include "models/run_program.hpp"
#include "support/json.hpp"
#include "support/sample.hpp"

namespace panoptes {
namespace {

using models::run_shell;
using Json = nlohmann::json;

const char* const large =
    "bench/pairs/counters.argos --no-minimise --reduce none --search exhaustive --threads 1";

// `behind`: more for the shell, while mpirun runs in the background as process $pid.
models::Run on_ranks(unsigned ranks, const std::string& arguments, const std::string& behind = "") {
  return run_shell(
      fmt::format("cd '{}' && mpirun --allow-run-as-root --oversubscribe -n {} '{}' {} "
                  "2>&1 & pid=$!; {} wait $pid",
                  PANOPTES_SOURCE_DIR, ranks, PANOPTES_PROGRAM, arguments, behind));
}

// mpirun has lines of its own where the exit code is not 0.
Json report_in(const std::string& output) {
  const std::size_t begin = output.find('{'), end = output.find("\n}\n");
  if (begin == std::string::npos || end == std::string::npos) return Json::value_t::discarded;
  return test::parse_json_or_discard(output.substr(begin, end + 3 - begin));
}

TEST(Ranks, PrintOneReportWithTheExitCodeOfOneProcess) {
  const models::Run run = on_ranks(3, "check models/mistakes.argos --json");
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_EQ(run.output.find("\"schema\""), run.output.rfind("\"schema\""));
  const Json report = report_in(run.output);
  ASSERT_TRUE(report.is_object()) << run.output;
  EXPECT_EQ(report.at("cluster").at("ranks"), 3);
  EXPECT_EQ(report.at("cluster").at("states_by_rank").size(), 3u);
  EXPECT_EQ(report.at("errors").size(), 3u);
}

TEST(Ranks, RefuseWhatCannotBeDivided) {
  for (const auto& [arguments, reason] :
       test::sample_of(std::vector<std::pair<std::string, std::string>>{
           {"check models/request.argos --order depth", "follows one path"},
           {"check models/request.argos --search walk", "no memory to be shared"},
           {"check models/request.argos --keep-graph", "the whole graph in one memory"},
           {"check models/request.argos --search supertrace --runs 3", "several searches"},
           {"check models/request.argos --watch", "for one process"},
           {"check models/request.argos --shortest", "searches once more"},
           {"check models/request.argos --blub", "--blub"},
           {"check - </dev/null", "standard input is there once"},
           {"show models/request.argos --rules", "has no use for 2 processes"}})) {
    const models::Run run = on_ranks(2, arguments);
    EXPECT_EQ(run.exit_code, 2) << arguments;
    EXPECT_NE(run.output.find(reason), std::string::npos) << run.output;
    EXPECT_EQ(run.output.find(reason), run.output.rfind(reason)) << "said twice: " << run.output;
  }
}

// The second of two ranks is given something else than the first, and nobody waits for it.
TEST(Ranks, EndWhereOneCannotFollow) {
  const std::string first = "models/request.argos";
  const auto check = [&](const std::string& second) {
    return run_shell(
        fmt::format("cd '{0}' && timeout 30 mpirun --allow-run-as-root --oversubscribe "
                    "-n 1 '{1}' check {2} : -n 1 '{1}' check {3} 2>&1",
                    PANOPTES_SOURCE_DIR, PANOPTES_PROGRAM, first, second));
  };
  for (const char* const more : {"--strict", "--order depth", "--shortest"}) {
    const models::Run options = check(first + " " + more);
    EXPECT_EQ(options.exit_code, 2) << options.output;
    EXPECT_NE(options.output.find("rank 1 has other options than rank 0"), std::string::npos)
        << options.output;
  }
  const models::Run unknown = check(first + " --blub");
  EXPECT_EQ(unknown.exit_code, 2) << unknown.output;
  EXPECT_NE(unknown.output.find("panoptes: rank 1 on "), std::string::npos) << unknown.output;
  EXPECT_NE(unknown.output.find("--blub"), std::string::npos) << unknown.output;
  const models::Run missing = check("models/missing.argos");
  EXPECT_EQ(missing.exit_code, 2) << missing.output;
  EXPECT_NE(missing.output.find("cannot be loaded here:"), std::string::npos) << missing.output;
  EXPECT_NE(missing.output.find("No such file"), std::string::npos) << missing.output;
  const std::string wide = testing::TempDir() + "thousand_processes.argos";
  std::ofstream(wide) << "proc p[i : 0..999] var n : 0..100; { do :: (n < 100) -> n++ "
                         ":: (n == 9) -> n = 1 :: (n == 50) -> n = 2 :: (n == 100) -> break od }";
  const models::Run memory = check(wide + " --memory 1M");
  EXPECT_EQ(memory.exit_code, 3) << memory.output;
  EXPECT_NE(memory.output.find("out of memory"), std::string::npos) << memory.output;
}

TEST(Ranks, EndTogetherWithWhatWasFound) {
  // Too large for any machine to be done in that time, which leaves a slow one some for the search.
  const char* const huge =
      "models/paxos.argos -D PROPOSERS=3 -D ACCEPTORS=5 --reduce none --search exhaustive";
  const Json late =
      report_in(on_ranks(2, fmt::format("check {} --json --time 3s --threads 1", huge)).output);
  ASSERT_TRUE(late.is_object());
  EXPECT_EQ(late.at("stop"), "time limit reached");
  EXPECT_GT(late.at("states"), 1000);
  const models::Run run =
      on_ranks(2, fmt::format("check {} --json", large), "sleep 1; kill -USR1 $pid;");
  EXPECT_EQ(run.exit_code, 3);
  const Json asked = report_in(run.output);
  ASSERT_TRUE(asked.is_object()) << run.output;
  EXPECT_EQ(asked.at("stop"), "interrupted");
}

TEST(Ranks, DoNotWaitForOneThatIsGone) {
  const auto start = std::chrono::steady_clock::now();
  const models::Run run = on_ranks(3, fmt::format("check {} --json", large),
                                   "sleep 1; kill -KILL $(pgrep -P $pid panoptes | tail -1);");
  EXPECT_NE(run.exit_code, 0);
  EXPECT_NE(run.output.find("exited on signal 9"), std::string::npos) << run.output;
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
}

TEST(Ranks, HaveTheirMemoryTogether) {
  const std::string command = fmt::format("check {} --json --memory 160M", large);
  EXPECT_EQ(report_in(models::run_program(command).output).at("promise"), "partial");
  const Json together = report_in(on_ranks(2, command).output);
  ASSERT_TRUE(together.is_object());
  EXPECT_EQ(together.at("promise"), "exhaustive");
  EXPECT_EQ(together.at("states"), 14'558'454);
}

}  // namespace
}  // namespace panoptes
