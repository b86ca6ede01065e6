// SPDX-License-Identifier: Apache-2.0
// A StateOrder answers one question: which states come next?
//
// It also decides when a state is recorded in the store: a breadth-first search records all
// successors at once and keeps the fresh ones; a depth-first search records a state when it comes
// up, so that its order is that of the recursive algorithm.
//
// Workers are numbered from 0; each takes batches with next() and hands their successors to admit()
// until next() says that the search is over, or leaves before.
//
// Thread safety: everything but start() may be called concurrently, each by the worker it names.
#pragma once

#include <cstdint>
#include <functional>

#include "base/batch.hpp"
#include "store/state_store.hpp"

namespace panoptes {

class StateOrder {
 public:
  virtual ~StateOrder() = default;

  // Asked where the search could end in good order (a breadth-first search: between levels); it
  // ends there when the answer is false.
  using GoOn = std::function<bool()>;

  // Records the initial state.
  virtual void start(StateView initial, StateStore& store, GoOn go_on) = 0;

  // Fills `batch` with the next states to expand, all of the same depth; false when the search is
  // over. May wait for the other workers.
  virtual bool next(unsigned worker, StateBatch& batch, StateStore& store) = 0;

  // Takes the successors of the batch that next() gave. Where `deepest` is true they are too deep
  // to be looked at: only the expansion is noted.
  virtual void admit(unsigned worker, const StateBatch& batch, SuccessorBatch& successors,
                     StateStore& store, bool deepest) = 0;

  // The worker will not come back; nobody waits for it any more.
  virtual void leave(unsigned worker) = 0;

  // Depth of the batch that next() has given to this worker.
  virtual std::uint64_t depth(unsigned worker) const = 0;
};

}  // namespace panoptes
