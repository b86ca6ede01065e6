// SPDX-License-Identifier: Apache-2.0
// The strong components of a graph, whatever it is made of.
//
// Idea: Pearce's variant of Tarjan's algorithm, with one number per node and a stack of its own
// instead of recursion. A node's mark is 0 where it was not visited; then the lowest mark of the
// path it can get back to; then, beyond all of those, that of its component. A component is told
// when it is complete, those behind it first. Links are followed once, when their node is entered:
// what lies behind them and was not visited waits on a stack, and its mark is fetched from memory
// meanwhile.
// Cost: linear for one; a number a node and the stacks.
// Several may look through one graph, each with an object of its own, and share what is complete
// (complete_nodes.hpp): that is left out, and given up where it becomes so while it is visited.
// Nothing is concluded from how far it had got then: whoever could get back by way of it is
// complete as well. Then components without a cycle are not told, since what was left of one with a
// cycle may look like them.
// Who has come upon a large component makes it the common one (common_component.hpp), and forgets
// what he has visited before it; who meets it, forgets what he was at, and helps. There, a path
// begins at a node behind one that is in it for certain, and all of it becomes so at once when its
// last node leads to another that is. What is forgotten is visited again.
//
// A graph has nodes 0 .. nodes() - 1 and for_each_target(node, use), which calls use(target) for
// every link of a node; expect(node) says that it will soon be asked for these, so that they may be
// fetched from memory. `Number` holds two more than there are nodes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <limits>
#include <span>
#include <vector>

#include "base/deadline.hpp"
#include "search/common_component.hpp"
#include "store/pages.hpp"

namespace panoptes {

template <typename Graph, typename Number = std::uint64_t>
class StrongComponents {
 public:
  using Node = std::uint64_t;

  // `shared`: null for who is alone. Who goes the other way takes the links of a node in reverse.
  // A component with `large` nodes that are visited is large.
  explicit StrongComponents(const Graph& graph, SharedComponents* shared = nullptr,
                            bool goes_other_way = false,
                            std::size_t large = CommonComponent::usually_large)
      : graph_(graph),
        shared_(shared),
        goes_other_way_(goes_other_way),
        large_(std::max<std::size_t>(2, large)),  // a single node may have no cycle
        look_after_(std::min<std::uint64_t>(4096, large_)),
        moves_left_(look_after_),
        try_at_(large_),
        pages_(graph.nodes() * sizeof(Number)),
        marks_(reinterpret_cast<Number*>(pages_.words())),
        component_mark_(static_cast<Number>(graph.nodes())) {}

  // Calls found(members, has_cycle) for every component that can be reached from `root` and was not
  // told before, to anybody if it has a cycle; where several share, with a cycle, and for some that
  // cannot be reached from there. False where it takes too long: then nothing more may be asked.
  template <typename Found>
  bool run(Node root, const Found& found, const Deadline& deadline) {
    while (marks_[root] == 0 && !is_complete(root)) {
      if (!visit_from(root, found, deadline)) return false;
      if (shared_ && !help(found, deadline)) return false;
    }
    return true;
  }
  // Helps with the common component, if there is one. False where it takes too long.
  template <typename Found>
  bool help(const Found& found, const Deadline& deadline) {
    if (!is_in_common_ && !shared_->common.is_open()) return true;
    return unless_it_throws([&] { return work_at_common(found, deadline); });
  }

  std::uint64_t visited() const { return visited_; }
  // Within `found`: whether a node is in the same component as one of those told.
  bool is_with(Node node, Node told) const {
    if (known(told) == Known::complete_and_told) return known(node) == Known::complete_and_told;
    return marks_[node] == marks_[told];
  }

 private:
  struct Visit {
    Number node, own_mark;
    Number first_open;
    bool has_own_link;
    std::uint64_t first_waiting;
  };

  using Known = CompleteNodes::Known;

  // Marks that no component has.
  static constexpr Number left_out = std::numeric_limits<Number>::max(), is_common = left_out - 1;

  bool is_complete(Node node) const { return shared_ && shared_->complete.has(node); }
  Known known(Node node) const { return shared_ ? shared_->complete.known(node) : Known::nothing; }

