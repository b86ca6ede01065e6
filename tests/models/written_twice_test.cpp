// SPDX-License-Identifier: Apache-2.0
// Some protocols are written twice: under models/ as their designers would, and in plain_language/
// without what was added to the language so that they can: single statements are the only steps,
// there are no arrays, no conditions on receives, no lines that lose messages. The plain versions
// say what a check of them must find. The others must agree with them, and be much shorter.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "models/comparison.hpp"
#include "models/run_program.hpp"
#include "support/json.hpp"

namespace panoptes::models {
namespace {

constexpr std::size_t percent_of_the_lines = 60;

const std::string plain_folder = "tests/models/plain_language";

std::vector<std::string> protocols_written_twice() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(
           std::filesystem::path(PANOPTES_SOURCE_DIR) / plain_folder))
    names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

std::string text_of(const std::string& folder, const std::string& name) {
  std::ifstream file(std::filesystem::path(PANOPTES_SOURCE_DIR) / folder / (name + ".argos"));
  EXPECT_TRUE(file) << "no " << folder << "/" << name << ".argos";
  return std::string(std::istreambuf_iterator<char>(file), {});
}

// Lines with something else than a comment in them, but for properties of runs, which the plain
// language does not have.
std::size_t lines_of(const std::string& text) {
  std::size_t lines = 0;
  bool is_of_runs = false;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    const std::size_t first = line.find_first_not_of(' ');
    is_of_runs = is_of_runs || line == "#ifdef LIVE";
    if (!is_of_runs && first != std::string::npos && line.compare(first, 2, "//") != 0) ++lines;
    is_of_runs = is_of_runs && line != "#endif";
  }
  return lines;
}

Json report_of(const std::string& folder, const std::string& name, const std::string& options) {
  const Run run = run_program("check " + folder + "/" + name + ".argos --json " + options);
  Json report = test::parse_json_or_discard(run.output);
  EXPECT_TRUE(report.is_object() && report.contains("states")) << run.output;
  return report;
}

// What is broken. Where the plain version can only assert, the other may say what always holds.
std::set<std::string> broken_in(const Json& report) {
  std::set<std::string> kinds;
  for (const Json& error : report.at("errors"))
    kinds.insert(error.at("kind") == "invariant" ? "assertion" : error.at("kind"));
  return kinds;
}

class WrittenTwice : public testing::TestWithParam<std::string> {};

TEST_P(WrittenTwice, IsMuchShorter) {
  const std::size_t plain = lines_of(text_of(plain_folder, GetParam()));
  const std::size_t lines = lines_of(text_of("models", GetParam()));
  EXPECT_LE(lines * 100, plain * percent_of_the_lines) << lines << " lines instead of " << plain;
}

TEST_P(WrittenTwice, BreaksByTheSameFault) {
  const Expectations expectations = read_expectations(text_of(plain_folder, GetParam()));
  for (const std::string& problem : expectations.problems) ADD_FAILURE() << problem;
  std::set<std::string> verdicts;
  for (const Expectation& expected : expectations.checks) {
    SCOPED_TRACE("panoptes check " + GetParam() + ".argos " + expected.options);
    const Json plain = report_of(plain_folder, GetParam(), expected.options);
    const Json other = report_of("models", GetParam(), expected.options);
    if (HasFailure()) return;
    for (const std::string& difference : differences_of(expected, plain))
      ADD_FAILURE() << "in plain language: " << difference;
    EXPECT_EQ(plain.at("verdict"), other.at("verdict"));
    EXPECT_EQ(broken_in(plain), broken_in(other));
    const bool fault = expected.options.find("-D FAULT") != std::string::npos;
    EXPECT_EQ(plain.at("verdict"), fault ? "violated" : "holds");
    verdicts.insert(plain.at("verdict"));
  }
  EXPECT_EQ(verdicts.size(), 2u) << "expectations with the fault and without it are needed";
}

INSTANTIATE_TEST_SUITE_P(Every, WrittenTwice, testing::ValuesIn(protocols_written_twice()),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace panoptes::models
