// SPDX-License-Identifier: Apache-2.0
// Runs that somebody ends, and what is to be seen while they go on.
#include <nlohmann/json.hpp>

#include "cli/child.hpp"

namespace panoptes::cli {
namespace {

using Json = nlohmann::json;

TEST(Interrupts, EndALongRunWithWhatWasFound) {
  for (const char* order : {"breadth", "depth"}) {
    const TemporaryFolder folder;
    Child child({"check", folder.write("endless.argos", endless), "--order", order});
    ASSERT_TRUE(child.wait_for_memory(std::uint64_t{is_sanitized ? 256u : 32u} << 20));
    child.interrupt();
    const Result result = child.wait();
    EXPECT_EQ(result.exit_code, 3) << order;
    EXPECT_TRUE(contains(result.output, "unknown: no error so far")) << result.output;
    EXPECT_TRUE(contains(result.output, "(interrupted)")) << result.output;
    EXPECT_TRUE(contains(result.output, "promise: partial")) << result.output;
    EXPECT_EQ(result.errors, "") << "a progress line in a pipe";
  }
}

TEST(Interrupts, KeepTheErrorsFoundSoFar) {
  const TemporaryFolder folder;
  const std::string path =
      folder.write("endless.argos", std::string(endless) + "proc q { assert(0) }\n");
  Child child({"check", path, "--json"});
  ASSERT_TRUE(child.wait_for_memory(std::uint64_t{is_sanitized ? 256u : 32u} << 20));
  child.interrupt();
  const Result result = child.wait();
  EXPECT_EQ(result.exit_code, 1);
  const Json json = Json::parse(result.output);
  EXPECT_EQ(json["verdict"], "violated");
  EXPECT_EQ(json["promise"], "partial");
  EXPECT_EQ(json["stop"], "interrupted");
  EXPECT_EQ(json["errors"].size(), 1u);
}

TEST(Progress, IsShownOnATerminalAndWipedAway) {
  const TemporaryFolder folder;
  Child child({"check", folder.write("endless.argos", endless)}, Child::Errors::to_terminal);
  ASSERT_TRUE(child.wait_for(" states/s  depth ")) << child.wait().errors;
  child.interrupt();
  const Result result = child.wait();
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_TRUE(contains(result.errors, " waiting  ")) << result.errors;
  EXPECT_TRUE(result.errors.ends_with("\r\033[K")) << "the line is still there";
  EXPECT_FALSE(contains(result.output, "states/s"));
}

TEST(Progress, IsNotShownWhereTheSearchIsShort) {
  Child child({"check", model("alternating_bit")}, Child::Errors::to_terminal);
  EXPECT_EQ(child.wait().errors, "");
}

TEST(TimeLimits, EndALongRun) {
  const TemporaryFolder folder;
  const Result result =
      run({"check", folder.write("endless.argos", endless), "--time", "0.3s", "--memory", "2G"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_TRUE(contains(result.output, "(time limit reached)")) << result.output;
}

TEST(MemoryLimits, EndALongRunWithinTheirBounds) {
  const TemporaryFolder folder;
  const Result result = run({"check", folder.write("endless.argos", endless), "--memory", "64M"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_TRUE(contains(result.output, "(memory limit reached)")) << result.output;
  // What the program needs without a model is apart.
  const long fixed_kilobytes = run({"--version"}).peak_kilobytes;
  EXPECT_TRUE(is_sanitized || result.peak_kilobytes - fixed_kilobytes <= 64 * 1024)
      << result.peak_kilobytes << " less " << fixed_kilobytes;
}

}  // namespace
}  // namespace panoptes::cli
