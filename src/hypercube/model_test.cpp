// SPDX-License-Identifier: Apache-2.0
#include "hypercube/model.hpp"

#include <gtest/gtest.h>

namespace panoptes {
namespace {

double total(const CubeJoin& join, unsigned dimension) {
  return join_times({}, join, dimension).total();
}

// Printed: the sizes of section IV.
TEST(CubeModel, HasTheSizesOfThePaper) {
  EXPECT_EQ(tree_rules(10), 2046);
  EXPECT_EQ(tree_join_j(10).larger, 2'093'058);
  EXPECT_EQ(tree_join_j(13).larger, 134'184'962);
  EXPECT_EQ(tree_transitions(7), 7540);
  EXPECT_EQ(tree_transitions(10), 198'872);
  EXPECT_EQ(tree_transitions(13), 5'330'788);
}

// By hand: 1023 tuples of 40 bytes take 5.115 ms on a link, and as long to compare.
TEST(CubeModel, AddsUpWhatTwoNodesDo) {
  const CubeTimes times = join_times({}, tree_join_z(10), 1);
  EXPECT_NEAR(times.balancing, 0.003 + 0.003 + 2 * 0.005115, 1e-9);
  EXPECT_NEAR(times.replication, 0.003 + 0.003 + 0.005115, 1e-9);
  EXPECT_NEAR(times.cycle, 0.003 + 0.005115, 1e-9);
  EXPECT_EQ(times.replications, 1u);
}

// The rule as it is printed does not let two nodes replicate 81,840 bytes.
TEST(CubeModel, ReplicatesByTheRuleThatIsChosen) {
  CubeMachine machine;
  machine.replication = CubeMachine::Replication::while_pair_fits;
  const CubeTimes times = join_times(machine, tree_join_z(10), 1);
  EXPECT_EQ(times.replications, 0u);
  EXPECT_NEAR(times.replication, 0.003, 1e-9);
}

// Figure 7: of systems of two nodes and more, two are the fastest, and each doubling is slower.
TEST(CubeModel, SaysThatMoreNodesSlowDownWhatIsSmall) {
  for (unsigned dimension = 2; dimension <= 7; ++dimension)
    EXPECT_GT(total(tree_join_z(10), dimension), total(tree_join_z(10), dimension - 1));
  for (unsigned depth = 2; depth <= 6; ++depth)
    EXPECT_EQ(best_dimension({}, tree_join_g(depth), 7), 0u) << depth;
}

// Figures 8 to 10: what is large gains from every node, up to some number of them.
TEST(CubeModel, SaysThatLargeJoinsGainFromMoreNodes) {
  EXPECT_GT(total(tree_join_j(13), 0) / total(tree_join_j(13), 7), 75);
  EXPECT_GT(total(tree_join_g(13), 0) / total(tree_join_g(13), 7), 100);
  EXPECT_EQ(best_dimension({}, tree_join_j(13), 7), 7u);
  const unsigned best = best_dimension({}, tree_join_g(10), 14);
  EXPECT_GT(best, 4u);
  EXPECT_LT(best, 14u);
  EXPECT_GT(total(tree_join_g(10), 14), total(tree_join_g(10), best));
}

TEST(CubeModel, OfOneNodeIsComparisonsAlone) {
  const CubeTimes times = join_times({}, tree_join_g(10), 0);
  EXPECT_EQ(times.balancing + times.replication, 0);
  EXPECT_NEAR(times.cycle, 198'872 * 5e-6, 1e-9);
}

// Tuples neither appear nor vanish: an even relation is never balanced, a skewed one once.
TEST(CubeModel, MovesOnlyWhatIsUneven) {
  const CubeJoin even{64, 4096, false, 1}, skewed{64, 4096, false, 4};
  EXPECT_NEAR(join_times({}, even, 3).balancing, 0.003, 1e-9);
  EXPECT_NEAR(join_times({}, skewed, 3).balancing, 0.003 + 0.003 + 307 * 40 / 8e6, 1e-6);
}

}  // namespace
}  // namespace panoptes
