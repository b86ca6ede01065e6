// SPDX-License-Identifier: Apache-2.0
// Which nodes of a graph are in strong components that are complete, for several who look for these
// at once.
//
// Idea: everybody goes through the graph by himself, half of them the other way, and leaves out
// what somebody has completed: from there, nobody gets back to where he is. So they share the work
// where components are many; a large one they look through together (common_component.hpp).
// Of a component with a cycle one alone is told that he is the first. Where he was alone at it, he
// has seen all of it, for nobody had completed any of it before; who comes to it later, or to what
// was left of it when he began to leave out, is not.
// Cost: a byte a node.
// Source: E. Renault, A. Duret-Lutz, F. Kordon, D. Poitrenaud, Parallel Explicit Model Checking for
// Generalized Büchi Automata (2015).
//
// Thread safety: everything may be called concurrently, but for count().
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "store/pages.hpp"

namespace panoptes {

class CompleteNodes {
 public:
  using Node = std::uint64_t;

  explicit CompleteNodes(std::uint64_t nodes)
      : nodes_(nodes), pages_(nodes), are_(reinterpret_cast<std::uint8_t*>(pages_.words())) {}

  // What is known of a node: nothing, that its component is complete, or that it is in the one that
  // several look through together (common_component.hpp).
  enum class Known : std::uint8_t { nothing, complete, common, complete_and_told };
  static bool is_complete(Known known) {
    return known == Known::complete || known == Known::complete_and_told;
  }
  Known known(Node node) const {
    return static_cast<Known>(at(node).load(std::memory_order_acquire));
  }
  bool has(Node node) const { return is_complete(known(node)); }

  // What somebody takes for a component without a cycle.
  void add(Node node) { set(node, Known::complete); }
  // What he takes for one with a cycle: whether he is the first.
  bool add(std::span<const Node> members) {
    const std::lock_guard lock(guard_);
    if (has(members.front())) return false;
    for (const Node member : members) set(member, Known::complete);
    return true;
  }

  // Somebody has found that the node is in the common component; what was known before.
  Known add_to_common(Node node) {
    auto before = static_cast<std::uint8_t>(Known::nothing);
    at(node).compare_exchange_strong(before, static_cast<std::uint8_t>(Known::common));
    return static_cast<Known>(before);
  }
  // All nodes that are in it, in the order of their numbers, so that who goes through them finds
  // what he needs side by side. Where they are a good part of all, a look at all of these is
  // quicker than to sort them. REQUIRES: `members` has all, and nobody finds others any more.
  void collect_common(std::vector<Node>& members) const {
    constexpr std::uint64_t part = 64;
    if (members.size() < nodes_ / part) return std::sort(members.begin(), members.end());
    members.clear();
    for (Node node = 0; node < nodes_; ++node)
      if (known(node) == Known::common) members.push_back(node);
  }
  // The common component is complete: whether it was not before.
  bool complete_common(std::span<const Node> members, Node some) {
    const std::lock_guard lock(guard_);
    const bool is_first = !has(some);
    for (const Node member : members)
      set(member, is_first ? Known::complete_and_told : Known::complete);
    return is_first;
  }
  void has_told(std::span<const Node> members) {
    for (const Node member : members) set(member, Known::complete);
  }

  std::uint64_t count() const {
    return static_cast<std::uint64_t>(
        std::count(are_, are_ + nodes_, static_cast<std::uint8_t>(Known::complete)));
  }

 private:
  std::atomic_ref<std::uint8_t> at(Node node) const {
    return std::atomic_ref<std::uint8_t>(are_[node]);
  }
  void set(Node node, Known known) {
    at(node).store(static_cast<std::uint8_t>(known), std::memory_order_release);
  }

  std::uint64_t nodes_;
  Pages pages_;
  std::uint8_t* are_;  // in these
  std::mutex guard_;   // of components with cycles
};

}  // namespace panoptes
