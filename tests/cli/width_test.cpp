// SPDX-License-Identifier: Apache-2.0
// How wide charts are, and who says so.
#include <cstdlib>
#include <sstream>

#include "base/display.hpp"
#include "cli/child.hpp"

namespace panoptes::cli {
namespace {

// Columns of the widest line that has a lifeline in it; 0 where there is no chart.
std::size_t width_of_charts(const std::string& text) {
  std::size_t widest = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (contains(line, "│")) widest = std::max(widest, display_width(line));
  return widest;
}

// The environment variable, while it is there.
class Columns {
 public:
  explicit Columns(const char* value) { setenv("COLUMNS", value, 1); }
  ~Columns() { unsetenv("COLUMNS"); }
  Columns(const Columns&) = delete;
  Columns& operator=(const Columns&) = delete;
};

std::size_t width_with(std::vector<std::string> options) {
  options.insert(options.begin(), {"check", model("dining_philosophers")});
  return width_of_charts(run(options).output);
}

TEST(Width, IsThatOfTheOptionOrOfTheEnvironment) {
  const std::size_t usual = width_with({"--chart", "text"});
  EXPECT_LE(usual, 100u);
  EXPECT_GT(usual, 90u);
  EXPECT_EQ(width_with({}), 0u) << "a pipe has columns of messages";
  EXPECT_LE(width_with({"--width", "60"}), 60u);
  EXPECT_GT(width_with({"--width", "60"}), 50u);
  EXPECT_GT(width_with({"--width", "200", "--chart", "full"}), 120u);
  {
    const Columns columns("72");
    EXPECT_EQ(width_with({}), 0u) << "still a pipe";
    EXPECT_LE(width_with({"--chart", "text"}), 72u);
    EXPECT_GT(width_with({"--chart", "text"}), 60u);
    EXPECT_GT(width_with({"--width", "200"}), 120u);
  }
  for (const char* nonsense : {"", "0", "-3", "wide"}) {
    const Columns columns(nonsense);
    EXPECT_EQ(width_with({"--chart", "text"}), usual) << nonsense;
  }
}

TEST(Width, IsThatOfRunsSessionsAndFilesToo) {
  const TemporaryFolder folder;
  const std::string trail = folder.path("trail.json"), report = folder.path("report.txt");
  EXPECT_EQ(run({"check", model("dining_philosophers"), "--trail", trail, "--report", report,
                 "--width", "64"})
                .exit_code,
            1);
  const auto expect_64 = [](const std::string& text) {
    EXPECT_LE(width_of_charts(text), 64u) << text;
    EXPECT_GT(width_of_charts(text), 50u) << text;
  };
  expect_64(read_all(report));
  expect_64(run({"replay", model("dining_philosophers"), trail, "--chart", "text", "--width", "64"})
                .output);
  expect_64(
      run({"simulate", model("dining_philosophers"), "--chart", "full", "--width", "64"}).output);
  const Columns columns("64");
  expect_64(run({"simulate", model("dining_philosophers"), "--chart", "text"}).output);
}

TEST(Width, OutOfAllProportionIsRefused) {
  for (const char* width : {"0", "39", "10001", "wide"}) {
    const Result result = run({"check", model("request"), "--width", width});
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_TRUE(contains(result.errors, "wanted a whole number, from 40 to 10000"))
        << result.errors;
  }
}

}  // namespace
}  // namespace panoptes::cli