  // Until the path is at its end, or forgotten for the common component. False where it takes too
  // long.
  template <typename Found>
  bool visit_from(Node root, const Found& found, const Deadline& deadline) {
    return unless_it_throws([&] {
      enter(root);
      while (!path_.empty()) {
        go_on(found);
        if (--moves_left_ == 0 && !look_around(deadline)) return false;
      }
      return true;
    });
  }
  template <typename Found>
  bool work_at_common(const Found& found, const Deadline& deadline) {
    CommonComponent& common = shared_->common;
    const auto has_time = [&] { return !deadline.has_passed(); };
    bool is_last = false;
    for (bool is_working = is_in_common_;; is_working = true) {
      const auto root = common.take(is_working, members_, is_last, has_time);
      if (!root) break;
      is_in_common_ = true;
      if (marks_[*root] != 0 || shared_->complete.known(*root) != Known::nothing) continue;
      if (!visit_from(*root, found, deadline)) return false;
    }
    is_in_common_ = false;
    given_ = 0;
    if (is_last)
      common.close([&](std::span<const Node> members) { found(members, true); });
    else if (common.is_given_up() || !has_time())
      return give_up_all();
    return true;
  }
  // Whoever throws says so to those that might wait for him.
  template <typename Work>
  auto unless_it_throws(const Work& work) {
    try {
      return work();
    } catch (...) {
      if (shared_) give_up_all();
      throw;
    }
  }
  bool look_around(const Deadline& deadline) {
    moves_left_ = look_after_;
    if (!shared_) return !deadline.has_passed();
    if (deadline.has_passed() || shared_->common.is_given_up()) return give_up_all();
    const std::size_t visiting = path_.size() + open_.size();
    if (visiting < large_) try_at_ = large_;
    if (is_in_common_)
      give_away();
    else if (visiting >= try_at_ && !shared_->common.is_open())
      make_common();
    return true;
  }
  bool give_up_all() {
    shared_->common.give_up();
    return false;
  }

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
    bool meets_common = false;
    std::uint64_t kept = visit.first_waiting;
    for (std::uint64_t at = kept; at < waiting_.size(); ++at) {
      const Number target = waiting_[at], mark = marks_[target];
      if (target == node) visit.has_own_link = true;
      if (mark != 0 && mark != is_common) {
        lowest = std::min(lowest, mark);
      } else if (const Known its = known(target); its == Known::nothing) {
        waiting_[kept++] = target;
        graph_.expect(target);
      } else {
        meets_common |= its == Known::common;
      }
    }
    waiting_.resize(kept);
    if (goes_other_way_)
      std::reverse(waiting_.begin() + static_cast<std::ptrdiff_t>(visit.first_waiting),
                   waiting_.end());
    marks_[node] = lowest;
    path_.push_back(visit);
    if (meets_common) meet_common();
  }

  // Goes to the next node behind the innermost one, or leaves it.
  template <typename Found>
  void go_on(const Found& found) {
    const Visit& visit = path_.back();
    const bool is_certain = path_.size() <= certain_;
    const Known its = known(visit.node);
    if (CompleteNodes::is_complete(its)) return give_up();
    if (its == Known::common && !is_certain) return meet_common();
    if (waiting_.size() == visit.first_waiting) return is_certain ? leave_certain() : leave(found);
    const Number target = waiting_.back(), mark = marks_[target];
    waiting_.pop_back();
    if (mark != 0 && mark != is_common) {
      if (!is_certain) marks_[visit.node] = std::min(marks_[visit.node], mark);
    } else if (const Known target_is = known(target); target_is == Known::nothing) {
      enter(target);
    } else if (target_is == Known::common) {
      meet_common();
    }
  }

  // Somebody else has completed the innermost node, and so all that was visited behind it.
  void give_up() {
    const Visit visit = path_.back();
    path_.pop_back();
    waiting_.resize(visit.first_waiting);
    for (; open_.size() > visit.first_open; open_.pop_back()) marks_[open_.back()] = left_out;
    marks_[visit.node] = left_out;
    next_mark_ = path_.size() < certain_ ? 1 : visit.own_mark;
    certain_ = std::min(certain_, path_.size());
  }

  template <typename Found>
  void leave(const Found& found) {
    const Visit visit = path_.back();
    path_.pop_back();
    if (marks_[visit.node] < visit.own_mark)
      open_.push_back(visit.node);
    else
      complete(visit, found);
    if (path_.size() <= certain_) return;
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
    if (has_cycle) return shared_->complete.add(members);
    shared_->complete.add(members.front());
    return false;
  }

  // ---- the common component ------------------------------------------------------------------

  // The innermost node leads to it. Who works at it knows now that all of his path is in it, and so
  // is what is open, which leads back there; others give up what they are at.
  void meet_common() {
    if (!is_in_common_) return forget(path_.size(), open_.size());
    for (; certain_ < path_.size(); ++certain_) become_common(path_[certain_].node);
    for (const Node node : open_) become_common(node);
    open_.clear();
    next_mark_ = 1;
  }
  // One that somebody has completed meanwhile is noticed by who visits it.
  void become_common(Node node) {
    const Known before = shared_->complete.add_to_common(node);
    if (before == Known::nothing) members_.push_back(node);
    marks_[node] = CompleteNodes::is_complete(before) ? left_out : is_common;
  }
  void leave_certain() {
    path_.pop_back();
    certain_ = path_.size();
  }

