// SPDX-License-Identifier: Apache-2.0
// The store of a stack search: it knows the states of the current path and no others.
//
// Idea: a state is seen if it lies on the path from the initial state to the current one; it is
// forgotten when the search leaves it. Memory is the depth of the state graph, not its volume; the
// price is that a state is visited once for every path to it. States come and go like those of a
// stack, so an index with linear probing needs no marks for removed ones: the last one in is the
// first one out, and leaves the index as it was before. Optionally only states are kept that a
// filter admits; it must admit at least one of every cycle, or the search does not end.
// Cost: the words of every state kept, 1 byte or 5 for each, and 4 bytes a place at a load of at
// most 1/2.
// How it can be wrong: it calls states new that were visited on other paths; never the reverse.
// Source: Holzmann's types of search (type 3) and his bounded depth-first search.
#pragma once

#include <functional>
#include <vector>

#include "store/state_store.hpp"

namespace panoptes {

// Whether a state is worth keeping; empty: all are.
using StateFilter = std::function<bool(StateView)>;

class PathStore final : public StateStore {
 public:
  explicit PathStore(std::size_t width, StateFilter keeps = {});

  void insert(SuccessorBatch& batch, const StateBatch& sources) override;
  void leave() override;
  StorePromise promise() const override { return {.may_repeat = true}; }
  // `states` counts those that were new, as often as they were.
  StoreStats stats() const override;

  std::uint64_t kept() const { return places_.size(); }

 private:
  bool enter(StateView state);
  // Where the state is in the index, or the vacant place where it belongs.
  std::size_t find(StateView state) const;
  void grow();

  StateFilter keeps_;
  StateBatch states_;                  // kept, in the order of the path
  std::vector<std::uint32_t> places_;  // of each of them in index_
  std::vector<std::uint8_t> is_kept_;  // for every state of the path
  std::vector<std::uint32_t> index_;   // position in states_ + 1; 0 is vacant
  std::uint64_t entered_ = 0;
};

}  // namespace panoptes
