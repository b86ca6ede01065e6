// SPDX-License-Identifier: Apache-2.0
// One large strong component that several look through together.
//
// Idea: where nearly all of a graph is one component, nothing is complete before all of it is, and
// who shares only what is complete shares nothing. So a worker that has come upon a large component
// tells the others which nodes are in it for certain. Whoever is behind one of these and finds a
// way to another one is in it, too, with all of the path that led him there, and need not go on
// from there: somebody has, or will. Who has nothing left to do is given some of what others have
// waiting behind such nodes. When nobody has anything left, the component is complete.
// Cost: the byte a node of those that are complete, and 16 to 32 a member. Some nodes are visited
// by several, and who waits for work keeps asking for it.
// How it can be wrong: not. A node that is in it and was not found to be would be behind one that
// is, by a link that somebody has followed.
//
// Thread safety: everything may be called concurrently, by workers that take part.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <thread>
#include <vector>

#include "search/complete_nodes.hpp"

namespace panoptes {

class CommonComponent {
 public:
  using Node = CompleteNodes::Node;

  // With so many nodes that somebody has come upon, a component is worth it.
  static constexpr std::size_t usually_large = std::size_t{1} << 14;

  explicit CommonComponent(CompleteNodes& nodes) : nodes_(nodes) {}

  // Whether there is one to take part in.
  bool is_open() const { return is_open_.load(std::memory_order_acquire); }
  // There is none, and the caller works at this one, in which `some` node is.
  bool open(Node some) {
    const std::lock_guard lock(guard_);
    if (is_open_ || nodes_.has(some)) return false;
    some_ = some;
    working_ = 1;
    is_open_ = true;
    return true;
  }

  // Somebody waits for work.
  bool is_wanted() const { return waiting_.load(std::memory_order_relaxed) > 0; }
  void give(std::span<const Node> roots) {
    const std::lock_guard lock(guard_);
    roots_.insert(roots_.end(), roots.begin(), roots.end());
    has_roots_ = !roots_.empty();
  }

  // For who has nothing left, and works at it or does not yet: a node behind it, where somebody has
  // one. Nothing where it is complete, or given up; `is_last` for him who is to close it, while the
  // others wait for that. `members`: those that he alone has found to be in it, and did not tell.
  template <typename HasTime>
  std::optional<Node> take(bool was_working, std::vector<Node>& members, bool& is_last,
                           const HasTime& has_time) {
    is_last = false;
    {
      const std::lock_guard lock(guard_);
      if (!is_open_) return {};
      members_.insert(members_.end(), members.begin(), members.end());
      members.clear();
      if (auto root = next_root(was_working)) return root;
      if (was_working && --working_ == 0) {
        is_last = true;
        return {};
      }
    }
    waiting_.fetch_add(1, std::memory_order_relaxed);
    std::optional<Node> root;
    while (!root && is_open() && !is_given_up() && has_time()) {
      std::this_thread::yield();
      if (!has_roots_.load(std::memory_order_relaxed)) continue;
      const std::lock_guard lock(guard_);
      if (is_open_ && working_ > 0) root = next_root(false);
    }
    waiting_.fetch_sub(1, std::memory_order_relaxed);
    return root;
  }

  // For the last: tell(members), in the order of their numbers, if nobody has completed it on his
  // own meanwhile; then there is none any more.
  template <typename Tell>
  void close(const Tell& tell) {
    std::vector<Node> members;
    Node some = 0;
    {
      // Others still come and ask whether there is work.
      const std::lock_guard lock(guard_);
      members.swap(members_);
      some = some_;
    }
    nodes_.collect_common(members);
    if (nodes_.complete_common(members, some)) {
      tell(members);
      nodes_.has_told(members);
    }
    const std::lock_guard lock(guard_);
    ++closed_;
    is_open_ = false;
  }
  // How many there were.
  std::uint64_t closed() const {
    const std::lock_guard lock(guard_);
    return closed_;
  }

  // Somebody ends early: nobody may wait for him.
  void give_up() { is_given_up_ = true; }
  bool is_given_up() const { return is_given_up_.load(std::memory_order_relaxed); }

 private:
  std::optional<Node> next_root(bool was_working) {
    if (roots_.empty()) return {};
    const Node root = roots_.back();
    roots_.pop_back();
    has_roots_ = !roots_.empty();
    if (!was_working) ++working_;
    return root;
  }

  CompleteNodes& nodes_;
  std::atomic<bool> is_open_{false}, is_given_up_{false}, has_roots_{false};
  std::atomic<unsigned> waiting_{0};
  mutable std::mutex guard_;  // of what follows
  std::uint64_t closed_ = 0;
  Node some_ = 0;
  unsigned working_ = 0;
  std::vector<Node> roots_;
  std::vector<Node> members_;  // that were told
};

// What workers that look for components share.
struct SharedComponents {
  explicit SharedComponents(std::uint64_t nodes) : complete(nodes), common(complete) {}

  CompleteNodes complete;
  CommonComponent common;
};

}  // namespace panoptes
