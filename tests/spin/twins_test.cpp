// SPDX-License-Identifier: Apache-2.0
// Models that are written twice, here and in Promela, have as many states here as SPIN finds. What
// SPIN finds stands below; tests/spin/run asks it again, where it is installed.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>

#include "support/model.hpp"

namespace panoptes {
namespace {

// Made by tests/spin/run: states as pan counts them, of spin -a -o1 -o2 -o3, without reduction.
const std::map<std::string, std::uint64_t> states = {
    {"bakery", 213}, {"blocked", 23}, {"choices", 252}, {"crossing", 2952}, {"election", 92},
    {"lift", 4950},  {"lock", 28},    {"meeting", 624}, {"ring", 3608},     {"tokens", 6029},
};

std::string read(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(Twins, HaveTheStatesThatSpinFinds) {
  const auto folder = std::filesystem::path(PANOPTES_SOURCE_DIR) / "tests" / "spin";
  std::size_t seen = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".argos") continue;
    const std::string name = entry.path().stem().string();
    ASSERT_TRUE(states.contains(name)) << name << ": run tests/spin/run";
    ++seen;
    for (const StepperKind stepper : {StepperKind::interpreter, StepperKind::native}) {
      CheckOptions options;
      options.stepper = stepper;
      const Verdict verdict =
          test::check(test::compile(read(entry.path()), {.minimise = false}), options);
      EXPECT_EQ(verdict.states, states.at(name)) << name;
    }
  }
  EXPECT_EQ(seen, states.size());
}

}  // namespace
}  // namespace panoptes
