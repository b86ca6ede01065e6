// SPDX-License-Identifier: Apache-2.0
// Every primitive and operator, on cubes of dimension 0 to 4 whose nodes are threads.
#include "hypercube/operators.hpp"

#include <gtest/gtest.h>

#include <thread>

#include "support/cube_checks.hpp"
#include "support/sample.hpp"
#include "support/sanitized.hpp"
#include "transport/thread_transport.hpp"

namespace panoptes {
namespace {

std::vector<std::string> complaints_of(unsigned nodes) {
  const auto transports = thread_transports(nodes);
  std::vector<std::vector<std::string>> complaints(nodes);
  std::vector<std::thread> threads;
  for (unsigned node = 0; node < nodes; ++node)
    threads.emplace_back(
        [&, node] { complaints[node] = test::CubeChecks(*transports[node]).run(); });
  for (std::thread& thread : threads) thread.join();
  std::vector<std::string> all;
  for (const auto& some : complaints) all.insert(all.end(), some.begin(), some.end());
  return all;
}

TEST(CubeOperators, AreThoseOfSetsOnCubesOfEverySize) {
  const unsigned most = test::is_sanitized && !test::has_all_samples() ? 2 : 4;
  for (unsigned dimension = 0; dimension <= most; ++dimension)
    EXPECT_EQ(complaints_of(1u << dimension), std::vector<std::string>{}) << dimension;
}

// A rank that goes leaves the others with a failure, not waiting.
TEST(CubeOperators, EndWhereANodeIsGone) {
  auto transports = thread_transports(2);
  transports[1].reset();
  Cube cube(*transports[0]);
  Tuples rows(1);
  rows.add(std::array<std::int64_t, 1>{7});
  static_cast<void>(on_cube::distinct(cube, rows));
  EXPECT_TRUE(cube.failed());
}

TEST(CubeOperators, NeedAPowerOfTwo) {
  EXPECT_FALSE(Cube::is_cube(0));
  EXPECT_TRUE(Cube::is_cube(1));
  EXPECT_FALSE(Cube::is_cube(3));
  EXPECT_TRUE(Cube::is_cube(16));
  EXPECT_FALSE(Cube::is_cube(24));
}

}  // namespace
}  // namespace panoptes
