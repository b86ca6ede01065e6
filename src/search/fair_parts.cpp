// SPDX-License-Identifier: Apache-2.0
#include "search/fair_parts.hpp"

#include <algorithm>
#include <deque>
#include <utility>

#include "search/strong_components.hpp"

namespace panoptes {
namespace {

// Numbers of nodes and edges are shorter than those of states.
std::uint32_t place_in(const std::vector<Product::Node>& nodes, Product::Node node) {
  const auto found = std::lower_bound(nodes.begin(), nodes.end(), node);
  return found != nodes.end() && *found == node ? static_cast<std::uint32_t>(found - nodes.begin())
                                                : none;
}

bool has(const std::vector<std::uint32_t>& sorted, std::uint32_t number) {
  return std::binary_search(sorted.begin(), sorted.end(), number);
}

// The edges of a part, for who looks for components of it.
template <typename IsIn>
struct PartGraph {
  const Component& component;
  IsIn is_in;

  std::uint64_t nodes() const { return component.nodes.size(); }
  void expect(std::uint64_t node) const { __builtin_prefetch(&component.first[node]); }
  template <typename Use>
  void for_each_target(std::uint64_t node, const Use& use) const {
    for (std::uint32_t at = component.first[node]; at < component.first[node + 1]; ++at)
      if (is_in(component.edges[at])) use(component.edges[at].target);
  }
};

std::vector<bool> inside_of(const Component& component, const FairPart& part) {
  std::vector<bool> result(component.nodes.size());
  for (const std::uint32_t node : part.nodes) result[node] = true;
  return result;
}

}  // namespace

Component::Component(const Product& product, std::vector<Product::Node> members)
    : nodes(std::move(members)) {
  std::sort(nodes.begin(), nodes.end());
  for (const Product::Node node : nodes) {
    const auto source = static_cast<std::uint32_t>(first.size());
    first.push_back(static_cast<std::uint32_t>(edges.size()));
    product.for_each_edge(node, [&](const Product::Edge& edge) {
      const std::uint32_t target = place_in(nodes, edge.target);
      if (target == none) return;
      edges.push_back({source, target, edge.marks, edge.effect, edge.step});
    });
  }
  first.push_back(static_cast<std::uint32_t>(edges.size()));
}

FairParts::FairParts(const Program& program, const Product& product, const Component& component)
    : product_(product), component_(component), demands_(program.protocol.fairness) {
  if (demands_.processes == Fairness::any) return;
  for (const Product::Node node : component.nodes)
    enabled_.push_back(product.graph().enabled(product.state_of(node)));
}

bool FairParts::is_in(const FairPart& part, const Component::Edge& edge,
                      const std::vector<bool>& is_inside) const {
  if (!is_inside[edge.target]) return false;
  if (part.without_loss.empty()) return true;
  const auto& lost = product_.graph().effect(edge.effect).lost;
  return std::none_of(lost.begin(), lost.end(), [&](ChannelId c) {
    return part.without_loss.contains(c) && has_room(edge, c);
  });
}

bool FairParts::has_room(const Component::Edge& edge, ChannelId line) const {
  return product_.graph().has_room(product_.state_of(component_.nodes[edge.source]), line);
}

void FairParts::add_node(std::uint32_t node, bool is_first, Seen& seen) const {
  if (enabled_.empty()) return;
  const auto& here = enabled_[node];
  seen.sometimes.insert(here.begin(), here.end());
  if (is_first) seen.always.insert(here.begin(), here.end());
  std::erase_if(seen.always, [&](ProcessId p) { return !has(here, p); });
}

void FairParts::add_edge(const Component::Edge& edge, Seen& seen) const {
  const StepEffect& effect = product_.graph().effect(edge.effect);
  seen.marks |= edge.marks;
  seen.moved.insert(effect.moved.begin(), effect.moved.end());
  for (const ChannelId c : effect.lost)
    if (demands_.lines && has_room(edge, c)) seen.lost.insert(c);
  seen.carried.insert(effect.carried.begin(), effect.carried.end());
}

FairParts::Seen FairParts::look_at(const FairPart& part, const std::vector<bool>& is_inside) const {
  Seen seen;
  for (const std::uint32_t node : part.nodes) {
    add_node(node, node == part.nodes.front(), seen);
    for (std::uint32_t at = component_.first[node]; at < component_.first[node + 1]; ++at)
      if (is_in(part, component_.edges[at], is_inside)) add_edge(component_.edges[at], seen);
  }
  return seen;
}

bool FairParts::cut(const Seen& seen, FairPart& part, bool& is_smaller) const {
  if (seen.marks != product_.all_marks()) return false;
  for (const ProcessId p : seen.always)
    if (!seen.moved.contains(p)) return false;
  if (demands_.processes == Fairness::strong)
    for (const ProcessId p : seen.sometimes) {
      if (seen.moved.contains(p)) continue;
      std::erase_if(part.nodes, [&](std::uint32_t node) { return has(enabled_[node], p); });
      is_smaller = true;
    }
  if (demands_.lines)
    for (const ChannelId c : seen.lost)
      if (!seen.carried.contains(c)) {
        part.without_loss.insert(c);
        is_smaller = true;
      }
  return !part.nodes.empty();
}

std::optional<std::vector<FairPart>> FairParts::find(const Deadline& deadline) const {
  std::vector<FairPart> waiting(1), result;
  for (std::uint32_t node = 0; node < component_.nodes.size(); ++node)
    waiting[0].nodes.push_back(node);
  std::vector<bool> is_here(component_.nodes.size());
  while (!waiting.empty()) {
    const FairPart whole = std::move(waiting.back());
    waiting.pop_back();
    const std::vector<bool> is_inside = inside_of(component_, whole);
    const auto is_in_whole = [&](const Component::Edge& edge) {
      return is_in(whole, edge, is_inside);
    };
    const PartGraph<decltype(is_in_whole)> graph{component_, is_in_whole};
    StrongComponents<PartGraph<decltype(is_in_whole)>, std::uint32_t> components(graph);
    const auto look = [&](std::span<const std::uint64_t> members, bool has_cycle) {
      if (!has_cycle) return;
      FairPart part{{members.begin(), members.end()}, whole.without_loss};
      std::sort(part.nodes.begin(), part.nodes.end());
      for (const std::uint64_t member : members) is_here[member] = true;
      const Seen seen = look_at(part, is_here);
      for (const std::uint64_t member : members) is_here[member] = false;
      bool is_smaller = false;
      if (!cut(seen, part, is_smaller)) return;
      (is_smaller ? waiting : result).push_back(std::move(part));
    };
    for (const std::uint32_t node : whole.nodes)
      if (!components.run(node, look, deadline)) return {};
  }
  return result;
}

// ---- a cycle ---------------------------------------------------------------------------------

bool FairParts::is_fair(const Seen& seen) const {
  const auto is_moved = [&](ProcessId p) { return seen.moved.contains(p); };
  if (demands_.processes == Fairness::strong && !std::ranges::all_of(seen.sometimes, is_moved))
    return false;
  return !demands_.lines ||
         std::ranges::all_of(seen.lost, [&](ChannelId c) { return seen.carried.contains(c); });
}

// Of what a part has only some, a cycle needs it only if it has those: at first it is tried
// without.
std::vector<FairParts::Need> FairParts::needs(const Seen& seen, bool all) const {
  std::vector<Need> result;
  for (std::uint32_t mark = 0; mark < BuchiAutomaton::max_marks; ++mark)
    if ((product_.all_marks() >> mark & 1) != 0) result.push_back({Need::Kind::mark, mark});
  if (demands_.processes == Fairness::weak)
    for (const ProcessId p : seen.sometimes) result.push_back({Need::Kind::weak, p});
  if (!all) return result;
  if (demands_.processes == Fairness::strong)
    for (const ProcessId p : seen.sometimes) result.push_back({Need::Kind::moved, p});
  if (demands_.lines)
    for (const ChannelId c : seen.lost) result.push_back({Need::Kind::carried, c});
  return result;
}

bool FairParts::satisfies(std::uint32_t source, const Component::Edge& edge,
                          const Need& need) const {
  const StepEffect& effect = product_.graph().effect(edge.effect);
  switch (need.kind) {
    case Need::Kind::mark: return (edge.marks >> need.number & 1) != 0;
    case Need::Kind::weak:
      return has(effect.moved, need.number) || !has(enabled_[source], need.number);
    case Need::Kind::moved: return has(effect.moved, need.number);
    case Need::Kind::carried: return has(effect.carried, need.number);
  }
  return false;
}

namespace {

// Breadth first from `start` to the nearest edge that is `wanted`: the edges of the way, that one
// included. REQUIRES: there is one.
template <typename IsIn, typename Wanted>
std::vector<std::uint32_t> nearest_edge(const Component& component, std::uint32_t start,
                                        const IsIn& is_in, const Wanted& wanted) {
  struct Arrival {
    std::uint32_t source, edge;
  };
  std::map<std::uint32_t, Arrival> arrivals;  // by node
  std::deque<std::uint32_t> waiting{start};
  const auto way_to = [&](std::uint32_t node, std::uint32_t last) {
    std::vector<std::uint32_t> way{last};
    for (; node != start; node = arrivals[node].source) way.push_back(arrivals[node].edge);
    std::reverse(way.begin(), way.end());
    return way;
  };
  for (; !waiting.empty(); waiting.pop_front()) {
    const std::uint32_t node = waiting.front();
    for (std::uint32_t at = component.first[node]; at < component.first[node + 1]; ++at) {
      const Component::Edge& edge = component.edges[at];
      if (!is_in(edge)) continue;
      if (wanted(node, edge)) return way_to(node, at);
      if (edge.target == start || !arrivals.try_emplace(edge.target, Arrival{node, at}).second)
        continue;
      waiting.push_back(edge.target);
    }
  }
  return {};
}

}  // namespace

std::vector<std::uint32_t> FairParts::cycle_with(const FairPart& part, std::uint32_t start,
                                                 std::vector<Need> open) const {
  const std::vector<bool> is_inside = inside_of(component_, part);
  const auto is_in_part = [&](const Component::Edge& edge) { return is_in(part, edge, is_inside); };
  std::vector<std::uint32_t> result;
  std::uint32_t at = start;
  const auto go = [&](const auto& wanted) {
    for (const std::uint32_t id : nearest_edge(component_, at, is_in_part, wanted)) {
      const Component::Edge& edge = component_.edges[id];
      std::erase_if(open, [&](const Need& need) { return satisfies(at, edge, need); });
      result.push_back(id);
      at = edge.target;
    }
  };
  while (!open.empty())
    go([&](std::uint32_t source, const Component::Edge& edge) {
      return std::ranges::any_of(open,
                                 [&](const Need& need) { return satisfies(source, edge, need); });
    });
  if (result.empty() || at != start)
    go([&](std::uint32_t, const Component::Edge& edge) { return edge.target == start; });
  return result;
}

std::vector<std::uint32_t> FairParts::cycle(const FairPart& part, std::uint32_t start) const {
  const Seen in_part = look_at(part, inside_of(component_, part));
  std::vector<std::uint32_t> result = cycle_with(part, start, needs(in_part, false));
  Seen on_cycle;
  std::uint32_t at = start;
  for (const std::uint32_t id : result) {
    add_node(at, false, on_cycle);
    add_edge(component_.edges[id], on_cycle);
    at = component_.edges[id].target;
  }
  return is_fair(on_cycle) ? result : cycle_with(part, start, needs(in_part, true));
}

}  // namespace panoptes
