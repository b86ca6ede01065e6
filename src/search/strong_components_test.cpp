// SPDX-License-Identifier: Apache-2.0
#include "search/strong_components.hpp"

#include <gtest/gtest.h>

#include <mutex>
#include <random>
#include <thread>
#include <vector>

#include "support/sample.hpp"

namespace panoptes {
namespace {

using Node = std::uint64_t;

struct Graph {
  std::vector<std::vector<Node>> targets;

  std::uint64_t nodes() const { return targets.size(); }
  void expect(Node) const {}
  template <typename Use>
  void for_each_target(Node node, const Use& use) const {
    for (const Node target : targets[node]) use(target);
  }
};

// Most links go to a node near by, mostly ahead: components are of all sizes.
Graph random_graph(std::uint64_t nodes, double links_of_each, double share_back, unsigned seed) {
  std::mt19937 random(seed);
  Graph graph{std::vector<std::vector<Node>>(nodes)};
  std::poisson_distribution<int> links(links_of_each);
  std::uniform_int_distribution<Node> near(0, 30), anywhere(0, nodes - 1);
  std::bernoulli_distribution goes_back(share_back), is_far(0.02);
  for (Node node = 0; node < nodes; ++node)
    for (int left = links(random); left > 0; --left) {
      const Node step = near(random);
      Node target = goes_back(random) ? node - std::min(node, step) : node + step;
      if (is_far(random)) target = std::max(node, anywhere(random));
      graph.targets[node].push_back(std::min(target, nodes - 1));
    }
  return graph;
}

// Components with a cycle, members and components in order.
using Components = std::vector<std::vector<Node>>;

void add(Components& components, std::span<const Node> members) {
  components.emplace_back(members.begin(), members.end());
  std::sort(components.back().begin(), components.back().end());
}

Components components_of(const Graph& graph) {
  Components result;
  StrongComponents<Graph> search(graph);
  for (Node root = 0; root < graph.nodes(); ++root)
    search.run(root,
               [&](std::span<const Node> members, bool has_cycle) {
                 if (has_cycle) add(result, members);
               },
               {});
  std::sort(result.begin(), result.end());
  return result;
}

TEST(StrongComponents, AreWhereEverybodyReachesEverybody) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    const Graph graph = random_graph(1 + seed % 14, 1.3, 0.4, seed);
    const std::size_t nodes = graph.nodes();
    std::vector<std::vector<bool>> reaches(nodes, std::vector<bool>(nodes));
    for (Node node = 0; node < nodes; ++node)
      for (const Node target : graph.targets[node]) reaches[node][target] = true;
    for (Node on_the_way = 0; on_the_way < nodes; ++on_the_way)
      for (Node from = 0; from < nodes; ++from)
        for (Node to = 0; to < nodes; ++to)
          if (reaches[from][on_the_way] && reaches[on_the_way][to]) reaches[from][to] = true;
    Components expected;
    for (Node node = 0; node < nodes; ++node) {
      if (!reaches[node][node]) continue;
      std::vector<Node> members;
      for (Node other = 0; other < nodes; ++other)
        if (reaches[node][other] && reaches[other][node]) members.push_back(other);
      if (members.front() == node) expected.push_back(members);
    }
    EXPECT_EQ(components_of(graph), expected) << seed;
  }
}

// Each begins somewhere else, and they meet in the middle of components.
TEST(ThreadsThatShareComponents, TellOfEachOnce) {
  const unsigned graphs = test::has_all_samples() ? 200 : 24;
  std::size_t all_components = 0;
  for (unsigned seed = 0; seed < graphs; ++seed) {
    const Graph graph =
        random_graph(seed % 3 == 0 ? 200 : 20'000, 1.1 + 0.2 * (seed % 5), 0.1 * (seed % 6), seed);
    const Components expected = components_of(graph);
    all_components += expected.size();
    const unsigned threads = 2 + seed % 3;
    CompleteNodes complete(graph.nodes());
    Components found;
    std::mutex guard;
    {
      std::vector<std::jthread> workers;
      for (unsigned number = 0; number < threads; ++number)
        workers.emplace_back([&, number] {
          StrongComponents<Graph, std::uint32_t> search(graph, &complete, number % 2 == 1);
          for (Node i = 0; i < graph.nodes(); ++i) {
            const Node root = (i + number * graph.nodes() / threads) % graph.nodes();
            search.run(root,
                       [&](std::span<const Node> members, bool has_cycle) {
                         if (!has_cycle) return;
                         const std::lock_guard lock(guard);
                         add(found, members);
                       },
                       {});
          }
        });
    }
    std::sort(found.begin(), found.end());
    EXPECT_EQ(found, expected) << "seed " << seed << ", " << threads << " threads";
    EXPECT_EQ(complete.count(), graph.nodes());
  }
  EXPECT_GT(all_components, graphs * 20u);
}

}  // namespace
}  // namespace panoptes
