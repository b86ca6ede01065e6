// SPDX-License-Identifier: Apache-2.0
#include "search/accepting_runs.hpp"

#include <algorithm>
#include <deque>
#include <utility>

#include "search/strong_components.hpp"

namespace panoptes {
namespace {

constexpr Product::Node no_node = UINT64_MAX;

// The product, for who looks for components.
struct ProductLinks {
  using Cursor = Product::Cursor;
  const Product& product;

  std::uint64_t nodes() const { return product.nodes(); }
  std::optional<std::uint64_t> target(std::uint64_t node, Cursor& cursor) const {
    const auto edge = product.next(node, cursor);
    return edge ? std::optional(edge->target) : std::nullopt;
  }
};

}  // namespace

bool AcceptingRuns::has_all_marks(std::span<const Node> members,
                                  const std::function<bool(Node)>& is_member) const {
  bool has_edge = false;
  std::uint32_t marks = 0;
  for (const Node member : members) {
    for_each_edge(product_, member, [&](const Product::Edge& edge) {
      if (!is_member(edge.target)) return;
      has_edge = true;
      marks |= edge.marks;
    });
    if (has_edge && marks == product_.all_marks()) return true;
  }
  return false;
}

// False where it takes too long.
bool AcceptingRuns::add(std::span<const Node> members, const Deadline& deadline) {
  const FairnessDemands& demands = program_.protocol.fairness;
  if (demands == FairnessDemands{}) {
    components_.emplace_back(members.begin(), members.end());
    parts_.push_back(components_.back());
    std::sort(parts_.back().begin(), parts_.back().end());
    return true;
  }
  const Component component(product_, {members.begin(), members.end()});
  const auto parts = FairParts(program_, product_, component).find(deadline);
  if (!parts) return false;
  if (parts->empty()) return true;
  components_.push_back(component.nodes);
  auto& nodes = parts_.emplace_back();
  for (const FairPart& part : *parts)
    for (const std::uint32_t node : part.nodes) nodes.push_back(component.nodes[node]);
  std::sort(nodes.begin(), nodes.end());
  return true;
}

bool AcceptingRuns::look(const Deadline& deadline) {
  const ProductLinks links{product_};
  StrongComponents components(links);
  bool has_time = true;
  const auto found = [&](std::span<const Node> members) {
    const auto is_member = [&](Node node) { return components.is_with(node, members.front()); };
    if (has_time && has_all_marks(members, is_member)) has_time = add(members, deadline);
  };
  for (const Node root : product_.initial())
    if (!components.run(root, found, deadline) || !has_time) return false;
  visited_ = components.visited();
  return true;
}

std::uint64_t AcceptingRuns::states() const {
  std::vector<bool> is_there(product_.graph().states());
  for (const auto& part : parts_)
    for (const Node node : part) is_there[product_.state_of(node)] = true;
  return static_cast<std::uint64_t>(std::count(is_there.begin(), is_there.end(), true));
}

// Breadth first. Initial nodes are their own parents.
std::optional<Product::Node> AcceptingRuns::nearest(const Deadline& deadline,
                                                    std::vector<Node>& parents) const {
  constexpr std::uint64_t nodes_per_look = 4096;
  std::vector<bool> is_wanted(product_.nodes());
  for (const auto& part : parts_)
    for (const Node node : part) is_wanted[node] = true;
  parents.assign(product_.nodes(), no_node);
  std::deque<Node> waiting;
  for (const Node node : product_.initial()) {
    parents[node] = node;
    waiting.push_back(node);
  }
  for (std::uint64_t nodes = 0; !waiting.empty(); waiting.pop_front()) {
    const Node node = waiting.front();
    if (is_wanted[node]) return node;
    if (++nodes % nodes_per_look == 0 && deadline.has_passed()) return {};
    for_each_edge(product_, node, [&](const Product::Edge& edge) {
      if (parents[edge.target] != no_node) return;
      parents[edge.target] = node;
      waiting.push_back(edge.target);
    });
  }
  return {};
}

std::vector<RuleId> AcceptingRuns::way_to(Node node, const std::vector<Node>& parents) const {
  std::vector<std::pair<Node, std::uint64_t>> steps;  // node and step of its state
  for (; parents[node] != node; node = parents[node]) {
    Product::Cursor cursor;
    auto edge = product_.next(parents[node], cursor);
    while (edge->target != node) edge = product_.next(parents[node], cursor);
    steps.emplace_back(parents[node], edge->step);
  }
  std::reverse(steps.begin(), steps.end());
  std::vector<RuleId> rules;
  for (const auto& [source, step] : steps) {
    const std::uint64_t state = product_.state_of(source);
    const auto more = product_.graph().rules(state, product_.graph().step(state, step));
    rules.insert(rules.end(), more.begin(), more.end());
  }
  return rules;
}

std::vector<RuleId> AcceptingRuns::cycle_from(Node start, const Deadline& deadline) const {
  const auto is_here = [&](const std::vector<Node>& part) {
    return std::binary_search(part.begin(), part.end(), start);
  };
  const auto number = std::find_if(parts_.begin(), parts_.end(), is_here) - parts_.begin();
  const Component component(product_, components_[static_cast<std::size_t>(number)]);
  const FairParts fair(program_, product_, component);
  const auto parts = fair.find(deadline);
  if (!parts) return {};
  const auto at = static_cast<std::uint32_t>(
      std::lower_bound(component.nodes.begin(), component.nodes.end(), start) -
      component.nodes.begin());
  std::vector<RuleId> rules;
  for (const FairPart& part : *parts) {
    if (!std::binary_search(part.nodes.begin(), part.nodes.end(), at)) continue;
    std::uint32_t node = at;
    for (const std::uint32_t id : fair.cycle(part, at)) {
      const Component::Edge& edge = component.edges[id];
      const std::uint64_t state = product_.state_of(component.nodes[node]);
      const auto more = product_.graph().rules(state, product_.graph().step(state, edge.step));
      rules.insert(rules.end(), more.begin(), more.end());
      node = edge.target;
    }
  }
  return rules;
}

std::optional<Lasso> AcceptingRuns::run(const Deadline& deadline) const {
  std::vector<Node> parents;
  const auto start = nearest(deadline, parents);
  if (!start) return {};
  Lasso lasso{way_to(*start, parents), cycle_from(*start, deadline)};
  if (deadline.has_passed()) return {};
  return lasso;
}

}  // namespace panoptes
