// SPDX-License-Identifier: Apache-2.0
// The numbering store, for whoever wants the graph: every state kept whole, in the order it became
// known, behind an index.
//
// Idea: states lie side by side in chunks that never move; an open-addressing index maps a hash to
// the number of a state, with 24 further hash bits beside the number, so that a state is compared
// only when it is almost certainly equal. Some states at a time are hashed and their entries
// fetched, then they are looked up: memory latency overlaps. Who finds a vacant entry claims it.
// What was claimed gets its numbers at once, so that states found together lie together, whoever
// else inserts; it is written down, and then its numbers are. A state that comes to a claimed entry
// of the same hash bits is looked up after that, and waits where the claim is another thread's:
// nobody waits who has claimed something. There is room for a batch before it is looked up; to make
// some, everybody else is kept out.
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
#include <memory>
#include <shared_mutex>
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
  static constexpr std::uint64_t number_mask = (std::uint64_t{1} << number_bits) - 1;
  static constexpr std::uint64_t claimed = number_mask;  // in place of a number, from 1

  static constexpr std::size_t together = 256;  // states that are looked up at a time

  struct Place {
    std::uint64_t index;  // of an entry, which is ...
    std::uint64_t entry;  // ... vacant, claimed, or that of the state
  };
  // Where a state is, or may be, or could be.
  Place look(StateView state, std::uint64_t hash) noexcept;
  // The same, but a vacant entry is claimed, and is 0 in what is returned.
  Place look_or_claim(StateView state, std::uint64_t hash) noexcept;
  void write(StateView state, std::uint64_t hash, std::uint64_t index,
             std::uint64_t number) noexcept;
  // Inserts states from `begin` to `end` of a batch; how many were new.
  std::uint64_t insert_some(SuccessorBatch& batch, std::size_t begin, std::size_t end) noexcept;
  bool insert_late(SuccessorBatch& batch, std::size_t i, std::uint64_t hash) noexcept;
  bool is_equal(StateView state, std::uint64_t number) const {
    const Word* const known = at(number);
    for (std::size_t i = 0; i < width_; ++i)
      if (state[i] != known[i]) return false;
    return true;
  }
  Word* at(std::uint64_t number) const {
    return chunks_[number / chunk_states].get() + number % chunk_states * width_;
  }
  std::uint64_t entry_at(std::uint64_t index) {
    return std::atomic_ref(index_[index]).load(std::memory_order_acquire);
  }
  bool has_room(std::uint64_t states) const {
    return states * 4 <= index_size_.load(std::memory_order_relaxed) * 3 &&
           states <= chunk_count_.load(std::memory_order_relaxed) * chunk_states;
  }
  void make_room();
  void grow();

  std::size_t width_;
  alignas(64) std::atomic<std::uint64_t> count_{0};
  // States that there are, or would be if all that are being inserted were new.
  alignas(64) std::atomic<std::uint64_t> planned_{0};
  std::atomic<std::uint64_t> index_size_, chunk_count_{0};
  std::shared_mutex growing_;  // shared by who inserts
  std::vector<std::unique_ptr<Word[]>> chunks_;
  std::vector<std::uint64_t> index_;  // hash bits above number + 1; 0 is vacant
};

}  // namespace panoptes
