// SPDX-License-Identifier: Apache-2.0
// hypercube_model: prints as JSON what the model of src/hypercube/model.hpp computes for figures 7
// to 10 of Frieder and Herman, Protocol Verification Using Database Technology.
// bench/hypercube-model compiles and runs it.
#include <cstdio>

#include "hypercube/model.hpp"

namespace {

using panoptes::CubeJoin;
using panoptes::CubeMachine;
using panoptes::CubeTimes;

constexpr unsigned most_dimension = 14;  // 16,384 nodes

void print_join(const char* name, unsigned depth, const CubeJoin& join, CubeMachine machine) {
  std::printf(
      "{\"name\": \"%s\", \"depth\": %u, \"smaller\": %.0f, \"larger\": %.0f, "
      "\"skew\": %.0f, \"best\": %.0f, \"times\": [",
      name, depth, join.smaller, join.larger, join.skew,
      static_cast<double>(1u << best_dimension(machine, join, most_dimension)));
  for (unsigned dimension = 0; dimension <= most_dimension; ++dimension) {
    const CubeTimes times = join_times(machine, join, dimension);
    std::printf("%s[%.9f, %.9f, %.9f]", dimension == 0 ? "" : ", ", times.balancing,
                times.replication, times.cycle);
  }
  std::printf("]}");
}

}  // namespace

int main() {
  CubeMachine machine, as_printed;
  as_printed.replication = CubeMachine::Replication::while_pair_fits;
  std::printf("[");
  print_join("Z by the printed rule", 10, panoptes::tree_join_z(10), as_printed);
  for (unsigned depth = 2; depth <= 13; ++depth) {
    CubeJoin even = panoptes::tree_join_j(depth);
    even.skew = 1;
    const struct {
      const char* name;
      CubeJoin join;
    } joins[] = {{"Z", panoptes::tree_join_z(depth)},
                 {"J", panoptes::tree_join_j(depth)},
                 {"J, spread evenly", even},
                 {"G", panoptes::tree_join_g(depth)}};
    for (const auto& each : joins) {
      std::printf(",\n");
      print_join(each.name, depth, each.join, machine);
    }
  }
  std::printf("]\n");
}
