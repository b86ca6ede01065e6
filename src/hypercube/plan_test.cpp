// SPDX-License-Identifier: Apache-2.0
#include "hypercube/plan.hpp"

#include <gtest/gtest.h>

namespace panoptes {
namespace {

constexpr double gibibyte = 1024.0 * 1024 * 1024;

PlannedSearch ten_billion() {
  return {.states = 1e10,
          .transitions_per_state = 4,
          .levels = 100,
          .bytes_per_state = 16,
          .message_bytes = 8,
          .states_per_second = 1e6};
}

// By hand: 10^10 states at 10^6 a second and core, and no other node to talk to.
TEST(PlannedSearches, OfOneNodeAreItsProcessors) {
  PlannedNode node;
  node.cores = 6;
  node.memory_bytes = 128 * gibibyte;
  const PlannedRun run = plan_search(ten_billion(), node, 1);
  EXPECT_DOUBLE_EQ(run.seconds, 1e10 / (1e6 * 5));
  EXPECT_EQ(run.bound, PlannedRun::Bound::processors);
  EXPECT_DOUBLE_EQ(run.node_bytes, 1.6e11);
  EXPECT_FALSE(run.fits);
  EXPECT_TRUE(plan_search(ten_billion(), node, 2).fits);
}

TEST(PlannedSearches, AreBoundByWhatIsSlowest) {
  PlannedNode node;
  node.memory_bytes = 1024 * gibibyte;
  EXPECT_EQ(plan_search(ten_billion(), node, 16).bound, PlannedRun::Bound::processors);
  node.link_bytes_per_second = 1e6;
  EXPECT_EQ(plan_search(ten_billion(), node, 16).bound, PlannedRun::Bound::link);
  node.link_bytes_per_second = 1e12;
  EXPECT_EQ(plan_search(ten_billion(), node, 16'384).bound, PlannedRun::Bound::messages);
  // A small model on many nodes is slower than on one.
  PlannedSearch small = ten_billion();
  small.states = 1e5;
  EXPECT_GT(plan_search(small, node, 4096).seconds, plan_search(small, node, 1).seconds);
}

TEST(PlannedJoins, HaveANumberOfNodesThatIsBest) {
  const PlannedNode node;
  const auto seconds = [&](unsigned nodes) { return plan_join(node, 1000, 1e4, 80, nodes); };
  EXPECT_LT(seconds(16), seconds(1));
  EXPECT_GT(seconds(16'384), seconds(256));
}

}  // namespace
}  // namespace panoptes
