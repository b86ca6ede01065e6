// SPDX-License-Identifier: Apache-2.0
// Every model under tests/diagnostics/syntax has a mistake, and beside it stands, word for word and
// caret for caret, what the user is told. With PANOPTES_UPDATE_EXPECTED set the files are written
// anew instead: look at the difference before you keep it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "lang/argos/parse.hpp"

namespace panoptes::argos {
namespace {

std::filesystem::path folder() {
  return std::filesystem::path(PANOPTES_SOURCE_DIR) / "tests" / "diagnostics" / "syntax";
}

std::optional<std::string> read(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(file), {});
}

std::vector<std::string> model_names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder()))
    if (entry.path().extension() == ".argos") names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

// The name of a test case; GoogleTest would otherwise number them.
std::string case_name(const testing::TestParamInfo<std::string>& info) { return info.param; }

class SyntaxDiagnostics : public testing::TestWithParam<std::string> {};

TEST_P(SyntaxDiagnostics, AreExactlyTheExpectedOnes) {
  SourceSet sources;
  Diagnostics diagnostics;
  const ReadFile read_file = [](const std::string& path) { return read(folder() / path); };
  parse(GetParam() + ".argos", read_file, {}, sources, diagnostics);
  const std::string shown = diagnostics.render(sources);

  const std::filesystem::path expected = folder() / (GetParam() + ".expected");
  if (std::getenv("PANOPTES_UPDATE_EXPECTED") != nullptr) {
    std::ofstream(expected, std::ios::binary) << shown;
  } else {
    EXPECT_EQ(shown, read(expected).value_or("(there is no file of expected diagnostics)"));
  }
}

INSTANTIATE_TEST_SUITE_P(Models, SyntaxDiagnostics, testing::ValuesIn(model_names()), case_name);

}  // namespace
}  // namespace panoptes::argos
