// SPDX-License-Identifier: Apache-2.0
// The kept graph is the one that was told, and its cycles are those of the obvious algorithm.
#include "search/cycles.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <set>

#include "support/edge.hpp"

namespace panoptes {
namespace {

using test::Edge;

constexpr RuleId internal_rules = 6, rules = 8;  // the last two are external

struct RandomGraph {
  RandomGraph(std::uint64_t states_, std::mt19937& random) : states(states_), is_stop(states_) {
    const auto edge_count = random() % (2 * states + 1);
    for (std::uint64_t i = 0; i < edge_count; ++i)
      edges.push_back({random() % states,
                       static_cast<RuleId>(random() % 20 == 0 ? internal_rules + random() % 2
                                                              : random() % internal_rules),
                       random() % states});
    for (std::uint64_t s = 0; s < states; ++s) is_stop[s] = random() % 30 == 0;
    std::sort(edges.begin(), edges.end());
  }

  // Reachable in a step or more.
  std::set<std::uint64_t> from(std::uint64_t state) const {
    std::set<std::uint64_t> reached;
    for (std::size_t before = 1; before != reached.size();) {
      before = reached.size();
      for (const Edge& e : edges)
        if (e.source == state || reached.contains(e.source)) reached.insert(e.target);
      if (before == 0 && reached.empty()) break;
    }
    return reached;
  }

  std::uint64_t states;
  std::vector<Edge> edges;  // in order
  std::vector<bool> is_stop;
};

std::vector<Edge> edges_of(const StateGraph& graph) {
  std::vector<Edge> edges;
  for (std::uint64_t s = 0; s < graph.states(); ++s)
    for (std::uint64_t at = graph.first(s); at < graph.end(s); ++at)
      edges.push_back({s, graph.link(at).rule, graph.link(at).target});
  return edges;
}

StateGraph told(const std::vector<Edge>& edges, std::uint64_t states) {
  StateGraph graph;
  for (const Edge& e : edges) graph.transition(e.source, e.rule, e.target, false);
  graph.finish(states);
  return graph;
}

TEST(StateGraphs, AreTheSameInWhateverOrderStatesComeUp) {
  std::mt19937 random(1);
  for (int i = 0; i < 200; ++i) {
    const RandomGraph plain(1 + random() % 40, random);
    EXPECT_EQ(edges_of(told(plain.edges, plain.states)), plain.edges);
    std::vector<Edge> shuffled = plain.edges;
    std::shuffle(shuffled.begin(), shuffled.end(), random);
    std::vector<Edge> found = edges_of(told(shuffled, plain.states));
    EXPECT_TRUE(std::is_sorted(found.begin(), found.end(),
                               [](const Edge& a, const Edge& b) { return a.source < b.source; }));
    std::sort(found.begin(), found.end());
    EXPECT_EQ(found, plain.edges);
  }
}

// Each state by one of several workers, in any order, as a breadth-first search of them tells it.
TEST(StateGraphs, AreTheSameWhicheverWorkerTellsAState) {
  std::mt19937 random(3);
  for (int i = 0; i < 200; ++i) {
    const unsigned workers = 1 + random() % 4;
    const RandomGraph plain(1 + random() % 40, random);
    std::vector<std::uint64_t> order(plain.states);
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), random);
    StateGraph graph(workers);
    for (const std::uint64_t state : order) {
      SuccessorBatch successors;
      for (const Edge& e : plain.edges) {
        if (e.source != state) continue;
        successors.rules.push_back(e.rule);
        successors.numbers.push_back(e.target);
      }
      graph.transitions(random() % workers, state, successors, 0, successors.rules.size());
    }
    // They stay where they are.
    EXPECT_LE(graph.growth_bytes(), plain.states * 56);
    graph.finish(plain.states);
    EXPECT_EQ(edges_of(graph), plain.edges);
    EXPECT_EQ(graph.links(), plain.edges.size());
  }
}

