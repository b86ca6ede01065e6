// SPDX-License-Identifier: Apache-2.0
// Which nodes of a graph are in strong components that are complete, for several who look for these
// at once.
//
// Idea: everybody goes through the graph by himself, half of them the other way, and leaves out
// what somebody has completed: from there, nobody gets back to where he is. So they share the work
// where components are many, and each does all of it where there is but one.
// Of a component with a cycle one alone is told that he is the first. He has seen all of it, for
// nobody had completed any of it before; who comes to it later, or to what was left of it when he
// began to leave out, is not.
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

#include "store/pages.hpp"

namespace panoptes {

class CompleteNodes {
 public:
  using Node = std::uint64_t;

  explicit CompleteNodes(std::uint64_t nodes)
      : nodes_(nodes), pages_(nodes), are_(reinterpret_cast<std::uint8_t*>(pages_.words())) {}

  bool has(Node node) const { return at(node).load(std::memory_order_acquire) != 0; }

  // What somebody takes for a component without a cycle.
  void add(Node node) { at(node).store(1, std::memory_order_release); }
  // What he takes for one with a cycle: whether he is the first.
  bool add(std::span<const Node> members) {
    const std::lock_guard lock(guard_);
    if (has(members.front())) return false;
    for (const Node member : members) at(member).store(1, std::memory_order_release);
    return true;
  }

  std::uint64_t count() const {
    return static_cast<std::uint64_t>(std::count(are_, are_ + nodes_, std::uint8_t{1}));
  }

 private:
  std::atomic_ref<std::uint8_t> at(Node node) const {
    return std::atomic_ref<std::uint8_t>(are_[node]);
  }

  std::uint64_t nodes_;
  Pages pages_;
  std::uint8_t* are_;  // in these
  std::mutex guard_;   // of components with cycles
};

}  // namespace panoptes
