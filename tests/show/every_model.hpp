// SPDX-License-Identifier: Apache-2.0
// The models of the repository, by their paths: all, or those there is time for every day.
#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "support/sample.hpp"

namespace panoptes::show {

inline std::vector<std::string> every_model() {
  std::vector<std::string> paths;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path(PANOPTES_SOURCE_DIR) / "models"))
    if (entry.path().extension() == ".argos") paths.push_back(entry.path().string());
  std::sort(paths.begin(), paths.end());
  return test::sample_of(paths, 3);
}

}  // namespace panoptes::show
