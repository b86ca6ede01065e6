// SPDX-License-Identifier: Apache-2.0
// What --checkpoint and --resume say to people, and what they refuse.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "cli/child.hpp"
#include "support/json.hpp"

namespace panoptes::cli {
namespace {

using Words = std::vector<std::string>;

// A run that is ended has a checkpoint, whoever ends it; another run goes on from there. Each one
// takes twice the memory of the one before: by then it has found again what was known.
TEST(EndedRuns, HaveACheckpoint) {
  const TemporaryFolder folder;
  const std::string model = folder.write("endless.argos", endless);
  std::uint64_t states = 0, taken_bytes = 0;
  for (const int signal : {0, SIGINT, SIGTERM}) {
    const std::string kept = folder.path("kept");
    Words command{"check", model,      "--json", "--checkpoint", kept, "--resume",
                  kept,    "--memory", "2G"};
    if (signal == 0) command.insert(command.end(), {"--time", "0.5s"});
    Child child(command);
    if (signal != 0) {
      ASSERT_TRUE(child.wait_for_memory(2 * taken_bytes));
      child.signal(signal);
    }
    const Result result = child.wait();
    EXPECT_EQ(result.exit_code, 3) << result.errors;
    EXPECT_TRUE(contains(result.errors, "note: one checkpoint was written in ")) << result.errors;
    EXPECT_TRUE(contains(result.errors,
                         fmt::format("note: the same command with --resume {} goes on\n", kept)))
        << result.errors;
    const auto json = test::parse_json(result.output);
    EXPECT_GT(json["states"], states);
    states = json["states"];
    taken_bytes =
        json["memory_bytes"].get<std::uint64_t>() + json["fixed_bytes"].get<std::uint64_t>();
  }
}

// What was found wrong stays wrong, whether or not there is time to find the states again.
TEST(EndedRuns, HaveTheErrorsOfThoseTheyGoOnFrom) {
  const TemporaryFolder folder;
  const std::string model =
      folder.write("counters.argos",
                   "proc counter[i : 0..3] var n : 0..63; { do :: n +% 64 od }\n"
                   "never three (counter[0].n == 3);\n"
                   "never far (exists (i : 0..3) counter[i].n * (i + 1) > 999);\n");
  const Words begin{
      "check",  model,  "--json", "--threads", "1", "--checkpoint", folder.path("kept"),
      "--time", "700ms"};
  const Result first = run(begin);
  ASSERT_EQ(first.exit_code, 1) << first.errors;
  const auto before = test::parse_json(first.output);
  const Result second = run({"check", model, "--json", "--threads", "1", "--resume",
                             folder.path("kept"), "--time", "50ms"});
  EXPECT_EQ(second.exit_code, 1) << second.errors;
  EXPECT_TRUE(contains(second.errors, "note: it ended before the states that were known"))
      << second.errors;
  const auto after = test::parse_json(second.output);
  EXPECT_EQ(after["states"], before["states"]);
  EXPECT_EQ(after["transitions"], before["transitions"]);
  EXPECT_EQ(after["errors"][0]["count"], before["errors"][0]["count"]);
}

// A checkpoint of a short run, for those who want to go on with it otherwise.
class OtherRuns : public testing::Test {
 protected:
  OtherRuns() : model_(folder_.write("endless.argos", endless)) {
    const Result result = begin({});
    EXPECT_EQ(result.exit_code, 3) << result.errors;
  }
  Result begin(const Words& more) const {
    return with({"--checkpoint", kept(), "--time", "0.5s"}, more);
  }
  Result resume(const Words& more) const { return with({"--resume", kept()}, more); }
  std::string kept() const { return folder_.path("kept"); }
  void expect_refused(const Result& result, const std::string& reason) const {
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_EQ(result.output, "");
    EXPECT_TRUE(contains(result.errors, reason)) << result.errors;
  }

  const TemporaryFolder folder_;
  std::string model_;

