// SPDX-License-Identifier: Apache-2.0
// The graph of all states: that of the paper, as large as check says, and never larger than wanted.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "cli/child.hpp"
#include "models/run_program.hpp"
#include "show/every_model.hpp"
#include "support/json.hpp"

namespace panoptes::show {
namespace {

using Json = nlohmann::json;

Json graph_of(const std::string& arguments) {
  return test::parse_json(
      models::run_program("show " + arguments + " --graph --format json 2>/dev/null").output);
}

// A state of the connection protocol as the paper has it: states of A and B, then what is under way
// to A and to B; `-` is nothing.
std::string tuple(const Json& node) {
  std::string out;
  for (const Json& process : node["control"]) out += process["state"] == "idle" ? "0 " : "1 ";
  std::map<std::string, std::string> contents{{"to_A", "-"}, {"to_B", "-"}};
  for (const Json& channel : node["in_channels"])
    contents[channel["channel"]] = channel["contents"];
  return out + contents["to_A"] + " " + contents["to_B"];
}

// Frieder and Herman, Table IV and figure 3, with its two misprints mended.
TEST(Graphs, OfTheConnectionProtocolAreThoseOfThePaper) {
  const Json graph = graph_of("models/connection.argos --capacity 1");
  std::set<std::string> steps;
  for (const Json& edge : graph["edges"])
    steps.insert(fmt::format("{} {} {}", tuple(graph["nodes"][edge["source"].get<int>()]),
                             edge["action"].get<std::string>(),
                             tuple(graph["nodes"][edge["target"].get<int>()])));
  const std::set<std::string> steady = {
      "0 0 - - to_A!ON 0 1 ON -", "0 0 - - to_B!ON 1 0 - ON",   "0 1 ON - to_A?ON 1 1 - -",
      "1 0 - ON to_B?ON 1 1 - -", "1 0 OFF - to_A?OFF 0 0 - -", "1 1 - - to_A!OFF 1 0 OFF -",
  };
  std::set<std::string> final = steady;
  final.insert({"0 1 ON - to_B!ON 1 1 ON ON", "1 0 - ON to_A!ON 1 1 ON ON"});
  EXPECT_EQ(steps, final);
  EXPECT_EQ(graph["nodes"].size(), 6u);
  // Where both have asked at once nothing goes on; without it, that is figure 2.
  std::set<std::string> one_at_a_time = steps;
  for (const Json& node : graph["nodes"]) {
    EXPECT_EQ(node["wrong"].empty(), tuple(node) != "1 1 ON ON");
    if (!node["wrong"].empty())
      std::erase_if(one_at_a_time, [&](const std::string& step) {
        return step.find(tuple(node)) != std::string::npos;
      });
  }
  EXPECT_EQ(one_at_a_time, steady);
}

// Every state that check counts, no two of them alike, and every transition once.
TEST(Graphs, OfEveryModelAreWhatCheckCounts) {
  int whole = 0;
  for (const std::string& model : every_model()) {
    const Json graph = graph_of("'" + model + "' --states 700");
    const Json verdict = test::parse_json(
        models::run_program("check '" + model +
                            "' --json --search exhaustive --reduce none 2>/dev/null")
            .output);
    EXPECT_EQ(graph["state_count"], verdict["states"]) << model;
    EXPECT_EQ(graph["transition_count"], verdict["transitions"]) << model;
    std::set<std::string> nodes;
    std::size_t left_out = 0;
    for (Json node : graph["nodes"]) {
      left_out += node["steps_left_out"].get<std::size_t>();
      node.erase("state");
      nodes.insert(node.dump());
    }
    EXPECT_EQ(nodes.size(), graph["nodes"].size()) << model;
    const bool is_whole = graph["nodes"].size() == graph["state_count"];
    EXPECT_EQ(is_whole, left_out == 0) << model;
    if (!is_whole) continue;
    EXPECT_EQ(graph["edges"].size(), graph["transition_count"]) << model;
    ++whole;
  }
  EXPECT_GT(whole, test::has_all_samples() ? 15 : 5);
}

TEST(Graphs, ShowNoMoreThanIsWantedAndSaySo) {
  const auto shown =
      models::run_program("show models/connection.argos --graph --capacity 1 --states 3");
  EXPECT_EQ(shown.exit_code, 0);
  EXPECT_TRUE(shown.output.ends_with(
      "2: A idle, B connected; to_A: ON\n"
      "    2 steps to states left out\n"
      "3 of 6 states, those nearest to the start; 2 of 8 transitions; 2 findings are left out\n"))
      << shown.output;
  const auto dot = models::run_program(
      "show models/connection.argos --graph --capacity 1 --states 3 --format dot");
  EXPECT_NE(dot.output.find("s2 -> m2"), std::string::npos) << dot.output;
  EXPECT_NE(dot.output.find("3 of 6 states, those nearest"), std::string::npos) << dot.output;
}

// By who sends it, and not as if he had received it.
TEST(Graphs, HaveWhatIsLostAsASend) {
  std::size_t lost = 0;
  const Json graph = graph_of("models/stop_and_wait.argos --states 50");
  for (const Json& edge : graph["edges"]) {
    const auto action = edge["action"].get<std::string>();
    if (action.find("(lost)") == std::string::npos) continue;
    EXPECT_NE(action.find('!'), std::string::npos) << action;
    ++lost;
  }
  EXPECT_GT(lost, 0u);
}

// States that are large in words are fewer where memory is short, and that is no failure.
TEST(Graphs, ShowFewerStatesWhereThereIsLittleMemory) {
  if (cli::is_sanitized) GTEST_SKIP() << "a sanitizer has memory of its own";
  const auto nodes = [](const std::string& memory) {
    const auto shown = models::run_program(
        "show models/sliding_window.argos --graph --states 3000 --format json --memory " + memory);
    EXPECT_TRUE(shown.exit_code == 0 || shown.exit_code == 3) << shown.output;
    return test::parse_json(shown.output)["nodes"].size();
  };
  EXPECT_EQ(nodes("1G"), 3000u);
  EXPECT_LT(nodes("16M"), 3000u);
  EXPECT_GT(nodes("16M"), 100u);
}

TEST(Graphs, ThatCannotBeCountedSayThatThereMayBeMore) {
  const auto cut =
      models::run_program("show models/sliding_window.argos --graph --states 5 --memory 4M");
  EXPECT_EQ(cut.exit_code, 3);
  EXPECT_NE(cut.output.find(" of at least "), std::string::npos) << cut.output;
  EXPECT_TRUE(cut.output.ends_with("; the search was ended: memory limit reached\n")) << cut.output;
}

TEST(Graphs, MarkErrorsAsCheckDoes) {
  const auto errors = [](const std::string& options) {
    std::set<std::string> result;
    const auto add = [&](const Json& list) {
      for (const Json& wrong : list)
        result.insert((wrong["warning"] ? "warning " : "") + wrong["kind"].get<std::string>());
    };
    const Json graph = graph_of(options);
    for (const Json& node : graph["nodes"]) add(node["wrong"]);
    for (const Json& edge : graph["edges"]) {
      add(edge["wrong"]);
      EXPECT_EQ(edge["wrong"].empty(), !edge["target"].is_null());
    }
    return result;
  };
  EXPECT_EQ(errors("models/connection.argos"),
            (std::set<std::string>{"deadlock", "unspecified_reception"}));
  EXPECT_EQ(errors("models/mistakes.argos"),
            (std::set<std::string>{"assertion", "division_by_zero", "index_out_of_range"}));
  EXPECT_TRUE(errors("models/polling.argos").empty());
  EXPECT_FALSE(errors("models/polling.argos --receptions any").empty());
  EXPECT_EQ(graph_of("models/alternating_bit.argos --timeouts lock")["state_count"], 8);
}

}  // namespace
}  // namespace panoptes::show
