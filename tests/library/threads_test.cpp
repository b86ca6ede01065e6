// SPDX-License-Identifier: Apache-2.0
// Threads that use the library find what processes find.
#include <gtest/gtest.h>
#include <panoptes.h>

#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "models/run_program.hpp"

namespace panoptes::library {
namespace {

using Json = nlohmann::json;

// Of a report, what does not depend on the machine and on what else it does.
Json lasting(const std::string& text) {
  Json report = Json::parse(text);
  Json kept;
  for (const char* key : {"schema", "model", "verdict", "promise", "stop", "states", "transitions",
                          "depth", "errors", "warnings", "dead_code", "dead_in_members"})
    kept[key] = report[key];
  return kept;
}

// What the library says of a model; "" where it has nothing to say.
std::string by_library(const std::string& path) {
  panoptes_options* const options = panoptes_options_new();
  panoptes_options_set(options, "search", "exhaustive");
  panoptes_options_set(options, "threads", "1");
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

TEST(TenThreads, FindInTenModelsWhatTenProcessesFind) {
  const std::vector<std::string> names = {"setup_handshake",     "alternating_bit_link",
                                          "dining_philosophers", "load_balancer",
                                          "sliding_window",      "mistakes",
                                          "flow_control",        "leader_election",
                                          "two_phase_commit",    "lost_message"};
  std::vector<std::string> paths;
  for (const std::string& name : names)
    paths.push_back(std::string(PANOPTES_SOURCE_DIR) + "/models/" + name + ".argos");
  std::vector<std::string> said(paths.size());
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < paths.size(); ++i)
    threads.emplace_back([&, i] { said[i] = by_library(paths[i]); });
  for (std::thread& thread : threads) thread.join();
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const models::Run run =
        models::run_program("check " + paths[i] + " --search exhaustive --threads 1 --json");
    EXPECT_EQ(lasting(said[i]), lasting(run.output)) << paths[i];
  }
}

}  // namespace
}  // namespace panoptes::library
