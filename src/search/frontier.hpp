// SPDX-License-Identifier: Apache-2.0
// A Frontier holds what is known and not yet expanded, and decides the order of a search.
//
// It also decides when a state is recorded in the store: a breadth-first search records all
// successors at once and keeps the fresh ones; a depth-first search records a state when it comes
// up, so that its order is that of the recursive algorithm.
//
// Thread safety: one thread calls.
#pragma once

#include <cstdint>
#include <vector>

#include "base/batch.hpp"
#include "rules/program.hpp"
#include "store/state_store.hpp"

namespace panoptes {

// Whoever wants the graph itself gets every transition here, once, when its target is recorded.
// Numbers are those of a numbering store: 0 is the initial state.
class GraphSink {
 public:
  virtual ~GraphSink() = default;
  virtual void transition(std::uint64_t source, RuleId rule, std::uint64_t target, bool fresh) = 0;
};

class Frontier {
 public:
  virtual ~Frontier() = default;

  // Records the initial state.
  virtual void start(StateView initial, StateStore& store) = 0;

  // Fills `batch` with the next states to expand, all of the same depth; false when none is left.
  virtual bool next(StateBatch& batch, StateStore& store) = 0;

  // Takes the successors of the batch that next() gave. Where `deepest` is true they are too deep
  // to be looked at: only the expansion is noted.
  virtual void admit(SuccessorBatch& successors, StateStore& store, bool deepest) = 0;

  // Depth of the batch that next() gave.
  virtual std::uint64_t depth() const = 0;

  // True when the batch is the last of its depth: a breadth-first search may stop here and still
  // have finished a level.
  virtual bool level_ends() const = 0;

  // Remembers how state i of the current batch was reached; path() later tells.
  virtual std::uint64_t mark(std::size_t i) = 0;
  virtual std::vector<RuleId> path(std::uint64_t marked) = 0;

  // Whether path() gives shortest paths.
  virtual bool is_shortest() const = 0;

  virtual std::uint64_t bytes() const = 0;
  virtual std::uint64_t trail_bytes() const = 0;
  virtual std::uint64_t size() const = 0;  // states waiting
};

}  // namespace panoptes
