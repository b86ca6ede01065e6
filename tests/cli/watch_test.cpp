// SPDX-License-Identifier: Apache-2.0
// check --watch: whatever an editor does to a file, the model is checked again.
#include <chrono>
#include <filesystem>
#include <thread>

#include "cli/child.hpp"

namespace panoptes::cli {
namespace {

const std::string good = "channel a[1];\nproc p { a!m }\nproc q { a?m }\n";
const std::string stuck = "channel a[1];\nproc p { a!m }\nproc q { a?m; a?m }\n";
const std::string broken = "channel a[1];\nproc p { b!m }\n";
// Some thousand states: more than a millisecond is enough for.
const std::string slow =
    "proc p[i : 0..2] var n; { do :: (n < 20) -> n++ :: (n == 20) -> break od }\n";
const std::string waiting = ": waiting for changes";

// The verdicts in the order they were printed.
std::vector<std::string> verdicts(const std::string& output) {
  std::vector<std::string> found;
  for (std::size_t at = 0; at < output.size();) {
    const std::size_t end = std::min(output.find('\n', at), output.size());
    const std::string line = output.substr(at, end - at);
    for (const char* word : {": holds: ", ": violated: ", ": unknown: "})
      if (line.find(word) != std::string::npos) found.emplace_back(word);
    at = end + 1;
  }
  return found;
}

TEST(Watch, ChecksAgainWhenTheFileIsWrittenInPlaceOrReplaced) {
  const TemporaryFolder folder;
  const std::string path = folder.write("model.argos", good);
  Child child({"check", path, "--watch"});
  ASSERT_TRUE(child.wait_for_output(waiting, 1));
  folder.write("model.argos", stuck);
  ASSERT_TRUE(child.wait_for_output(waiting, 2));
  std::filesystem::rename(folder.write("model.argos.new", good), path);
  ASSERT_TRUE(child.wait_for_output(waiting, 3));
  child.interrupt();
  const Result result = child.wait();
  EXPECT_EQ(result.exit_code, 0) << "of the last verdict";
  EXPECT_EQ(verdicts(result.output),
            (std::vector<std::string>{": holds: ", ": violated: ", ": holds: "}));
  EXPECT_EQ(result.output.find('\033'), std::string::npos) << "this is no terminal";
}

// A time limit is one of each check: the second begins when the time of the first is long over.
TEST(Watch, GivesEveryCheckItsOwnTime) {
  const TemporaryFolder folder;
  Child child({"check", folder.write("model.argos", good), "--watch", "--time", "1s"});
  ASSERT_TRUE(child.wait_for_output(waiting, 1));
  std::this_thread::sleep_for(std::chrono::milliseconds(1500));
  folder.write("model.argos", slow);
  ASSERT_TRUE(child.wait_for_output(waiting, 2));
  child.interrupt();
  EXPECT_EQ(verdicts(child.wait().output), (std::vector<std::string>{": holds: ", ": holds: "}));
}

TEST(Watch, LooksAtIncludedFilesToo) {
  const TemporaryFolder folder;
  const std::string path = folder.write("model.argos", "#include \"part.argos\"\n");
  Child child({"check", path, "--watch"});
  ASSERT_TRUE(child.wait_for_output(waiting, 1));  // there is no such file yet
  folder.write("part.argos", stuck);
  ASSERT_TRUE(child.wait_for_output(waiting, 2));
  child.interrupt();
  const Result result = child.wait();
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_NE(result.errors.find("cannot read file"), std::string::npos);
  EXPECT_EQ(verdicts(result.output), (std::vector<std::string>{": violated: "}));
}

TEST(Watch, GoesOnAfterErrorsAndWaitsForWhatIsNotThere) {
  const TemporaryFolder folder;
  const std::string path = folder.path("model.argos");
  Child child({"check", path, "--watch"});
  ASSERT_TRUE(child.wait_for_output(waiting, 1));
  folder.write("model.argos", broken);
  ASSERT_TRUE(child.wait_for_output(waiting, 2));
  folder.write("model.argos", good);
  ASSERT_TRUE(child.wait_for_output(waiting, 3));
  std::filesystem::remove(path);
  ASSERT_TRUE(child.wait_for_output(waiting, 4));
  child.interrupt();
  const Result result = child.wait();
  EXPECT_EQ(result.exit_code, 2) << "the model is gone";
  EXPECT_NE(result.errors.find("no channel is called `b`"), std::string::npos) << result.errors;
  EXPECT_EQ(verdicts(result.output), (std::vector<std::string>{": holds: "}));
}

TEST(Watch, WaitsForAFolderThatIsNotThere) {
  const TemporaryFolder folder;
  Child child({"check", folder.path("later/model.argos"), "--watch"});
  ASSERT_TRUE(child.wait_for_output(waiting, 1));
  std::filesystem::create_directory(folder.path("later"));
  folder.write("later/model.argos", good);
  ASSERT_TRUE(child.wait_for_output(": holds: "));
  ASSERT_TRUE(child.wait_for_output(waiting, 2));
  child.interrupt();
  EXPECT_EQ(child.wait().exit_code, 0);
}

TEST(Watch, SeesTheFileBehindALink) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.path("elsewhere"));
  folder.write("elsewhere/model.argos", good);
  std::filesystem::create_symlink("elsewhere/model.argos", folder.path("link.argos"));
  Child child({"check", folder.path("link.argos"), "--watch"});
  ASSERT_TRUE(child.wait_for_output(waiting, 1));
  folder.write("elsewhere/model.argos", stuck);
  ASSERT_TRUE(child.wait_for_output(": violated: "));
  child.interrupt();
  EXPECT_EQ(child.wait().exit_code, 1);
}

TEST(Watch, EndsASearchThatIsInterrupted) {
  Child child({"check", std::string(PANOPTES_SOURCE_DIR) + "/bench/pairs/counters.argos", "--watch",
               "--no-minimise", "-D", "PROCESSES=6"});
  ASSERT_TRUE(child.wait_for_memory());
  child.interrupt();
  const Result result = child.wait();
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_EQ(verdicts(result.output), (std::vector<std::string>{": unknown: "}));
  EXPECT_EQ(result.output.find(waiting), std::string::npos);
}

TEST(Watch, DoesNotWaitWhereNothingWasRead) {
  for (const char* option : {"--report", "--trail"}) {
    const Result result =
        run({"check", model("request"), "--watch", option, "/nonexistent/report.json"});
    EXPECT_EQ(result.exit_code, 2) << option;
    EXPECT_EQ(result.output, "") << option;
    EXPECT_NE(result.errors.find("cannot write there"), std::string::npos) << result.errors;
  }
}

TEST(Watch, IsNotForJson) {
  const Result result = run({"check", model("request"), "--watch", "--json"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.output, "");
  EXPECT_NE(result.errors.find("--watch is not for --json, which is one object"),
            std::string::npos);
}

}  // namespace
}  // namespace panoptes::cli
