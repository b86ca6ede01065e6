// SPDX-License-Identifier: Apache-2.0
// The numbering store, for whoever wants the graph: every state kept whole, in the order it became
// known, behind an index.
//
// Idea: states lie side by side in chunks that never move; an open-addressing index maps a hash to
// the number of a state, with 24 further hash bits beside the number, so that a state is compared
// only when it is almost certainly equal. A batch is hashed first, its index lines are prefetched,
// then it is probed: memory latency overlaps.
// Cost: 8 bytes per word of state, and 8 bytes per index entry at a load of 3/8 to 3/4.
// How it can be wrong: not at all.
//
// Invariants: index size is a power of two; entry 0 is vacant; numbers are dense.
#pragma once

#include <memory>
#include <vector>

#include "store/state_store.hpp"

namespace panoptes {

class NumberedStore final : public StateStore {
 public:
  explicit NumberedStore(std::size_t width);

  void insert(SuccessorBatch& batch, const StateBatch& sources) override;
  StorePromise promise() const override { return {}; }
  StoreStats stats() const override;

  // REQUIRES: there is a state of that number.
  StateView state(std::uint64_t number) const { return {at(number), width_}; }

 private:
  static constexpr std::size_t chunk_states = std::size_t{1} << 14;
  static constexpr unsigned number_bits = 40;

  struct Found {
    std::uint64_t number;
    bool fresh;
  };
  Found find_or_add(StateView state, std::uint64_t hash);
  const Word* at(std::uint64_t number) const {
    return chunks_[number / chunk_states].get() + number % chunk_states * width_;
  }
  void append(StateView state);
  void grow();

  std::size_t width_;
  std::uint64_t count_ = 0;
  std::vector<std::unique_ptr<Word[]>> chunks_;
  std::vector<std::uint64_t> index_;   // hash bits above number + 1; 0 is vacant
  std::vector<std::uint64_t> hashes_;  // scratch of insert()
};

}  // namespace panoptes
