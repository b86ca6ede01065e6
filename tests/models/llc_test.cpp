// SPDX-License-Identifier: Apache-2.0
// The study of IEEE 802.2, docs/llc.md: what Holzmann found in the standard is found again, and
// what a search of a part says about how much it has seen is true.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

#include "models/comparison.hpp"
#include "models/run_program.hpp"
#include "support/json.hpp"

namespace panoptes::models {
namespace {

using Reception = std::pair<std::string, std::string>;  // a state of the standard, and a message

// Table 7 of Algorithms for Automated Protocol Validation.
const std::vector<Reception> table_7{
    {"adm", "data_conn_request"},     {"adm", "disconnect_request"},
    {"adm", "reset_request"},         {"adm", "local_busy_detected"},
    {"adm", "local_busy_cleared"},    {"d_conn", "disconnect_request"},
    {"d_conn", "reset_request"},      {"d_conn", "local_busy_detected"},
    {"d_conn", "initiate_p_f_cycle"}, {"error", "disconnect_request"},
    {"error", "reset_request"},       {"error", "local_busy_detected"},
    {"error", "initiate_p_f_cycle"},  {"normal", "connect_request"},
    {"normal", "local_busy_cleared"}, {"reset", "disconnect_request"}};

Json link_control_report(const std::string& options) {
  const Run run = run_program("check models/llc.argos --json --reduce none --threads 1 " + options);
  Json report = test::parse_json_or_discard(run.output);
  EXPECT_TRUE(report.is_object() && report.contains("states")) << options << "\n" << run.output;
  EXPECT_EQ(run.exit_code, 1) << options;
  return report;
}

// What stations cannot receive, and the events of the shortest way there.
std::map<Reception, int> receptions_of(const Json& report) {
  std::map<Reception, int> receptions;
  for (const Json& error : report.at("errors")) {
    if (error.at("kind") != "unspecified_reception") continue;
    const std::string message = error.at("message");
    EXPECT_TRUE(message.starts_with("llc["));
    EXPECT_TRUE(error.at("shortest").get<bool>() && error.at("trail").is_array()) << message;
    receptions[{error.at("state"), message.substr(message.find('?') + 1)}] = error.at("events");
  }
  return receptions;
}

// The columns of numbers that docs/llc.md has behind the receptions of table 7.
std::map<Reception, std::vector<int>> documented() {
  static const std::regex row("\\| `(\\w+)` \\| `(\\w+)` \\| (\\d+) \\| (\\d+) \\|");
  std::map<Reception, std::vector<int>> rows;
  std::ifstream page(PANOPTES_SOURCE_DIR "/docs/llc.md");
  std::smatch match;
  for (std::string line; std::getline(page, line);)
    if (std::regex_match(line, match, row))
      rows[{match[1], match[2]}] = {std::stoi(match[3]), std::stoi(match[4])};
  return rows;
}

void expect_table_7(const std::string& options, std::size_t column) {
  const Json report = link_control_report(options);
  EXPECT_EQ(report.at("promise"), "exhaustive");
  const std::map<Reception, int> found = receptions_of(report);
  const std::map<Reception, std::vector<int>> pages = documented();
  EXPECT_EQ(pages.size(), table_7.size());
  for (const Reception& each : table_7) {
    SCOPED_TRACE(each.first + " " + each.second);
    ASSERT_TRUE(found.contains(each));
    ASSERT_TRUE(pages.contains(each));
    EXPECT_EQ(found.at(each), pages.at(each)[column]);
  }
}

TEST(LinkControl, HasTheUnspecifiedReceptionsOfThePaper) { expect_table_7("", 0); }

TEST(LinkControl, HasThemWithPoliteUsersToo) {
  expect_table_7("-D POLITE -D REQUESTS=3 -D BAD_PDUS=0", 1);
}

// The rows of the first chart behind a line that contains `title`; what goes on in the margin of
// the next lines is not in them.
std::vector<std::string> chart_rows(const std::string& text, const std::string& title) {
  static const std::regex numbered(" +\\d+(,\\d+)?~? .*│.*");
  std::istringstream stream(text);
  std::string line;
  while (std::getline(stream, line) && line.find(title) == std::string::npos) continue;
  std::vector<std::string> rows;
  while (std::getline(stream, line)) {
    const bool is_fault = line.find("╳") != std::string::npos;
    if (is_fault || std::regex_match(line, numbered)) rows.push_back(line);
    if (is_fault) break;
  }
  return rows;
}

// User A asks for a connection, its station sends sabme and enters setup; user B asks as well, its
// station answers, tells it of the connection and enters normal, and there is the request.
TEST(LinkControl, ShowsTheSequenceOfThePaperInEightRows) {
  const std::string chart =
      run_program(
          "check models/llc.argos -D REQUESTS=1 -D BAD_PDUS=0 --threads 1 --reduce none "
          "--chart text")
          .output;
  const std::vector<std::string> rows =
      chart_rows(chart, "llc[0] at normal cannot receive llc[0]?connect_request");
  const std::vector<std::string> wanted{
      "◀─connect_request──┤", "◀─sabme(1)──┤", "llc[1].p_flag = 1",       "├┄┄[connect_request]┄┄▷",
      "├┄┄[ua(1)]┄┄▷",        "▪ p = 0",       "◁┄[connect_indicate]┄┄┤", "╳"};
  ASSERT_EQ(rows.size(), wanted.size()) << chart;
  for (std::size_t i = 0; i < rows.size(); ++i)
    EXPECT_NE(rows[i].find(wanted[i]), std::string::npos) << rows[i];
  EXPECT_NE(rows[6].find("llc[0] at normal"), std::string::npos) << rows[6];
}

// ---- how much was seen --------------------------------------------------------------------------

struct Variant {
  std::string options;
  double states;  // of an exhaustive search
};

// Three shares of each variant, from a fifth to nine tenths: never more than is said, and of more
// than one half not much less.
TEST(LinkControl, CoverageIsWhatTheSearchSays) {
  for (const Variant& variant : {Variant{"", 52'021},
                                 {"-D POLITE -D REQUESTS=2 -D BAD_PDUS=0", 24'718},
                                 {"-D REQUESTS=1 -D LOSSY", 17'805}}) {
    EXPECT_EQ(link_control_report(variant.options).at("states"), variant.states);
    double last = 0.0;
    for (const double bits : {0.3, 1.0, 4.0}) {
      const auto arena = static_cast<unsigned>(bits * variant.states / 8);
      const Json report = link_control_report(
          variant.options + " --search supertrace --bits-per-state 2 --runs 5 --arena " +
          std::to_string(arena));
      SCOPED_TRACE(variant.options + " in " + std::to_string(arena) + " bytes");
      EXPECT_EQ(report.at("promise"), "partial");
      const double real = report.at("states").get<double>() / variant.states;
      const double said = report.at("coverage");
      EXPECT_GE(said, real);
      if (real > 0.5) {
        EXPECT_LE(said, real + 0.1);
      }
      EXPECT_LE(report.at("states_at_least"), variant.states);
      EXPECT_GT(real, last);
      last = real;
    }
    EXPECT_GT(last, 0.9);
  }
}

}  // namespace
}  // namespace panoptes::models
