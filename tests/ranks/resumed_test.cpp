// SPDX-License-Identifier: Apache-2.0
// Ranks that are ended or killed at any moment, and go on: they find what a run finds that nobody
// disturbed.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <ostream>
#include <random>

#include "models/run_program.hpp"
#include "support/disturbed_protocol.hpp"
#include "support/json.hpp"
#include "support/sample.hpp"

namespace panoptes {
namespace {

using models::run_shell;
using Json = nlohmann::json;

// A folder with a model of a million states, and what is to be found in it.
class Disturbed {
 public:
  Disturbed(const std::string& name, std::string options, bool is_wide = false)
      : folder_(testing::TempDir() + "disturbed_ranks_" + name), options_(std::move(options)) {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
    std::ofstream(folder_ + "/model.argos")
        << test::disturbed_protocol(3, is_wide ? 2 : 3, is_wide ? 12'000 : 1);
    const models::Run whole =
        run_shell(fmt::format("'{}' check {} 2>/dev/null", PANOPTES_PROGRAM, words()));
    expected_ = lasting(report_in(whole.output));
  }
  ~Disturbed() { std::filesystem::remove_all(folder_); }
  Disturbed(const Disturbed&) = delete;
  Disturbed& operator=(const Disturbed&) = delete;

  std::string words() const {
    const bool is_reduced = options_.find("--reduce") != std::string::npos;
    return fmt::format("'{}/model.argos' --json --search exhaustive --threads 1 {} {}", folder_,
                       is_reduced ? "" : "--reduce none", options_);
  }
  std::string kept() const { return folder_ + "/kept"; }
  // `behind`: for the shell, while mpirun runs in the background as process $pid. What is said
  // comes behind the report, not in the middle of it. mpirun itself may hang when all its ranks are
  // gone, waiting for a lock that it holds: it is killed then.
  models::Run run(unsigned ranks, const std::string& more, const std::string& behind = "") const {
    return run_shell(fmt::format(
        "mpirun --timeout 120 --allow-run-as-root --oversubscribe -n {} '{}' check {} "
        "--checkpoint {} --resume {} --every 1ms {} 2>{}/said & pid=$!; "
        "(sleep 150; kill -KILL $pid) >/dev/null 2>&1 & watch=$!; {} wait $pid; code=$?; "
        "kill $watch; cat {}/said; (exit $code)",
        ranks, PANOPTES_PROGRAM, words(), kept(), kept(), more, folder_, behind, folder_));
  }
  // Waits until there is a checkpoint.
  std::string once_written() const {
    return fmt::format(
        "for i in $(seq 300); do grep -qs 'number [1-9]' {}/ranks && break; sleep 0.05; done;",
        kept());
  }
  void expect_end(unsigned ranks) const {
    const models::Run last = run(ranks, "");
    const Json report = report_in(last.output);
    ASSERT_TRUE(report.is_object()) << last.output;
    EXPECT_EQ(Json::diff(expected_, lasting(report)).dump(), "[]") << options_;
  }

  // mpirun has lines of its own where the exit code is not 0.
  static Json report_in(const std::string& output) {
    const std::size_t begin = output.find("{\n"), end = output.rfind("\n}\n");
    if (begin == std::string::npos || end == std::string::npos) return Json::value_t::discarded;
    return test::parse_json_or_discard(output.substr(begin, end + 3 - begin));
  }

 private:
  // What does not depend on time, on who has found what first or on how it was run.
  static Json lasting(const Json& report) {
    Json found;
    if (!report.is_object()) return found;
    for (const char* const name : {"verdict", "promise", "stop", "states", "transitions", "depth"})
      if (report.contains(name)) found[name] = report.at(name);
    for (const Json& error : report.value("errors", Json::array()))
      found["errors"].push_back({error.value("kind", ""), error.value("count", 0),
                                 error.value("steps", Json::array()).size()});
    return found;
  }

  std::string folder_, options_;
  Json expected_;
};

// Where the machine has other things to do as well, a report may need more time.
TEST(RanksResumed, AfterTheirTimeWasOver) {
  const Disturbed disturbed("time", "");
  models::Run run;
  for (const unsigned milliseconds : {900, 1800, 3600}) {
    run = disturbed.run(3, fmt::format("--time {}ms", milliseconds));
    if (Disturbed::report_in(run.output).is_object()) break;
  }
  ASSERT_TRUE(Disturbed::report_in(run.output).is_object()) << run.output;
  disturbed.expect_end(3);
}

TEST(RanksResumed, AfterTheyWereAsked) {
  const Disturbed disturbed("asked", "");
  const models::Run run = disturbed.run(3, "", disturbed.once_written() + "kill -USR1 $pid;");
  EXPECT_NE(run.output.find("--resume " + disturbed.kept() + " goes on"), std::string::npos)
      << run.output;
  const models::Run other = disturbed.run(2, "");
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_NE(other.output.find("has a checkpoint of 3 ranks, and these are 2"), std::string::npos)
      << other.output;
  const models::Run alone = run_shell(fmt::format(
      "'{}' check {} --resume {} 2>&1", PANOPTES_PROGRAM, disturbed.words(), disturbed.kept()));
  EXPECT_EQ(alone.exit_code, 2);
  EXPECT_NE(alone.output.find("it is of 3 ranks"), std::string::npos) << alone.output;
  disturbed.expect_end(3);
}

struct KilledSearch {
  const char* name;
  const char* options;
  bool is_wide, is_daily;

