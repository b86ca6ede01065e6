// SPDX-License-Identifier: Apache-2.0
// Folders of models with mistakes: beside each stands, word for word and caret for caret, what the
// user is told. With PANOPTES_UPDATE_EXPECTED set the files are written anew instead: look at the
// difference before you keep it.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

namespace panoptes::test {

class ExpectedDiagnostics {
 public:
  explicit ExpectedDiagnostics(const std::string& folder)
      : folder_(std::filesystem::path(PANOPTES_SOURCE_DIR) / "tests" / "diagnostics" / folder) {}

  std::vector<std::string> model_names() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_))
      if (entry.path().extension() == ".argos") names.push_back(entry.path().stem().string());
    std::sort(names.begin(), names.end());
    return names;
  }

  std::optional<std::string> read(const std::string& file) const {
    std::ifstream stream(folder_ / file, std::ios::binary);
    if (!stream) return std::nullopt;
    return std::string(std::istreambuf_iterator<char>(stream), {});
  }

  void compare(const std::string& name, const std::string& shown) const {
    const std::string file = name + ".expected";
    if (std::getenv("PANOPTES_UPDATE_EXPECTED") != nullptr)
      std::ofstream(folder_ / file, std::ios::binary) << shown;
    else
      EXPECT_EQ(shown, read(file).value_or("(there is no file of expected diagnostics)"));
  }

 private:
  std::filesystem::path folder_;
};

// The name of a test case; GoogleTest would otherwise number them.
inline std::string case_name(const testing::TestParamInfo<std::string>& info) { return info.param; }

}  // namespace panoptes::test
