// SPDX-License-Identifier: Apache-2.0
#include "search/short_cycle.hpp"

#include <algorithm>
#include <deque>
#include <unordered_map>

#include "step/interpreter.hpp"

namespace panoptes {
namespace {

using Node = Product::Node;
using CycleWay = std::vector<std::pair<Node, Product::Edge>>;

class CycleSearch {
 public:
  CycleSearch(const Product& product, std::span<const Node> nodes, bool is_weakly_fair)
      : product_(product),
        is_fair_(is_weakly_fair),
        is_inside_(product.nodes()),
        marks_(product.all_marks()) {
    for (const Node node : nodes) is_inside_[node] = true;
    if (!is_fair_) return;
    for (const Node node : nodes) processes_ |= enabled(node);
  }

  CycleWay from(Node start) {
    Node at = start;
    while (marks_ != 0 || processes_ != 0)
      at = go(at, [&](Node source, const Product::Edge& edge) {
        return (edge.marks & marks_) != 0 || (served(source, edge) & processes_) != 0;
      });
    if (cycle_.empty() || at != start)
      go(at, [&](Node, const Product::Edge& edge) { return edge.target == start; });
    return cycle_;
  }

 private:
  std::uint64_t enabled(Node node) const {
    return product_.graph().enabled_bits(product_.state_of(node));
  }
  // To whom a cycle with this edge is fair: who moves, or cannot.
  std::uint64_t served(Node source, const Product::Edge& edge) const {
    return is_fair_ ? product_.graph().moved_bits(edge.effect) | ~enabled(source) : 0;
  }

  // To where the nearest edge leads that is wanted.
  template <typename Wanted>
  Node go(Node start, const Wanted& is_wanted) {
    for (const auto& step : way_to(start, is_wanted)) {
      marks_ &= ~step.second.marks;
      processes_ &= ~served(step.first, step.second);
      cycle_.push_back(step);
    }
    return cycle_.back().second.target;
  }

  template <typename Wanted>
  CycleWay way_to(Node start, const Wanted& is_wanted) const {
    std::unordered_map<Node, std::pair<Node, Product::Edge>> arrivals;  // by node
    std::deque<Node> waiting{start};
    for (; !waiting.empty(); waiting.pop_front()) {
      const Node node = waiting.front();
      CycleWay way;
      product_.for_each_edge(node, [&](const Product::Edge& edge) {
        if (!way.empty() || !is_inside_[edge.target]) return;
        if (is_wanted(node, edge))
          way.emplace_back(node, edge);
        else if (edge.target != start && arrivals.try_emplace(edge.target, node, edge).second)
          waiting.push_back(edge.target);
      });
      if (way.empty()) continue;
      for (Node at = node; at != start; at = arrivals.at(at).first) way.push_back(arrivals.at(at));
      std::reverse(way.begin(), way.end());
      return way;
    }
    throw InternalFault("a component that was found has no cycle");
  }

  const Product& product_;
  const bool is_fair_;
  std::vector<bool> is_inside_;  // by node
  std::uint32_t marks_;          // still needed
  std::uint64_t processes_ = 0;  // likewise
  CycleWay cycle_;
};

}  // namespace

CycleWay short_cycle(const Product& product, std::span<const Node> nodes, Node start,
                     bool is_weakly_fair) {
  return CycleSearch(product, nodes, is_weakly_fair).from(start);
}

}  // namespace panoptes
