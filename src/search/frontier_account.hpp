// SPDX-License-Identifier: Apache-2.0
// What a frontier holds, and what that takes.
//
// Thread safety: totals() may be called when all workers have left, everything else at any time.
#pragma once

#include <cstdint>

namespace panoptes {

// Sequences of execution that a search has followed to their end: until nothing new could be
// reached. Their length is the number of states they pass through.
struct Sequences {
  std::uint64_t count = 0, states = 0;
  void add(std::uint64_t length) {
    ++count;
    states += length;
  }
};

// What is left when a search has ended: states that were recorded and not expanded, and successors
// that nobody has looked at.
struct LeftOver {
  std::uint64_t states = 0, successors = 0;
};

// Of a search that has ended.
struct FrontierTotals {
  LeftOver left_over;
  // States or successors that were not taken in, for want of memory; some of them may be known.
  std::uint64_t dropped = 0;
  Sequences sequences;  // of a breadth-first search, the shortest ones to their ends
};

class FrontierAccount {
 public:
  virtual ~FrontierAccount() = default;

  virtual std::uint64_t bytes() const = 0;
  virtual std::uint64_t trail_bytes() const = 0;
  virtual std::uint64_t size() const = 0;  // states waiting
  // The same for whoever watches: walks that are still to be made are no states.
  virtual std::uint64_t waiting() const { return size(); }
  virtual FrontierTotals totals() const = 0;
};

}  // namespace panoptes
