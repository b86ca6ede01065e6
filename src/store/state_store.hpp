// SPDX-License-Identifier: Apache-2.0
// A StateStore answers one question: has the search been in this state?
//
// Stores differ in how they may be wrong, and each one says so in its promise; a verdict is
// computed from that, so a search cannot claim more than its store holds.
//
// Thread safety: none yet; one thread calls.
#pragma once

#include "base/batch.hpp"
#include "base/promise.hpp"

namespace panoptes {

class StateStore {
 public:
  virtual ~StateStore() = default;

  // Records every state of `batch`, in order, and marks in `batch.fresh` which were new. A
  // numbering store also fills `batch.numbers`: states are numbered from 0 in the order they became
  // known.
  virtual void insert(SuccessorBatch& batch) = 0;

  // The same for one state; gives whether it was new.
  virtual bool insert_one(StateView state) = 0;

  virtual StorePromise promise() const = 0;
  virtual StoreStats stats() const = 0;
};

}  // namespace panoptes
