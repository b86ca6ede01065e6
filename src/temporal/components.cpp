// SPDX-License-Identifier: Apache-2.0
#include "temporal/components.hpp"

#include <algorithm>

namespace panoptes {
namespace {

class ComponentSearch {
 public:
  explicit ComponentSearch(const BuchiAutomaton& automaton)
      : automaton_(automaton), order_(automaton.states(), 0), low_(automaton.states(), 0) {
    found_.of.assign(automaton.states(), BuchiComponents::unreached);
  }

  BuchiComponents run() {
    enter(automaton_.initial);
    while (!path_.empty()) {
      const BuchiStateId state = path_.back().state;
      if (path_.back().edge == automaton_.edges[state].size()) {
        leave(state);
        continue;
      }
      const BuchiStateId target = automaton_.edges[state][path_.back().edge++].target;
      if (order_[target] == 0)
        enter(target);
      else if (found_.of[target] == BuchiComponents::unreached)
        low_[state] = std::min(low_[state], order_[target]);
    }
    judge();
    return std::move(found_);
  }

 private:
  struct Visit {
    BuchiStateId state;
    std::size_t edge;
  };

  void enter(BuchiStateId state) {
    order_[state] = low_[state] = ++count_;
    path_.push_back({state, 0});
    open_.push_back(state);
  }

  void leave(BuchiStateId state) {
    path_.pop_back();
    if (!path_.empty()) low_[path_.back().state] = std::min(low_[path_.back().state], low_[state]);
    if (low_[state] != order_[state]) return;
    const auto component = static_cast<std::uint32_t>(component_count_++);
    BuchiStateId member;
    do {
      member = open_.back();
      open_.pop_back();
      found_.of[member] = component;
    } while (member != state);
  }

  void judge() {
    std::vector<std::uint32_t> marks(component_count_, 0);
    found_.has_cycle.assign(component_count_, false);
    found_.accepts.assign(component_count_, false);
    for (BuchiStateId state = 0; state < automaton_.states(); ++state) {
      if (found_.of[state] == BuchiComponents::unreached) continue;
      for (const BuchiEdge& edge : automaton_.edges[state]) {
        if (!found_.is_inside(state, edge)) continue;
        found_.has_cycle[found_.of[state]] = true;
        marks[found_.of[state]] |= edge.marks;
      }
    }
    for (std::size_t i = 0; i < component_count_; ++i)
      found_.accepts[i] =
          found_.has_cycle[i] && (marks[i] & automaton_.all_marks()) == automaton_.all_marks();
  }

  const BuchiAutomaton& automaton_;
  BuchiComponents found_;
  std::vector<std::uint32_t> order_, low_;  // by state; order 0: not yet entered
  std::uint32_t count_ = 0;
  std::size_t component_count_ = 0;
  std::vector<Visit> path_;
  std::vector<BuchiStateId> open_;
};

}  // namespace

BuchiComponents components_of(const BuchiAutomaton& automaton) {
  return ComponentSearch(automaton).run();
}

}  // namespace panoptes
