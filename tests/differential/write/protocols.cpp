// SPDX-License-Identifier: Apache-2.0
// random_protocols FOLDER COUNT [FIRST_SEED]: writes random protocols, one a file, for tools/same.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "differential/generator.hpp"

int main(int argc, char** argv) {
  if (argc < 3) {
    std::cerr << "usage: random_protocols FOLDER COUNT [FIRST_SEED]\n";
    return 2;
  }
  const std::filesystem::path folder = argv[1];
  const std::uint64_t count = std::strtoull(argv[2], nullptr, 10);
  const std::uint64_t first = argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 1;
  std::filesystem::create_directories(folder);
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    std::ofstream file(folder / ("random_" + std::to_string(seed) + ".argos"));
    file << panoptes::differential::random_protocol(seed);
    if (!file.flush()) {
      std::cerr << "random_protocols: cannot write to " << folder << '\n';
      return 2;
    }
  }
  return 0;
}
