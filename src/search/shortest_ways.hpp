// SPDX-License-Identifier: Apache-2.0
// Shortest ways in a kept graph, whatever the order of the search was.
//
// Cost: 8 bytes a state, and one pass over the graph, breadth first. REQUIRES: `graph` is finished.
#pragma once

#include <algorithm>
#include <deque>
#include <functional>
#include <vector>

#include "search/state_graph.hpp"

namespace panoptes {

template <typename Function>
void for_each_target(const StateGraph& graph, std::uint64_t state, const Function& function) {
  for (std::uint64_t at = graph.first(state); at < graph.end(state); ++at)
    function(graph.link(at).target);
}

// The first rule that leads from one state to the other. REQUIRES: there is one.
inline RuleId rule_between(const StateGraph& graph, std::uint64_t source, std::uint64_t target) {
  std::uint64_t at = graph.first(source);
  while (graph.link(at).target != target) ++at;
  return graph.link(at).rule;
}

// From the initial state.
class ShortestWays {
 public:
  explicit ShortestWays(const StateGraph& graph)
      : graph_(graph), parents_(graph.states(), unknown) {}

  // Calls `met` for every state, the nearest first, until it says that it has seen enough.
  void walk(const std::function<bool(std::uint64_t)>& met) {
    std::deque<std::uint64_t> waiting{0};
    parents_[0] = 0;
    for (; !waiting.empty(); waiting.pop_front()) {
      const std::uint64_t state = waiting.front();
      if (!met(state)) return;
      for_each_target(graph_, state, [&](std::uint64_t target) {
        if (parents_[target] != unknown) return;
        parents_[target] = state;
        waiting.push_back(target);
      });
    }
  }

  // The rules that lead there. REQUIRES: it was met.
  std::vector<RuleId> to(std::uint64_t state) const {
    std::vector<RuleId> rules;
    for (; state != 0; state = parents_[state])
      rules.push_back(rule_between(graph_, parents_[state], state));
    std::reverse(rules.begin(), rules.end());
    return rules;
  }

 private:
  static constexpr std::uint64_t unknown = UINT64_MAX;

  const StateGraph& graph_;
  std::vector<std::uint64_t> parents_;
};

}  // namespace panoptes
