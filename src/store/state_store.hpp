// SPDX-License-Identifier: Apache-2.0
// A StateStore answers one question: has the search been in this state?
//
// Stores differ in how they may be wrong, and each one says so in its promise; a verdict is
// computed from that, so a search cannot claim more than its store holds.
//
// Thread safety: insert() and stats() may be called concurrently where the store's own header says
// so; everything else may not.
#pragma once

#include "base/batch.hpp"
#include "base/promise.hpp"
#include "base/record.hpp"

namespace panoptes {

class StateStore {
 public:
  virtual ~StateStore() = default;

  // Records every state of `batch`, in order, and marks in `batch.fresh` which were new. `sources`
  // are the states they are successors of, which may help to find them; it may be empty. A
  // numbering store also fills `batch.numbers`: states are numbered from 0 in the order they became
  // known.
  virtual void insert(SuccessorBatch& batch, const StateBatch& sources) = 0;

  // The same for one state alone; gives whether it was new.
  bool insert_one(StateView state) {
    SuccessorBatch batch;
    batch.clear(state.size());
    batch.states.push_back(state);
    batch.rules.push_back(0);
    batch.close_state(0);
    insert(batch, StateBatch{state.size(), {}});
    return batch.fresh[0] != 0;
  }

  // `state` will be recorded soon: a store may fetch its place from memory meanwhile. Only for
  // searches with one worker.
  virtual void expect(StateView) const {}

  // The last state that was new and has not been left yet leaves the path of a depth-first search.
  // A store that keeps the path alone forgets it, a cache may now give its place away.
  virtual void leave() {}

  // Whether it must stop and grow before it has so many times the states it has; and to grow now
  // if so, where there is memory for it. For several searches that wait for each other: where all
  // of them grow at the same time, they wait once.
  virtual bool must_grow_for(double) const { return false; }
  virtual void grow_for(double) {}

  // What it knows beside its states, for what it says below; and the same again, when another store
  // of the kind has been given the states anew.
  virtual void save(RecordWriter&) const {}
  virtual void restore(RecordReader&) {}

  virtual StorePromise promise() const = 0;
  virtual StoreStats stats() const = 0;
};

}  // namespace panoptes
