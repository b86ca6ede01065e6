// SPDX-License-Identifier: Apache-2.0
// How the states of a search were reached, for whoever asks for few of them when it has ended.
//
// A state in which something was found is marked while its batch is at hand; its path is made
// later, if anybody wants it.
//
// Thread safety: mark() and mark_bytes() may be called concurrently, each by the worker it names;
// is_shortest() at any time; path() when all workers have left.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/deadline.hpp"
#include "rules/program.hpp"

namespace panoptes {

class WayBack {
 public:
  virtual ~WayBack() = default;

  // Remembers how state i of the worker's batch was reached; path() later tells.
  virtual std::uint64_t mark(unsigned worker, std::size_t i) = 0;
  // What remembering it takes.
  virtual std::uint64_t mark_bytes(unsigned, std::size_t) const { return 0; }
  // Nothing where that takes too long.
  virtual std::optional<std::vector<RuleId>> path(std::uint64_t marked,
                                                  const Deadline& deadline) = 0;

  // Whether paths have all rules of an indivisible sequence, and not the first alone.
  virtual bool has_insides() const { return false; }
  // Whether path() gives shortest paths; a search that runs out of memory may cease to.
  virtual bool is_shortest() const = 0;
};

}  // namespace panoptes