 private:
  // What is not given otherwise is as it was at first.
  Result with(Words words, const Words& more) const {
    words.insert(words.begin(), {"check", model_});
    words.insert(words.end(), more.begin(), more.end());
    for (const auto& [option, value] : {std::pair{"--depth", "90"}, std::pair{"--memory", "1G"}})
      if (std::ranges::find(more, option) == more.end()) words.insert(words.end(), {option, value});
    return run(words);
  }
};

TEST_F(OtherRuns, AreRefusedWhereTheModelOrAnOptionIsAnother) {
  expect_refused(resume({"--depth", "91"}),
                 "--resume " + kept() + ": it was written with --depth 90, and here is --depth 91");
  expect_refused(resume({"--strict"}), "it was written with no --strict, and here is --strict");
  expect_refused(resume({"--store", "compact"}), "--store exact, and here is --store compact");
  expect_refused(resume({"-D", "X=1"}), "it was written with no -D, and here is -D X=1");
  folder_.write("endless.argos", std::string(endless) + "proc q { skip }\n");
  expect_refused(resume({}), "it is a checkpoint of another model");
}

TEST_F(OtherRuns, AreRefusedWhereTheFolderIsNoneToWriteTo) {
  expect_refused(begin({}), "has a checkpoint already; --resume goes on with it");
  expect_refused(resume({"--checkpoint", folder_.path("elsewhere")}),
                 "--resume goes on in its own folder: --checkpoint can be no other one");
  expect_refused(run({"check", model_, "--resume", folder_.path("nothing")}),
                 "there is no checkpoint in ");
  expect_refused(run({"check", model_, "--checkpoint", folder_.path("no/folder")}),
                 "cannot make the folder ");
  expect_refused(run({"check", model_, "--checkpoint", model_}), "cannot open ");
}

TEST_F(OtherRuns, AreRefusedWhereAByteIsNotWhatWasWritten) {
  const std::string path = kept() + "/data";
  std::string data = read_all(path);
  ASSERT_GT(data.size(), 1000u);
  data[data.size() / 2] ^= 16;
  std::ofstream(path, std::ios::binary) << data;
  expect_refused(resume({}), path + ": the bytes from ");
}

TEST_F(OtherRuns, MayHaveOtherThreadsMemoryAndReports) {
  for (const Words& more : {Words{"--threads", "1"}, Words{"--threads", "3", "--json"},
                            Words{"--memory", "600M"}, Words{"--stepper", "interpreter"}}) {
    Words words = more;
    words.insert(words.end(), {"--time", "1s"});
    const Result result = resume(words);
    EXPECT_EQ(result.exit_code, 3) << result.errors;
  }
}

TEST(Checkpoints, AreRefusedWhereASearchCannotBeWrittenDown) {
  const TemporaryFolder folder;
  for (const char* option : {"--checkpoint", "--resume"})
    for (const auto& [more, reason] : std::vector<std::pair<Words, std::string>>{
             {{"--order", "depth"}, " is for --order breadth, whose log leads to every state"},
             {{"--search", "scatter"}, " is for --search auto, --search exhaustive or --search "},
             {{"--search", "stack"}, " is for --search auto, --search exhaustive or --search "},
             {{"--search", "walk"}, " is for --search auto, --search exhaustive or --search "},
             {{"--keep-graph"}, " is not for --keep-graph, which stays in memory"},
             {{"--store", "bits", "--runs", "3"}, " is not for --runs, which are several searches"},
             {{"--watch"}, " is not for --watch, which begins anew with every change"}}) {
      Words words{"check", model("alternating_bit"), option, folder.path("kept")};
      words.insert(words.end(), more.begin(), more.end());
      const Result result = run(words);
      EXPECT_EQ(result.exit_code, 2);
      EXPECT_TRUE(contains(result.errors, option + reason)) << result.errors;
      EXPECT_FALSE(std::filesystem::exists(folder.path("kept")));
    }
  const Result result = run({"check", model("alternating_bit"), "--every", "5s"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_TRUE(contains(result.errors, "--every is for --checkpoint or --resume")) << result.errors;
}

}  // namespace
}  // namespace panoptes::cli