  // As if the first ones of the path had not been visited, nor what is open before the next.
  void forget(std::size_t path, std::size_t open) {
    const std::uint64_t waiting = path < path_.size() ? path_[path].first_waiting : waiting_.size();
    for (std::size_t i = 0; i < path; ++i) marks_[path_[i].node] = 0;
    for (std::size_t i = 0; i < open; ++i) marks_[open_[i]] = 0;
    path_.erase(path_.begin(), path_.begin() + static_cast<std::ptrdiff_t>(path));
    open_.erase(open_.begin(), open_.begin() + static_cast<std::ptrdiff_t>(open));
    waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(waiting));
    for (Visit& visit : path_) {
      visit.first_open -= static_cast<Number>(open);
      visit.first_waiting -= waiting;
    }
    if (path_.empty()) next_mark_ = 1;
  }

  // Where on the path the largest component begins, as far as is known, and where it ends: what is
  // between has found back to where it begins.
  struct Stretch {
    std::size_t begin, end, nodes;
  };
  Stretch largest() const {
    std::vector<std::size_t> begins;  // of what may be components, innermost last
    const auto unite = [&](Number mark) {
      while (begins.size() > 1 && path_[begins.back()].own_mark > mark) begins.pop_back();
    };
    const auto open_before = [&](std::size_t at) {
      return at < path_.size() ? std::size_t{path_[at].first_open} : open_.size();
    };
    for (std::size_t at = 0; at < path_.size(); ++at) {
      begins.push_back(at);
      unite(marks_[path_[at].node]);
      for (std::size_t i = open_before(at); i < open_before(at + 1); ++i) unite(marks_[open_[i]]);
    }
    Stretch best{0, 0, 0};
    for (std::size_t i = 0; i < begins.size(); ++i) {
      const std::size_t end = i + 1 < begins.size() ? begins[i + 1] : path_.size();
      const std::size_t nodes = end - begins[i] + open_before(end) - open_before(begins[i]);
      if (nodes > best.nodes) best = {begins[i], end, nodes};
    }
    return best;
  }

  // Others take part in the largest, if it is large.
  void make_common() {
    const Stretch part = largest();
    try_at_ = 2 * (path_.size() + open_.size());
    if (part.nodes < large_ || !shared_->common.open(path_[part.begin].node)) return;
    try_at_ = large_;
    is_in_common_ = true;
    const std::size_t open_end =
        part.end < path_.size() ? std::size_t{path_[part.end].first_open} : open_.size();
    const std::size_t open_begin = path_[part.begin].first_open;
    forget(part.begin, open_begin);
    const std::size_t count = part.end - part.begin, open_count = open_end - open_begin;
    for (; certain_ < count; ++certain_) become_common(path_[certain_].node);
    for (std::size_t i = 0; i < open_count; ++i) become_common(open_[i]);
    open_.erase(open_.begin(), open_.begin() + static_cast<std::ptrdiff_t>(open_count));
    // Marks of what follows on the path begin at 1 again.
    const Number less = count < path_.size() ? path_[count].own_mark - 1 : next_mark_ - 1;
    for (std::size_t at = 0; at < path_.size(); ++at) {
      Visit& visit = path_[at];
      visit.first_open = at < count ? 0 : visit.first_open - static_cast<Number>(open_count);
      if (at < count) continue;
      visit.own_mark -= less;
      marks_[visit.node] -= less;
    }
    for (const Node node : open_) marks_[node] -= less;
    next_mark_ -= less;
  }

  // Some of what waits behind nodes that are in it for certain, the outermost first: that is what
  // its owner would come to last. He finds that somebody has visited it, or visits it as well.
  void give_away() {
    constexpr std::size_t most = 64;
    if (!shared_->common.is_wanted()) return;
    const std::size_t end =
        certain_ < path_.size() ? path_[certain_].first_waiting : waiting_.size();
    std::vector<Node> given;
    for (given_ = std::min(given_, end); given_ < end && given.size() < most; ++given_)
      if (const Node node = waiting_[given_]; marks_[node] == 0 && known(node) == Known::nothing)
        given.push_back(node);
    shared_->common.give(given);
  }

  const Graph& graph_;
  SharedComponents* const shared_;
  const bool goes_other_way_;
  const std::size_t large_;
  const std::uint64_t look_after_;  // so many moves
  std::uint64_t moves_left_;        // before the next look
  std::size_t try_at_;  // with so many nodes on the path or open a large one is looked for
  Pages pages_;
  Number* const marks_;  // in these
  Number next_mark_ = 1;
  std::uint64_t visited_ = 0;
  Number component_mark_;        // of the next component to be complete
  std::deque<Visit> path_;       // being visited; may get long, and shall not double
  std::vector<Number> waiting_;  // behind the nodes of the path, those of the innermost last
  std::vector<Node> open_;       // visited, but their component is not complete
  bool is_in_common_ = false;    // works at the common component
  std::vector<Node> members_;    // of it, that only this one knows of
  std::size_t certain_ = 0;      // so many of the path, the first ones, are in it
  std::size_t given_ = 0;        // so many of waiting_, the first ones, were given away
};

}  // namespace panoptes
