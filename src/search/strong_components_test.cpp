// SPDX-License-Identifier: Apache-2.0
#include "search/strong_components.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <new>
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

// Links go anywhere: one component has most of the nodes.
Graph tangled_graph(std::uint64_t nodes, double links_of_each, unsigned seed) {
  std::mt19937 random(seed);
  Graph graph{std::vector<std::vector<Node>>(nodes)};
  std::poisson_distribution<int> links(links_of_each);
  std::uniform_int_distribution<Node> anywhere(0, nodes - 1);
  for (auto& targets : graph.targets)
    for (int left = links(random); left > 0; --left) targets.push_back(anywhere(random));
  return graph;
}

// What several threads find, each of which begins somewhere else, or all at the same node.
struct FoundByThreads {
  Components components;
  std::size_t together = 0;  // so many of these were looked through together
};

FoundByThreads found_by_threads(const Graph& graph, unsigned threads, std::size_t large,
                                bool begins_elsewhere) {
  SharedComponents shared(graph.nodes());
  FoundByThreads found;
  std::mutex guard;
  const auto look = [&](unsigned number) {
    StrongComponents<Graph, std::uint32_t> search(graph, &shared, number % 2 == 1, large);
    const auto tell = [&](std::span<const Node> members, bool has_cycle) {
      if (!has_cycle) return;
      for (const Node member : members) EXPECT_TRUE(search.is_with(member, members.front()));
      const std::lock_guard lock(guard);
      add(found.components, members);
      found.together +=
          shared.complete.known(members.front()) == CompleteNodes::Known::complete_and_told;
    };
    const Node first = begins_elsewhere ? number * graph.nodes() / threads : 0;
    for (Node i = 0; i < graph.nodes(); ++i) {
      EXPECT_TRUE(search.run((i + first) % graph.nodes(), tell, {}));
      if (i % 64 == 0) EXPECT_TRUE(search.help(tell, {}));
    }
  };
  {
    std::vector<std::jthread> workers;
    for (unsigned number = 0; number < threads; ++number) workers.emplace_back(look, number);
  }
  EXPECT_EQ(shared.complete.count(), graph.nodes());
  EXPECT_FALSE(shared.common.is_open());
  std::sort(found.components.begin(), found.components.end());
  return found;
}

// They meet in the middle of components, of which some are large ones, or all.
TEST(ThreadsThatShareComponents, TellOfEachOnce) {
  const unsigned graphs = test::has_all_samples() ? 200 : 24;
  std::size_t all_components = 0;
  for (unsigned seed = 0; seed < graphs; ++seed) {
    const Graph graph =
        random_graph(seed % 3 == 0 ? 200 : 20'000, 1.1 + 0.2 * (seed % 5), 0.1 * (seed % 6), seed);
    const Components expected = components_of(graph);
    all_components += expected.size();
    const unsigned threads = 2 + seed % 3;
    const std::size_t large = seed % 2 == 0 ? 4 + seed % 60 : 16'384;
    EXPECT_EQ(found_by_threads(graph, threads, large, true).components, expected)
        << "seed " << seed << ", " << threads << " threads";
  }
  EXPECT_GT(all_components, graphs * 20u);
}

TEST(ThreadsThatShareComponents, LookThroughALargeOneTogether) {
  const unsigned graphs = test::has_all_samples() ? 150 : 15;
  std::size_t together = 0;
  for (unsigned seed = 0; seed < graphs; ++seed) {
    const Graph graph = tangled_graph(seed % 5 == 0 ? 2'000 : 20'000, 1.3 + 0.3 * (seed % 4), seed);
    const unsigned threads = 2 + seed % 3;
    const FoundByThreads found = found_by_threads(graph, threads, 8 << seed % 6, seed % 2 == 0);
    EXPECT_EQ(found.components, components_of(graph))
        << "seed " << seed << ", " << threads << " threads";
    together += found.together;
  }
  EXPECT_GT(together, graphs / 2);
}

// Who has no time leaves a large one to nobody: whoever would wait for him ends as well.
TEST(ThreadsThatShareComponents, EndTogether) {
  const Graph graph = tangled_graph(20'000, 3.0, 1);
  const auto ignore = [](std::span<const Node>, bool) {};
  SharedComponents shared(graph.nodes());
  int looks = 0;
  const Deadline deadline([&] { return ++looks < 50 ? 1.0 : -1.0; });
  StrongComponents<Graph, std::uint32_t> one(graph, &shared, false, 64);
  EXPECT_FALSE(one.run(0, ignore, deadline));
  EXPECT_TRUE(shared.common.is_open());
  StrongComponents<Graph, std::uint32_t> other(graph, &shared, true, 64);
  EXPECT_FALSE(other.run(0, ignore, {}));
  StrongComponents<Graph, std::uint32_t> third(graph, &shared, false, 64);
  EXPECT_FALSE(third.help(ignore, {}));
}

// Nobody waits for who could not tell of a large one.
TEST(ThreadsThatShareComponents, EndWhereOneCannotTell) {
  const Graph graph = tangled_graph(20'000, 3.0, 1);
  SharedComponents shared(graph.nodes());
  std::atomic<unsigned> faults = 0;
  const auto look = [&](unsigned number) {
    StrongComponents<Graph, std::uint32_t> search(graph, &shared, number == 1, 64);
    const auto fail = [](std::span<const Node> members, bool) {
      if (members.size() > 10'000) throw std::bad_alloc();
    };
    try {
      while (search.run(0, fail, {}) && search.help(fail, {}) && !shared.complete.has(0)) {
      }
    } catch (const std::bad_alloc&) {
      ++faults;
    }
  };
  { const std::jthread one(look, 0), other(look, 1); }
  EXPECT_EQ(faults, 1u);
}

}  // namespace
}  // namespace panoptes
