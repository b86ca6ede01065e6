// SPDX-License-Identifier: Apache-2.0
// A Frontier holds what is known and not yet expanded, and decides the order of a search.
//
// It also decides when a state is recorded in the store: a breadth-first search records all
// successors at once and keeps the fresh ones; a depth-first search records a state when it comes
// up, so that its order is that of the recursive algorithm.
//
// Workers are numbered from 0; each takes batches with next() and hands their successors to admit()
// until next() says that the search is over, or leaves before.
//
// Thread safety: next(), admit(), leave(), depth(), mark() and mark_bytes() may be called
// concurrently, each by the worker it names; size(), is_shortest() and the bytes at any time; the
// rest when all workers have left.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "base/batch.hpp"
#include "rules/program.hpp"
#include "store/state_store.hpp"
#include "verdict/way_back.hpp"

namespace panoptes {

// Whoever wants the graph itself gets every transition here, once, when its target is recorded.
// Numbers are those of a numbering store: 0 is the initial state.
class GraphSink {
 public:
  virtual ~GraphSink() = default;
  virtual void transition(std::uint64_t source, RuleId rule, std::uint64_t target, bool fresh) = 0;
  // What it takes, and what it will take beside that when the search has ended.
  virtual std::uint64_t bytes() const { return 0; }
  virtual std::uint64_t growth_bytes() const { return 0; }
};

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

class Frontier : public WayBack {
 public:
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

  virtual std::uint64_t bytes() const = 0;
  virtual std::uint64_t trail_bytes() const = 0;
  virtual std::uint64_t size() const = 0;  // states waiting
  // The same for whoever watches: walks that are still to be made are no states.
  virtual std::uint64_t waiting() const { return size(); }
  virtual LeftOver left_over() const { return {size(), 0}; }
  // States or successors that were not taken in, for want of memory; some of them may be known.
  virtual std::uint64_t dropped() const { return 0; }

  // The sequences followed so far; of a breadth-first search, the shortest ones to their ends.
  virtual Sequences sequences() const = 0;
};

}  // namespace panoptes
