// SPDX-License-Identifier: Apache-2.0
// Threads that use the library find what processes find.
#include <gtest/gtest.h>
#include <panoptes.h>

#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "models/run_program.hpp"
#include "support/json.hpp"

namespace panoptes::library {
namespace {

using Json = nlohmann::json;

// A report but for what depends on the machine and on what else it does, times and memory; and for
// the option that makes a program print it.
Json lasting(const std::string& text) {
  Json report = test::parse_json(text);
  for (const char* key :
       {"seconds", "processor_seconds", "states_per_second", "states_per_processor_second",
        "first_error_seconds", "memory_bytes", "fixed_bytes", "bytes_per_state"})
    report.erase(key);
  for (const char* key : {"M", "E"}) report["parameters"].erase(key);
  report["options"].erase("json");
  return report;
}

using Options = std::vector<std::pair<std::string, std::string>>;

// What the library says of a model; "" where it has nothing to say.
std::string by_library(const std::string& path, const Options& given) {
  panoptes_options* const options = panoptes_options_new();
  for (const auto& [name, value] : given)
    panoptes_options_set(options, name.c_str(), value.c_str());
  panoptes_model* model = nullptr;
  panoptes_verdict* verdict = nullptr;
  std::string text;
  if (panoptes_load_file(path.c_str(), nullptr, &model, nullptr) == PANOPTES_OK &&
      panoptes_check_model(model, options, nullptr, nullptr, nullptr, &verdict, nullptr) ==
          PANOPTES_OK) {
    char* const json = panoptes_verdict_json(verdict);
    if (json) text = json;
    panoptes_free(json);
  }
  panoptes_verdict_free(verdict);
  panoptes_model_free(model);
  panoptes_options_free(options);
  return text;
}

std::string by_program(const std::string& path, const Options& given) {
  std::string command = "check " + path + " --json";
  for (const auto& [name, value] : given) command += " --" + name + " " + value;
  return models::run_program(command).output;
}

std::string path_of(const std::string& model) {
  return std::string(PANOPTES_SOURCE_DIR) + "/models/" + model + ".argos";
}

const Options plain = {{"search", "exhaustive"}, {"threads", "1"}};

TEST(TenThreads, FindInTenModelsWhatTenProcessesFind) {
  const std::vector<std::string> names = {"setup_handshake",     "alternating_bit_link",
                                          "dining_philosophers", "load_balancer",
                                          "sliding_window",      "mistakes",
                                          "flow_control",        "leader_election",
                                          "two_phase_commit",    "lost_message"};
  std::vector<std::string> paths;
  for (const std::string& name : names) paths.push_back(path_of(name));
  std::vector<std::string> said(paths.size());
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < paths.size(); ++i)
    threads.emplace_back([&, i] { said[i] = by_library(paths[i], plain); });
  for (std::thread& thread : threads) thread.join();
  for (std::size_t i = 0; i < paths.size(); ++i)
    EXPECT_EQ(lasting(said[i]), lasting(by_program(paths[i], plain))) << paths[i];
}

TEST(TheLibrary, SaysLikeTheProgramWhatMayTakeASearchFurther) {
  const std::string path = path_of("sliding_window");
  for (const Options& given : {Options{{"depth", "5"}, {"search", "exhaustive"}, {"threads", "1"}},
                               Options{{"search", "walk"}, {"threads", "1"}, {"depth", "50"}}}) {
    const Json said = lasting(by_library(path, given));
    EXPECT_FALSE(said["remedies"].empty());
    EXPECT_EQ(said, lasting(by_program(path, given)));
  }
}

}  // namespace
}  // namespace panoptes::library
