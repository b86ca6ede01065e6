// SPDX-License-Identifier: Apache-2.0
// The numbering store, for whoever wants the graph: every state kept whole, in the order it became
// known, behind an index.
//
// Idea: states lie side by side in memory that grows where it is; an open-addressing index maps a
// hash to the number of a state, with 24 further hash bits beside the number, so that a state is
// compared only when it is almost certainly equal. A batch is hashed first, its index lines are
// prefetched, then it is probed: memory latency overlaps. Who finds a vacant entry claims it, gets
// the next number, writes the state down and then the number; whoever comes to a claimed entry of
// the same hash bits waits for that. There is room for a batch before it is probed; to make some,
// everybody else is kept out.
// Cost: 8 bytes per word of state, and 8 bytes per index entry at a load of 3/8 to 3/4.
// How it can be wrong: not at all. Which of two states has the lower number depends on who was
// first, where several threads insert.
//
// Thread safety: insert() and stats() may be called concurrently; state() of numbers that insert()
// has given to the same thread, or when nobody inserts any more.
//
// Invariants: index size is a power of two; entry 0 is vacant; numbers are dense.
#pragma once

#include <atomic>
#include <shared_mutex>

#include "store/pages.hpp"
#include "store/region.hpp"
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
  static constexpr unsigned number_bits = 40;
  static constexpr std::uint64_t number_mask = (std::uint64_t{1} << number_bits) - 1;
  static constexpr std::uint64_t claimed = number_mask;  // in place of a number, from 1

  struct Found {
    std::uint64_t number;
    bool fresh;
  };
  Found find_or_add(StateView state, std::uint64_t hash) noexcept;
  Word* at(std::uint64_t number) const {
    return static_cast<Word*>(states_.data()) + number * width_;
  }
  bool has_room(std::uint64_t states) const {
    return states * 4 <= index_size_.load(std::memory_order_relaxed) * 3 &&
           states * width_ * sizeof(Word) <= state_bytes_.load(std::memory_order_relaxed);
  }
  void make_room();
  void grow();

  std::size_t width_;
  alignas(64) std::atomic<std::uint64_t> count_{0};
  // States that there are, or would be if all that are being inserted were new.
  alignas(64) std::atomic<std::uint64_t> planned_{0};
  std::atomic<std::uint64_t> index_size_, state_bytes_{0};
  std::shared_mutex growing_;  // shared by who inserts
  Region states_;
  Pages index_;  // hash bits above number + 1; 0 is vacant
};

}  // namespace panoptes
