// SPDX-License-Identifier: Apache-2.0
#include "search/livelock.hpp"

#include <algorithm>
#include <utility>

#include "search/cycles.hpp"
#include "search/expand_again.hpp"
#include "search/shortest_ways.hpp"

namespace panoptes {
namespace {

constexpr std::uint64_t unknown = UINT64_MAX;

// States in which everybody may stop, and those in which a step fails: that is no link, so they are
// expanded once more.
std::vector<bool> stops(const Program& program, const NumberedStore& store, std::uint64_t states,
                        bool has_failures, const Deadline& deadline) {
  std::vector<bool> result(states);
  expand_again(
      program, store, states, deadline,
      [&](std::uint64_t number) {
        result[number] = may_end(program, store.state(number));
        return has_failures && !result[number];
      },
      [&](std::uint64_t number, const ExpandedState& expanded) {
        result[number] = !expanded.findings.empty();
      });
  return result;
}

LivelockShape shape_of(const Program& program, const StateGraph& graph, const NumberedStore& store,
                       const std::vector<std::uint64_t>& states) {
  LivelockShape shape;
  shape.places.resize(program.control.size());
  for (const std::uint64_t number : states) {
    for (ProcessId p = 0; p < program.control.size(); ++p)
      shape.places[p].insert(
          static_cast<StateId>(read(program.layout.control[p], store.state(number))));
    for (std::uint64_t at = graph.first(number); at < graph.end(number); ++at)
      for (const ProcessMove& move : program.rules[graph.link(at).rule].moves)
        shape.moving.insert(move.process);
  }
  return shape;
}

// The shortest cycle from `start` on, in a component that nothing leads out of.
std::vector<RuleId> shortest_cycle(const StateGraph& graph,
                                   const std::vector<std::uint64_t>& component,
                                   std::uint64_t start) {
  const auto place_of = [&](std::uint64_t state) {
    return static_cast<std::size_t>(std::lower_bound(component.begin(), component.end(), state) -
                                    component.begin());
  };
  std::vector<std::uint64_t> parents(component.size(), unknown);
  std::deque<std::uint64_t> waiting{start};
  for (; parents[place_of(start)] == unknown; waiting.pop_front())
    for_each_target(graph, waiting.front(), [&](std::uint64_t target) {
      std::uint64_t& parent = parents[place_of(target)];
      if (parent != unknown) return;
      parent = waiting.front();
      waiting.push_back(target);
    });
  std::vector<RuleId> rules;
  std::uint64_t state = start;
  do {
    const std::uint64_t parent = parents[place_of(state)];
    rules.push_back(rule_between(graph, parent, state));
    state = parent;
  } while (state != start);
  std::reverse(rules.begin(), rules.end());
  return rules;
}

// The nearest state of every group of components.
struct Nearest {
  std::uint64_t state = unknown;
  std::size_t component = 0;  // where it is
};

std::vector<Nearest> nearest_of(const StateGraph& graph, const Cycles& cycles,
                                const std::vector<std::size_t>& group_of, std::size_t groups,
                                ShortestWays& ways) {
  std::vector<std::pair<std::uint64_t, std::size_t>> component_of;  // state and component
  std::vector<bool> is_in_livelock(graph.states());
  std::size_t member_count = 0;
  for (const auto& states : cycles.livelocks) member_count += states.size();
  component_of.reserve(member_count);
  for (std::size_t c = 0; c < cycles.livelocks.size(); ++c)
    for (const std::uint64_t state : cycles.livelocks[c]) {
      component_of.emplace_back(state, c);
      is_in_livelock[state] = true;
    }
  std::sort(component_of.begin(), component_of.end());
  std::vector<Nearest> result(groups);
  std::size_t left = groups;
  ways.walk([&](std::uint64_t state) {
    if (!is_in_livelock[state]) return true;
    const auto found = std::lower_bound(component_of.begin(), component_of.end(),
                                        std::pair(state, std::size_t{0}));
    Nearest& nearest = result[group_of[found->second]];
    if (nearest.state != unknown) return true;
    nearest = {state, found->second};
    return --left > 0;
  });
  return result;
}

}  // namespace

std::optional<Livelocks> find_livelocks(const Program& program, const StateGraph& graph,
                                        const NumberedStore& store, bool has_failures,
                                        const SourceSet& sources, std::string& problem,
                                        const Deadline& deadline) {
  Livelocks result;
  result.graph.links = graph.links();
  result.graph.bytes = graph.bytes();
  const std::vector<bool> is_stop = stops(program, store, graph.states(), has_failures, deadline);
  if (deadline.has_passed()) return result;  // not all of them were found
  const auto found = find_cycles(graph, external_moves(program), is_stop, deadline);
  if (!found) return result;
  const Cycles& cycles = *found;
  result.graph = {graph.links(),           graph.bytes(), true,
                  cycles.components,       cycles.states, cycles.largest_component,
                  cycles.livelocked_states};
  result.is_livelocked.resize(graph.states());
  for (const auto& states : cycles.livelocks)
    for (const std::uint64_t state : states) result.is_livelocked[state] = true;
  if (cycles.livelocks.empty()) return result;
  LivelockGroups groups(program);
  std::vector<std::size_t> group_of;  // by component
  for (const auto& states : cycles.livelocks)
    group_of.push_back(groups.add(shape_of(program, graph, store, states), states.size()));
  ShortestWays ways(graph);
  const auto nearest = nearest_of(graph, cycles, group_of, groups.size(), ways);
  for (std::size_t group = 0; group < groups.size(); ++group) {
    const auto& [state, component] = nearest[group];
    const auto& states = cycles.livelocks[component];
    const StateView there = store.state(state);
    const std::vector<RuleId> firsts = ways.to(state);
    const auto way = with_insides(program, firsts, program.initial, there, deadline);
    const auto cycle =
        with_insides(program, shortest_cycle(graph, states, state), there, there, deadline);
    if (!way || !cycle) {
      result.graph.is_complete = false;
      return result;
    }
    auto report =
        groups.report(group, {shape_of(program, graph, store, states), there, {*way, *cycle}},
                      sources, problem, deadline);
    if (!report) return {};
    report->depth = firsts.size();
    result.errors.push_back(std::move(*report));
  }
  return result;
}

}  // namespace panoptes
