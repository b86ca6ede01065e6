// SPDX-License-Identifier: Apache-2.0
#include "search/cycles.hpp"

#include <algorithm>

#include "search/strong_components.hpp"

namespace panoptes {
namespace {

// The links of a kept graph, as whoever looks for components wants them.
struct Links {
  const StateGraph& graph;

  std::uint64_t nodes() const { return graph.states(); }
  void expect(std::uint64_t state) const { graph.expect(state); }
  template <typename Use>
  void for_each_target(std::uint64_t state, const Use& use) const {
    for (std::uint64_t at = graph.first(state); at < graph.end(state); ++at)
      use(graph.link(at).target);
  }
};

template <typename Number, typename Found>
bool look_for_components(const StateGraph& graph, const Found& found, const Deadline& deadline) {
  const Links links{graph};
  StrongComponents<Links, Number> components(links);
  for (std::uint64_t state = 0; state < graph.states(); ++state)
    if (!components.run(state, found, deadline)) return false;
  return true;
}

// Where there are not too many states, short numbers do.
template <typename Found>
bool look_for_components(const StateGraph& graph, const Found& found, const Deadline& deadline) {
  return graph.states() < UINT32_MAX - 1
             ? look_for_components<std::uint32_t>(graph, found, deadline)
             : look_for_components<std::uint64_t>(graph, found, deadline);
}

}  // namespace

bool strong_components(const StateGraph& graph,
                       const std::function<void(std::span<const std::uint64_t>)>& found,
                       const Deadline& deadline) {
  return look_for_components(
      graph, [&](std::span<const std::uint64_t> members, bool) { found(members); }, deadline);
}

std::optional<Cycles> find_cycles(const StateGraph& graph, const std::vector<bool>& is_external,
                                  const std::vector<bool>& is_stop, const Deadline& deadline) {
  Cycles cycles;
  std::vector<bool> has_way_out(graph.states());  // of states whose component is complete
  const auto any_link = [&](std::span<const std::uint64_t> states, const auto& condition) {
    return std::any_of(states.begin(), states.end(), [&](std::uint64_t state) {
      for (std::uint64_t at = graph.first(state); at < graph.end(state); ++at)
        if (condition(state, graph.link(at))) return true;
      return false;
    });
  };
  const auto look_at = [&](std::span<const std::uint64_t> members, bool has_cycle) {
    if (has_cycle) {
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
  if (!look_for_components(graph, look_at, deadline)) return {};
  return cycles;
}

}  // namespace panoptes
