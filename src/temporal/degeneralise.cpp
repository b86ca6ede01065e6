// SPDX-License-Identifier: Apache-2.0
#include "temporal/degeneralise.hpp"

#include <map>
#include <utility>

#include "temporal/components.hpp"
#include "temporal/simplify.hpp"

namespace panoptes {
namespace {

class Levels {
 public:
  explicit Levels(const BuchiAutomaton& from) : from_(from), components_(components_of(from)) {}

  BuchiAutomaton run() {
    BuchiAutomaton to;
    to.mark_count = 1;
    to.initial = reach(from_.initial, 0);
    for (std::size_t at = 0; at < reached_.size(); ++at) {
      const auto [state, level] = reached_[at];
      std::vector<BuchiEdge> edges;
      for (BuchiEdge edge : from_.edges[state]) {
        const std::uint32_t after = climb(state, level, edge);
        const bool is_past_last = after >= from_.mark_count;
        edge.marks = is_past_last && is_accepting(state, edge) ? 1 : 0;
        edge.target = reach(edge.target, is_past_last ? 0 : after);
        edges.push_back(edge);
      }
      to.edges.push_back(std::move(edges));
    }
    return to;
  }

 private:
  bool is_accepting(BuchiStateId source, const BuchiEdge& edge) const {
    return components_.is_inside(source, edge) && components_.accepts[components_.of[source]];
  }

  std::uint32_t climb(BuchiStateId source, std::uint32_t level, const BuchiEdge& edge) const {
    if (!is_accepting(source, edge)) return 0;
    while (level < from_.mark_count && (edge.marks >> level & 1) != 0) ++level;
    return level;
  }

  BuchiStateId reach(BuchiStateId state, std::uint32_t level) {
    const auto [at, is_new] =
        numbers_.emplace(std::pair(state, level), static_cast<BuchiStateId>(reached_.size()));
    if (is_new) reached_.push_back({state, level});
    return at->second;
  }

  const BuchiAutomaton& from_;
  const BuchiComponents components_;
  std::map<std::pair<BuchiStateId, std::uint32_t>, BuchiStateId> numbers_;
  std::vector<std::pair<BuchiStateId, std::uint32_t>> reached_;
};

}  // namespace

BuchiAutomaton degeneralise(const BuchiAutomaton& automaton) {
  BuchiAutomaton one = automaton.mark_count == 1 ? automaton : Levels(automaton).run();
  simplify(one);
  if (one.mark_count == 1) return one;
  one.mark_count = 1;
  for (std::vector<BuchiEdge>& edges : one.edges)
    for (BuchiEdge& edge : edges) edge.marks = 1;
  return one;
}

}  // namespace panoptes
