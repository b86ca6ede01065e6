// SPDX-License-Identifier: Apache-2.0
#include "temporal/simplify.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <set>
#include <utility>

#include "temporal/components.hpp"
#include "temporal/simulation.hpp"

namespace panoptes {
namespace {

// ---- states -------------------------------------------------------------------------------------

// From which states a run can be accepted. Components come before those that lead to them.
std::vector<bool> useful_states(const BuchiAutomaton& automaton,
                                const BuchiComponents& components) {
  std::vector<bool> leads_on = components.accepts;
  for (bool changes = true; changes;) {
    changes = false;
    for (BuchiStateId state = 0; state < automaton.states(); ++state) {
      const std::uint32_t component = components.of[state];
      if (component == BuchiComponents::unreached || leads_on[component]) continue;
      for (const BuchiEdge& edge : automaton.edges[state])
        if (leads_on[components.of[edge.target]]) changes = leads_on[component] = true;
    }
  }
  std::vector<bool> is_useful(automaton.states());
  for (BuchiStateId state = 0; state < automaton.states(); ++state)
    is_useful[state] =
        components.of[state] != BuchiComponents::unreached && leads_on[components.of[state]];
  return is_useful;
}

void drop_useless_states(BuchiAutomaton& automaton) {
  const std::vector<bool> is_useful = useful_states(automaton, components_of(automaton));
  if (!is_useful[automaton.initial]) {
    automaton = BuchiAutomaton{0, 0, {{}}};
    return;
  }
  std::vector<BuchiStateId> number(automaton.states());
  BuchiAutomaton kept;
  kept.mark_count = automaton.mark_count;
  for (BuchiStateId state = 0, next = 0; state < automaton.states(); ++state)
    if (is_useful[state]) number[state] = next++;
  kept.initial = number[automaton.initial];
  for (BuchiStateId state = 0; state < automaton.states(); ++state) {
    if (!is_useful[state]) continue;
    std::vector<BuchiEdge> edges;
    for (BuchiEdge edge : automaton.edges[state]) {
      if (!is_useful[edge.target]) continue;
      edge.target = number[edge.target];
      edges.push_back(edge);
    }
    kept.edges.push_back(std::move(edges));
  }
  automaton = std::move(kept);
}

// ---- marks --------------------------------------------------------------------------------------

// The marks of a component that no other one stands for, by what marks its edges have.
std::vector<std::uint32_t> needed_marks(const std::vector<std::uint32_t>& edges,
                                        std::uint32_t mark_count) {
  const auto follows = [&](std::uint32_t mark, std::uint32_t from) {
    return std::all_of(edges.begin(), edges.end(), [&](std::uint32_t marks) {
      return (marks >> from & 1) == 0 || (marks >> mark & 1) != 0;
    });
  };
  const auto is_everywhere = [&](std::uint32_t mark) {
    return std::all_of(edges.begin(), edges.end(),
                       [&](std::uint32_t marks) { return (marks >> mark & 1) != 0; });
  };
  std::vector<std::uint32_t> needed;
  for (std::uint32_t mark = 0; mark < mark_count; ++mark) {
    bool is_needed = !is_everywhere(mark);
    for (std::uint32_t other = 0; other < mark_count && is_needed; ++other)
      if (other != mark && follows(mark, other))
        is_needed = mark < other && follows(other, mark);  // of two that are equal, the first
    if (is_needed) needed.push_back(mark);
  }
  return needed;
}

// Numbers the marks anew in every component that accepts; elsewhere there are none. Where a
// component needs fewer marks than another, its edges have the others all.
void renumber_marks(BuchiAutomaton& automaton) {
  const BuchiComponents components = components_of(automaton);
  std::vector<std::vector<std::uint32_t>> marks(components.accepts.size());
  for (BuchiStateId state = 0; state < automaton.states(); ++state)
    for (const BuchiEdge& edge : automaton.edges[state])
      if (components.is_inside(state, edge)) marks[components.of[state]].push_back(edge.marks);
  std::vector<std::vector<std::uint32_t>> needed(marks.size());
  std::uint32_t count = 0;
  for (std::size_t i = 0; i < marks.size(); ++i) {
    if (components.accepts[i]) {
      needed[i] = needed_marks(marks[i], automaton.mark_count);
      count = std::max(count, static_cast<std::uint32_t>(needed[i].size()));
    } else if (components.has_cycle[i]) {
      count = std::max(count, 1u);
    }
  }
  automaton.mark_count = count;
  for (BuchiStateId state = 0; state < automaton.states(); ++state) {
    const std::uint32_t component = components.of[state];
    for (BuchiEdge& edge : automaton.edges[state]) {
      const std::uint32_t old = edge.marks;
      edge.marks = 0;
      if (!components.is_inside(state, edge) || !components.accepts[component]) continue;
      edge.marks = automaton.all_marks();
      for (std::uint32_t i = 0; i < needed[component].size(); ++i)
        if ((old >> needed[component][i] & 1) == 0) edge.marks &= ~(std::uint32_t{1} << i);
    }
  }
}

// An edge from one component to another is taken once: its marks mean nothing.
void mark_what_is_taken_once(BuchiAutomaton& automaton, std::uint32_t marks) {
  const BuchiComponents components = components_of(automaton);
  for (BuchiStateId state = 0; state < automaton.states(); ++state)
    for (BuchiEdge& edge : automaton.edges[state])
      if (!components.is_inside(state, edge)) edge.marks = marks;
}

// ---- edges --------------------------------------------------------------------------------------

// Two edges that differ in the sign of one atom are one without it.
std::vector<BuchiEdge> joined_edges(std::vector<BuchiEdge> to_see) {
  std::set<BuchiEdge> seen;
  while (!to_see.empty()) {
    BuchiEdge edge = to_see.back();
    to_see.pop_back();
    if (seen.contains(edge)) continue;
    bool is_joined = false;
    for (Valuation left = edge.must_hold | edge.must_not_hold; left != 0 && !is_joined;) {
      const Valuation atom = left & (~left + 1);
      left ^= atom;
      BuchiEdge other = edge;
      other.must_hold ^= atom;
      other.must_not_hold ^= atom;
      is_joined = seen.erase(other) != 0;
      if (!is_joined) continue;
      edge.must_hold &= ~atom;
      edge.must_not_hold &= ~atom;
      to_see.push_back(edge);
    }
    if (!is_joined) seen.insert(edge);
  }
  return {seen.begin(), seen.end()};
}

// ---- equal states -------------------------------------------------------------------------------

// Classes of states whose edges are equal up to classes.
std::vector<BuchiStateId> bisimulation_classes(const BuchiAutomaton& automaton) {
  std::vector<BuchiStateId> classes(automaton.states(), 0);
  for (std::size_t count = 1;;) {
    std::map<std::pair<BuchiStateId, std::vector<BuchiEdge>>, BuchiStateId> known;
    std::vector<BuchiStateId> refined;
    for (BuchiStateId state = 0; state < automaton.states(); ++state) {
      std::vector<BuchiEdge> edges = automaton.edges[state];
      for (BuchiEdge& edge : edges) edge.target = classes[edge.target];
      std::sort(edges.begin(), edges.end());
      edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
      const auto number = static_cast<BuchiStateId>(known.size());
      refined.push_back(
          known.emplace(std::pair(classes[state], std::move(edges)), number).first->second);
    }
    classes = std::move(refined);
    if (known.size() == count) return classes;
    count = known.size();
  }
}

// One state for each class, with the edges of its first member.
void merge_classes(BuchiAutomaton& automaton, const std::vector<BuchiStateId>& classes) {
  std::vector<std::vector<BuchiEdge>> edges;
  for (BuchiStateId state = 0; state < automaton.states(); ++state) {
    if (classes[state] < edges.size()) continue;
    edges.push_back(automaton.edges[state]);
    for (BuchiEdge& edge : edges.back()) edge.target = classes[edge.target];
    std::sort(edges.back().begin(), edges.back().end());
    edges.back().erase(std::unique(edges.back().begin(), edges.back().end()), edges.back().end());
  }
  automaton.edges = std::move(edges);
  automaton.initial = classes[automaton.initial];
}

bool is_small(const BuchiAutomaton& automaton) {
  std::size_t edges = 0;
  for (const std::vector<BuchiEdge>& some : automaton.edges) edges += some.size();
  return automaton.states() <= max_simulated && edges <= 10 * max_simulated;
}

void merge_states(BuchiAutomaton& automaton) {
  merge_classes(automaton, bisimulation_classes(automaton));
  if (!is_small(automaton)) return;
  merge_classes(automaton, Simulation(automaton).classes());
  const Simulation simulation(automaton);
  for (std::vector<BuchiEdge>& edges : automaton.edges) simulation.drop_lesser(edges);
}

struct Size {
  std::size_t states = 0, edges = 0, marks = 0, literals = 0;
  friend bool operator==(const Size&, const Size&) = default;
};

Size size_of(const BuchiAutomaton& automaton) {
  Size size{automaton.states(), 0, automaton.mark_count, 0};
  for (const std::vector<BuchiEdge>& edges : automaton.edges) {
    size.edges += edges.size();
    for (const BuchiEdge& edge : edges)
      size.literals += static_cast<std::size_t>(std::popcount(edge.must_hold) +
                                                std::popcount(edge.must_not_hold));
  }
  return size;
}

}  // namespace

void simplify(BuchiAutomaton& automaton) {
  for (Size before; before != size_of(automaton);) {
    before = size_of(automaton);
    for (const bool has_all : {true, false}) {
      drop_useless_states(automaton);
      renumber_marks(automaton);
      for (std::vector<BuchiEdge>& edges : automaton.edges) edges = joined_edges(std::move(edges));
      mark_what_is_taken_once(automaton, has_all ? automaton.all_marks() : 0);
      merge_states(automaton);
    }
  }
  if (!is_small(automaton)) return;
  mark_what_is_taken_once(automaton, automaton.all_marks());
  const Simulation simulation(automaton);
  for (std::vector<BuchiEdge>& edges : automaton.edges) simulation.narrow_lesser(edges);
  drop_useless_states(automaton);
  mark_what_is_taken_once(automaton, 0);
}

}  // namespace panoptes
