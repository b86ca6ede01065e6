// SPDX-License-Identifier: Apache-2.0
// The strong components of a graph, whatever it is made of.
//
// Idea: Pearce's variant of Tarjan's algorithm, with one number per node and a stack of its own
// instead of recursion. A node's mark is 0 where it was not visited; then the lowest mark of the
// path it can get back to; then, beyond all of those, that of its component. A component is told
// when it is complete, those behind it first.
// Cost: linear; 8 bytes a node and the stacks.
//
// A graph has nodes 0 .. nodes() - 1, a type Cursor, which says where among the links of a node one
// has come to, and target(node, cursor): the node that the next link leads to, past which it moves
// the cursor, or nothing.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "base/deadline.hpp"

namespace panoptes {

template <typename Graph>
class StrongComponents {
 public:
  using Node = std::uint64_t;

  explicit StrongComponents(const Graph& graph)
      : graph_(graph), marks_(graph.nodes()), component_mark_(graph.nodes()) {}

  // Calls `found` for every component that can be reached from `root` and was not told before.
  // False where it takes too long: then nothing more may be asked.
  template <typename Found>
  bool run(Node root, const Found& found, const Deadline& deadline) {
    constexpr std::uint64_t links_per_look = 4096;
    if (marks_[root] != 0) return true;
    for (enter(root); !path_.empty(); go_on(found))
      if (++links_ % links_per_look == 0 && deadline.has_passed()) return false;
    return true;
  }

  bool is_visited(Node node) const { return marks_[node] != 0; }
  std::uint64_t visited() const { return visited_; }
  // Within `found`: whether a node is in the same component as one of those told.
  bool is_with(Node node, Node told) const { return marks_[node] == marks_[told]; }

 private:
  struct Visit {
    Node node;
    std::uint64_t own_mark;
    typename Graph::Cursor cursor;
  };

  void enter(Node node) {
    marks_[node] = next_mark_;
    path_.push_back({node, next_mark_, {}});
    ++next_mark_;
    ++visited_;
  }

  // Follows the next link of the innermost node, or leaves it.
  template <typename Found>
  void go_on(const Found& found) {
    Visit& visit = path_.back();
    const std::optional<Node> target = graph_.target(visit.node, visit.cursor);
    if (!target) return leave(found);
    if (marks_[*target] == 0) return enter(*target);
    marks_[visit.node] = std::min(marks_[visit.node], marks_[*target]);
  }

  template <typename Found>
  void leave(const Found& found) {
    const Visit visit = path_.back();
    path_.pop_back();
    if (marks_[visit.node] < visit.own_mark)
      open_.push_back(visit.node);
    else
      complete(visit, found);
    if (path_.empty()) return;
    std::uint64_t& before = marks_[path_.back().node];
    before = std::min(before, marks_[visit.node]);
  }

  template <typename Found>
  void complete(const Visit& visit, const Found& found) {
    std::size_t begin = open_.size();
    while (begin > 0 && marks_[open_[begin - 1]] >= visit.own_mark) --begin;
    open_.push_back(visit.node);
    const std::span<const Node> members(open_.data() + begin, open_.size() - begin);
    for (const Node member : members) marks_[member] = component_mark_;
    --component_mark_;
    next_mark_ -= members.size();
    found(members);
    open_.resize(begin);
  }

  const Graph& graph_;
  std::vector<std::uint64_t> marks_;
  std::uint64_t next_mark_ = 1, visited_ = 0, links_ = 0;
  std::uint64_t component_mark_;  // of the next component to be complete
  std::deque<Visit> path_;        // being visited; may get long, and shall not double
  std::vector<Node> open_;        // visited, but their component is not complete
};

}  // namespace panoptes
