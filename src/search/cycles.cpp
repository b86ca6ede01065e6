// SPDX-License-Identifier: Apache-2.0
#include "search/cycles.hpp"

#include <algorithm>

namespace panoptes {
namespace {

// Pearce's variant of Tarjan's algorithm. A state's mark is 0 where it was not visited; then the
// lowest mark of the path it can get back to; then, beyond all of those, that of its component.
class Components {
 public:
  using Found = std::function<void(std::span<const std::uint64_t>)>;
  Components(const StateGraph& graph, const Found& found)
      : graph_(graph), found_(found), marks_(graph.states()), component_mark_(graph.states()) {}

  bool run(const Deadline& deadline) {
    constexpr std::uint64_t links_per_look = 4096;
    std::uint64_t links = 0;
    for (std::uint64_t state = 0; state < marks_.size(); ++state) {
      if (marks_[state] != 0) continue;
      for (enter(state); !path_.empty(); go_on())
        if (++links % links_per_look == 0 && deadline.has_passed()) return false;
    }
    return true;
  }

 private:
  struct Visit {
    std::uint64_t state, own_mark, next_link;
  };

  void enter(std::uint64_t state) {
    marks_[state] = next_mark_;
    path_.push_back({state, next_mark_, graph_.first(state)});
    ++next_mark_;
  }

  // Follows the next link of the innermost state, or leaves it.
  void go_on() {
    Visit& visit = path_.back();
    if (visit.next_link == graph_.first(visit.state + 1)) return leave();
    const std::uint64_t target = graph_.link(visit.next_link).target;
    if (marks_[target] == 0) return enter(target);  // and look at this link again
    marks_[visit.state] = std::min(marks_[visit.state], marks_[target]);
    ++visit.next_link;
  }

  void leave() {
    const Visit visit = path_.back();
    path_.pop_back();
    if (marks_[visit.state] < visit.own_mark) {
      open_.push_back(visit.state);
      return;
    }
    std::size_t begin = open_.size();
    while (begin > 0 && marks_[open_[begin - 1]] >= visit.own_mark) --begin;
    open_.push_back(visit.state);
    const std::span members(open_.begin() + static_cast<std::ptrdiff_t>(begin), open_.end());
    for (const std::uint64_t member : members) marks_[member] = component_mark_;
    --component_mark_;
    next_mark_ -= members.size();
    found_(members);
    open_.resize(begin);
  }

  const StateGraph& graph_;
  const Found& found_;
  std::vector<std::uint64_t> marks_;
  std::uint64_t next_mark_ = 1;
  std::uint64_t component_mark_;     // of the next component to be complete
  std::deque<Visit> path_;           // being visited; may get long, and shall not double
  std::vector<std::uint64_t> open_;  // visited, but their component is not complete
};

}  // namespace

bool strong_components(const StateGraph& graph,
                       const std::function<void(std::span<const std::uint64_t>)>& found,
                       const Deadline& deadline) {
  return Components(graph, found).run(deadline);
}

std::optional<Cycles> find_cycles(const StateGraph& graph, const std::vector<bool>& is_external,
                                  const std::vector<bool>& is_stop, const Deadline& deadline) {
  Cycles cycles;
  std::vector<bool> has_way_out(graph.states());  // of states whose component is complete
  const auto any_link = [&](std::span<const std::uint64_t> states, const auto& condition) {
    return std::any_of(states.begin(), states.end(), [&](std::uint64_t state) {
      for (std::uint64_t at = graph.first(state); at < graph.first(state + 1); ++at)
        if (condition(state, graph.link(at))) return true;
      return false;
    });
  };
  const auto look_at = [&](std::span<const std::uint64_t> members) {
    const auto is_own = [](std::uint64_t source, const StateGraph::Link& link) {
      return link.target == source;
    };
    if (members.size() > 1 || any_link(members, is_own)) {
      ++cycles.components;
      cycles.states += members.size();
      cycles.largest_component = std::max<std::uint64_t>(cycles.largest_component, members.size());
    }
    const bool is_free =
        std::any_of(members.begin(), members.end(),
                    [&](std::uint64_t s) { return is_stop[s] || !graph.has_links(s); }) ||
        any_link(members, [&](std::uint64_t, const StateGraph::Link& link) {
          return is_external[link.rule] || has_way_out[link.target];
        });
    if (is_free) {
      for (const std::uint64_t member : members) has_way_out[member] = true;
      return;
    }
    cycles.livelocked_states += members.size();
    std::vector<std::uint64_t> sorted(members.begin(), members.end());
    std::sort(sorted.begin(), sorted.end());
    const auto leads_out = [&](std::uint64_t, const StateGraph::Link& link) {
      return !std::binary_search(sorted.begin(), sorted.end(), link.target);
    };
    if (!any_link(members, leads_out)) cycles.livelocks.push_back(std::move(sorted));
  };
  if (!strong_components(graph, look_at, deadline)) return {};
  return cycles;
}

}  // namespace panoptes
