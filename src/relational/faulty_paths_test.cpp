// SPDX-License-Identifier: Apache-2.0
// Faulty paths of a graph are all those without a state twice, shortest first.
#include "relational/faulty_paths.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

namespace panoptes {
namespace {

using Path = std::vector<std::uint32_t>;

// A graph of random edges, with the least number of steps to an unsafe state; states from which
// there is none are left out.
FaultyGraph random_graph(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto below = [&](std::uint64_t n) { return static_cast<std::uint32_t>(random() % n); };
  const std::uint32_t count = 2 + below(6);
  std::vector<std::uint32_t> back(count, none);
  for (std::uint32_t i = 0; i <= below(2); ++i) back[1 + below(count - 1)] = 0;
  std::vector<FaultyGraph::Edge> edges;
  for (std::uint32_t i = 0; i < 3 * count; ++i) edges.push_back({0, below(count), below(count)});
  for (std::uint32_t round = 0; round < count; ++round)
    for (const auto& edge : edges)
      if (back[edge.target] == round && back[edge.source] == none) back[edge.source] = round + 1;
  FaultyGraph graph;
  graph.steps_back = back;
  std::sort(edges.begin(), edges.end(),
            [](const auto& a, const auto& b) { return a.source < b.source; });
  for (auto& edge : edges)
    if (back[edge.source] != none && back[edge.target] != none) {
      edge.number = static_cast<std::uint32_t>(graph.edges.size());
      graph.edges.push_back(edge);
    }
  return graph;
}

void walk(const FaultyGraph& graph, std::uint32_t state, std::set<std::uint32_t> seen, Path path,
          std::multiset<Path>& all) {
  seen.insert(state);
  if (graph.steps_back[state] == 0) all.insert(path);
  for (const auto& edge : graph.edges) {
    if (edge.source != state || seen.contains(edge.target)) continue;
    path.push_back(edge.number);
    walk(graph, edge.target, seen, path, all);
    path.pop_back();
  }
}

TEST(FaultyPathsOfAGraph, AreAllThoseThatVisitNoStateTwice) {
  std::size_t most = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const FaultyGraph graph = random_graph(seed);
    if (graph.steps_back[0] == none) continue;
    std::multiset<Path> wanted, found;
    walk(graph, 0, {}, {}, wanted);
    std::size_t longest = 0;
    const PathCount count = for_each_path(graph, 1'000'000, [&](const Path& path) {
      EXPECT_LE(longest, path.size());
      longest = path.size();
      found.insert(path);
      return true;
    });
    EXPECT_EQ(found, wanted) << seed;
    EXPECT_EQ(count.found, wanted.size());
    EXPECT_TRUE(count.is_all);
    most = std::max(most, wanted.size());
  }
  EXPECT_GT(most, 10u);
}

// A chain of diamonds has 2^40 paths: the first come at once, and nobody claims to have counted.
TEST(FaultyPathsOfAGraph, AreNotCountedForEver) {
  FaultyGraph graph;
  for (std::uint32_t i = 0; i < 40; ++i) {
    graph.edges.push_back({2 * i, i, i + 1});
    graph.edges.push_back({2 * i + 1, i, i + 1});
  }
  for (std::uint32_t i = 0; i <= 40; ++i) graph.steps_back.push_back(40 - i);
  const PathCount count = for_each_path(graph, 10'000, [](const Path& path) {
    EXPECT_EQ(path.size(), 40u);
    return true;
  });
  EXPECT_FALSE(count.is_all);
  EXPECT_GT(count.found, 100u);
  std::size_t wanted = 3;
  const PathCount few = for_each_path(graph, 10'000, [&](const Path&) { return --wanted > 0; });
  EXPECT_FALSE(few.is_all);
  EXPECT_EQ(few.found, 3u) << "nobody wants more";
}

TEST(FaultyPathsOfAGraph, AreNoneWhereNothingIsWrong) {
  const PathCount count = for_each_path({}, 10, [](const Path&) {
    ADD_FAILURE();
    return true;
  });
  EXPECT_EQ(count.found, 0u);
  EXPECT_TRUE(count.is_all);
}

}  // namespace
}  // namespace panoptes