  friend void PrintTo(const KilledSearch& search, std::ostream* out) { *out << search.name; }
};

class RanksKilled : public testing::TestWithParam<KilledSearch> {};

// One of them, or all.
TEST_P(RanksKilled, GoOn) {
  if (!GetParam().is_daily && !test::has_all_samples()) GTEST_SKIP() << "not every day";
  const Disturbed disturbed(std::string("killed_") + GetParam().name, GetParam().options,
                            GetParam().is_wide);
  const std::size_t runs = test::has_all_samples() ? 10 : 1;
  const std::string seed = GetParam().name;
  std::seed_seq seeds(seed.begin(), seed.end());
  std::mt19937 generator(seeds);
  for (std::size_t i = 0; i < runs; ++i) {
    std::filesystem::remove_all(disturbed.kept());
    const auto ranks = static_cast<unsigned>(2 + i % 3);
    for (const char* const victims : {"| tail -1", "| head -1", ""})
      disturbed.run(ranks, "",
                    fmt::format("{} sleep 0.{:02}; kill -KILL $(pgrep -P $pid panoptes {}) "
                                "2>/dev/null;",
                                disturbed.once_written(), generator() % 50, victims));
    disturbed.expect_end(ranks);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Of, RanksKilled,
    testing::Values(KilledSearch{"all", "", false, false}, KilledSearch{"wide", "", true, false},
                    KilledSearch{"compact", "--store compact", false, true},
                    KilledSearch{"hash", "--store hash", true, false},
                    KilledSearch{"internal", "--reduce internal", false, false}),
    [](const auto& tested) { return std::string(tested.param.name); });

TEST(RanksResumed, NoticeAByteThatIsNotWhatWasWritten) {
  const Disturbed disturbed("damaged", "");
  disturbed.run(2, "", disturbed.once_written() + "kill -USR1 $pid;");
  const std::string data = disturbed.kept() + "/rank-1/data";
  ASSERT_TRUE(std::filesystem::exists(data));
  {
    std::fstream file(data, std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(static_cast<std::streamoff>(std::filesystem::file_size(data) / 2));
    file.put('\x5a').put('\xa5');
  }
  const models::Run run = disturbed.run(2, "");
  EXPECT_NE(run.output.find("rank-1/data"), std::string::npos) << run.output;
  EXPECT_NE(run.output.find("are not those that were written"), std::string::npos) << run.output;
}

}  // namespace
}  // namespace panoptes
