// SPDX-License-Identifier: Apache-2.0
// The native search, told to a database.
//
// Idea: the search runs as for `check`, breadth first, on a store that numbers states. Transitions
// go to the database while it runs, through the appender; states when it has ended, in the order of
// their numbers, with the step that first led to each; errors last. One appender at a time, which
// is all a connection to a server has.
//
// Cost: docs/relational.md has rows per second (bench/query prints them). In memory, beside the
// store: 12 bytes a state for the way back and its length, and what the database takes.
//
// How it can be wrong: findings are told by number of expansion, which is the number of the state
// because a breadth-first search expands states in the order it finds them. Asserted.
//
// Thread safety: one thread.
#pragma once

#include <atomic>

#include "relational/database.hpp"
#include "search/explore.hpp"
#include "verdict/ending.hpp"

namespace panoptes {

struct NativeSpaceOptions {
  bool use_interpreter = false;
  bool strict = false;  // unread messages are errors
  Limits limits;
  ExploreRequest explore;  // receptions, resident, fixed_bytes
  const std::atomic<bool>* interrupted = nullptr;
  Monitor::Clock clock = steady_seconds;
  Monitor::Observer observer;
};

// What a search has left in the tables.
struct SpaceFacts {
  std::uint64_t states = 0, transitions = 0, depth = 0;
  std::uint64_t expanded = 0;  // states whose transitions are known: those with lesser numbers
  Conclusion conclusion;       // why it ended, and what it may say

  bool is_complete() const { return conclusion.promise == Promise::exhaustive; }
};

// Fills the tables of create_space_tables() and `failures`. Throws what a stepper throws.
// REQUIRES: they are there and empty.
DatabaseResult<SpaceFacts> load_native(const Program& program, const SourceSet& sources,
                                       Database& database, const NativeSpaceOptions& options);

}  // namespace panoptes