// Of workers one tells nothing, one as much as is kept together, and one much more.
TEST(StateGraphs, HoldAnyNumberOfLinks) {
  constexpr std::uint64_t together = 1 << 13;
  StateGraph graph(3);
  std::vector<Edge> expected;
  std::uint64_t state = 0;
  for (const auto& [worker, links] : {std::pair(1u, together), std::pair(2u, 20'000ul)})
    for (std::uint64_t told = 0, count = 0; told < links; told += count, ++state) {
      SuccessorBatch successors;
      count = std::min(links - told, 1 + state % 7);
      for (std::uint64_t i = 0; i < count; ++i) {
        expected.push_back({state, static_cast<RuleId>(i), told + i});
        successors.rules.push_back(expected.back().rule);
        successors.numbers.push_back(expected.back().target);
      }
      graph.transitions(worker, state, successors, 0, count);
    }
  graph.finish(state);
  EXPECT_EQ(edges_of(graph), expected);
}

TEST(StateGraphs, KeepLinksInTheOrderTheyWereTold) {
  const std::vector<Edge> edges = {{0, 5, 1}, {1, 2, 1}, {0, 1, 0}, {0, 3, 2}};
  const std::vector<Edge> expected = {{0, 5, 1}, {0, 1, 0}, {0, 3, 2}, {1, 2, 1}};
  EXPECT_EQ(edges_of(told(edges, 3)), expected);
}

TEST(StateGraphs, HoldLargeNumbers) {
  const std::uint64_t far = (std::uint64_t{1} << 40) - 1;
  StateGraph graph;
  graph.transition(0, (1u << 24) - 1, far, true);
  graph.finish(1);
  EXPECT_EQ(graph.link(0).target, far);
  EXPECT_EQ(graph.link(0).rule, (1u << 24) - 1);
}

TEST(StateGraphs, CountWhatTheyTake) {
  StateGraph graph;
  for (std::uint64_t s = 0; s < 1000; ++s) graph.transition(s, 0, s + 1, true);
  EXPECT_GE(graph.bytes(), 24'000u);
  EXPECT_GE(graph.growth_bytes(), 56'000u);
  graph.finish(1001);
  EXPECT_LT(graph.bytes(), 24'000u);
}

// Components by the definition: states that can reach each other.
TEST(Cycles, AreThoseOfTheObviousAlgorithm) {
  std::mt19937 random(2);
  std::vector<bool> is_external(rules);
  for (RuleId r = internal_rules; r < rules; ++r) is_external[r] = true;
  std::size_t livelocks_met = 0;
  for (int i = 0; i < 400; ++i) {
    const RandomGraph plain(1 + random() % 30, random);
    std::vector<std::set<std::uint64_t>> reached;
    for (std::uint64_t s = 0; s < plain.states; ++s) reached.push_back(plain.from(s));

    Cycles expected;
    std::set<std::set<std::uint64_t>> components, livelocks;
    for (std::uint64_t s = 0; s < plain.states; ++s) {
      if (reached[s].contains(s)) {
        std::set<std::uint64_t> component;
        for (const std::uint64_t t : reached[s])
          if (reached[t].contains(s)) component.insert(t);
        ++expected.states;
        expected.largest_component =
            std::max<std::uint64_t>(expected.largest_component, component.size());
        components.insert(component);
      }
      const auto ends = [&](std::uint64_t t) {
        return plain.is_stop[t] || reached[t].empty() ||
               std::any_of(plain.edges.begin(), plain.edges.end(),
                           [&](const Edge& e) { return e.source == t && is_external[e.rule]; });
      };
      if (ends(s) || std::any_of(reached[s].begin(), reached[s].end(), ends)) continue;
      ++expected.livelocked_states;
      if (std::all_of(reached[s].begin(), reached[s].end(),
                      [&](std::uint64_t t) { return reached[t] == reached[s]; }) &&
          reached[s].contains(s))
        livelocks.insert(reached[s]);
    }

    const Cycles found =
        find_cycles(told(plain.edges, plain.states), is_external, plain.is_stop).value();
    EXPECT_EQ(found.components, components.size());
    EXPECT_EQ(found.states, expected.states);
    EXPECT_EQ(found.largest_component, expected.largest_component);
    EXPECT_EQ(found.livelocked_states, expected.livelocked_states);
    std::set<std::set<std::uint64_t>> found_livelocks;
    for (const auto& states : found.livelocks) {
      EXPECT_TRUE(std::is_sorted(states.begin(), states.end()));
      found_livelocks.insert({states.begin(), states.end()});
    }
    EXPECT_EQ(found_livelocks, livelocks);
    livelocks_met += livelocks.size();
  }
  EXPECT_GT(livelocks_met, 50u);
}

TEST(Cycles, OfALongPathNeedNoRecursion) {
  constexpr std::uint64_t states = 1'000'000;
  StateGraph graph;
  for (std::uint64_t s = 0; s < states; ++s) graph.transition(s, 0, (s + 1) % states, true);
  graph.finish(states);
  const Cycles cycles = find_cycles(graph, {false}, std::vector<bool>(states)).value();
  EXPECT_EQ(cycles.components, 1u);
  EXPECT_EQ(cycles.largest_component, states);
  ASSERT_EQ(cycles.livelocks.size(), 1u);
  EXPECT_EQ(cycles.livelocks[0].size(), states);
}

}  // namespace
}  // namespace panoptes
