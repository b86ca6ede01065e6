// SPDX-License-Identifier: Apache-2.0
// The strong components of a graph, whatever it is made of.
//
// Idea: Pearce's variant of Tarjan's algorithm, with one number per node and a stack of its own
// instead of recursion. A node's mark is 0 where it was not visited; then the lowest mark of the
// path it can get back to; then, beyond all of those, that of its component. A component is told
// when it is complete, those behind it first. Links are followed once, when their node is entered:
// what lies behind them and was not visited waits on a stack, and its mark is fetched from memory
// meanwhile.
// Cost: linear; a number a node and the stacks.
// Several may look through one graph, each with an object of its own, and share what is complete
// (complete_nodes.hpp): that is left out, and given up where it becomes so while it is visited.
// Nothing is concluded from how far it had got then: whoever could get back by way of it is
// complete as well. Then components without a cycle are not told, since what was left of one with a
// cycle may look like them.
//
// A graph has nodes 0 .. nodes() - 1 and for_each_target(node, use), which calls use(target) for
// every link of a node; expect(node) says that it will soon be asked for these, so that they may be
// fetched from memory. `Number` holds one more than there are nodes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <limits>
#include <span>
#include <vector>

#include "base/deadline.hpp"
#include "search/complete_nodes.hpp"
#include "store/pages.hpp"

namespace panoptes {

template <typename Graph, typename Number = std::uint64_t>
class StrongComponents {
 public:
  using Node = std::uint64_t;

  // `shared`: null for who is alone. Who goes the other way takes the links of a node in reverse.
  explicit StrongComponents(const Graph& graph, CompleteNodes* shared = nullptr,
                            bool goes_other_way = false)
      : graph_(graph),
        shared_(shared),
        goes_other_way_(goes_other_way),
        pages_(graph.nodes() * sizeof(Number)),
        marks_(reinterpret_cast<Number*>(pages_.words())),
        component_mark_(static_cast<Number>(graph.nodes())) {}

  // Calls found(members, has_cycle) for every component that can be reached from `root` and was not
  // told before, to anybody if it has a cycle. False where it takes too long: then nothing more may
  // be asked.
  template <typename Found>
  bool run(Node root, const Found& found, const Deadline& deadline) {
    constexpr std::uint64_t looks = 4096;
    if (marks_[root] != 0 || is_complete(root)) return true;
    for (enter(root); !path_.empty(); go_on(found))
      if (++moves_ % looks == 0 && deadline.has_passed()) return false;
    return true;
  }

  std::uint64_t visited() const { return visited_; }
  // Within `found`: whether a node is in the same component as one of those told.
  bool is_with(Node node, Node told) const { return marks_[node] == marks_[told]; }

 private:
  struct Visit {
    Number node, own_mark;
    Number first_open;
    bool has_own_link;
    std::uint64_t first_waiting;
  };

  // A mark that no component has.
  static constexpr Number left_out = std::numeric_limits<Number>::max();

  bool is_complete(Node node) const { return shared_ && shared_->has(node); }

  void enter(Node node) {
    const Number own = next_mark_++;
    marks_[node] = own;
    ++visited_;
    Visit visit{static_cast<Number>(node), own, static_cast<Number>(open_.size()), false,
                waiting_.size()};
    graph_.for_each_target(node, [&](Node target) {
      __builtin_prefetch(&marks_[target]);
      waiting_.push_back(static_cast<Number>(target));
    });
    // What was visited already need not wait.
    Number lowest = own;
    std::uint64_t kept = visit.first_waiting;
    for (std::uint64_t at = kept; at < waiting_.size(); ++at) {
      const Number target = waiting_[at], mark = marks_[target];
      if (target == node) visit.has_own_link = true;
      if (mark != 0) {
        lowest = std::min(lowest, mark);
      } else if (!is_complete(target)) {
        waiting_[kept++] = target;
        graph_.expect(target);
      }
    }
    waiting_.resize(kept);
    if (goes_other_way_)
      std::reverse(waiting_.begin() + static_cast<std::ptrdiff_t>(visit.first_waiting),
                   waiting_.end());
    marks_[node] = lowest;
    path_.push_back(visit);
  }

  // Goes to the next node behind the innermost one, or leaves it.
  template <typename Found>
  void go_on(const Found& found) {
    const Visit& visit = path_.back();
    if (is_complete(visit.node)) return give_up();
    if (waiting_.size() == visit.first_waiting) return leave(found);
    const Number target = waiting_.back();
    waiting_.pop_back();
    if (marks_[target] != 0)
      marks_[visit.node] = std::min(marks_[visit.node], marks_[target]);
    else if (!is_complete(target))
      enter(target);
  }

  // Somebody else has completed the innermost node, and so all that was visited behind it.
  void give_up() {
    const Visit visit = path_.back();
    path_.pop_back();
    waiting_.resize(visit.first_waiting);
    for (; open_.size() > visit.first_open; open_.pop_back()) marks_[open_.back()] = left_out;
    marks_[visit.node] = left_out;
    next_mark_ = visit.own_mark;
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
    Number& before = marks_[path_.back().node];
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
    next_mark_ -= static_cast<Number>(members.size());
    const bool has_cycle = members.size() > 1 || visit.has_own_link;
    if (is_to_be_told(members, has_cycle)) found(members, has_cycle);
    open_.resize(begin);
  }

  bool is_to_be_told(std::span<const Node> members, bool has_cycle) {
    if (!shared_) return true;
    if (has_cycle) return shared_->add(members);
    shared_->add(members.front());
    return false;
  }

  const Graph& graph_;
  CompleteNodes* const shared_;
  const bool goes_other_way_;
  Pages pages_;
  Number* const marks_;  // in these
  Number next_mark_ = 1;
  std::uint64_t visited_ = 0, moves_ = 0;
  Number component_mark_;        // of the next component to be complete
  std::deque<Visit> path_;       // being visited; may get long, and shall not double
  std::vector<Number> waiting_;  // behind the nodes of the path, those of the innermost last
  std::vector<Node> open_;       // visited, but their component is not complete
};

}  // namespace panoptes
