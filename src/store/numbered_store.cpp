// SPDX-License-Identifier: Apache-2.0
#include "store/numbered_store.hpp"

#include <algorithm>
#include <array>
#include <mutex>
#include <thread>

#include "base/hash.hpp"

namespace panoptes {

NumberedStore::NumberedStore(std::size_t width)
    : width_(width), index_size_(1u << 10), index_(1u << 10) {}

void NumberedStore::insert(SuccessorBatch& batch, const StateBatch&) {
  static thread_local Buffer<std::uint64_t> hashes;
  const std::size_t count = batch.size();
  hashes.resize(count);
  batch.fresh.resize(count);
  batch.numbers.resize(count);
  if (!has_room(planned_.fetch_add(count, std::memory_order_relaxed) + count)) make_room();
  const std::shared_lock lock(growing_);
  for (std::size_t i = 0; i < count; ++i) {
    hashes[i] = hash_state(batch.states[i]);
    __builtin_prefetch(&index_[hashes[i] & (index_.size() - 1)]);
  }
  std::uint64_t known = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const Found found = find_or_add(batch.states[i], hashes[i]);
    batch.fresh[i] = found.fresh;
    batch.numbers[i] = found.number;
    known += found.fresh ? 0 : 1;
  }
  planned_.fetch_sub(known, std::memory_order_relaxed);
}

NumberedStore::Found NumberedStore::find_or_add(StateView state, std::uint64_t hash) noexcept {
  const std::uint64_t mask = index_.size() - 1;
  const std::uint64_t signature = hash & ~number_mask;
  for (std::uint64_t at_index = hash & mask;; at_index = (at_index + 1) & mask) {
    std::atomic_ref<std::uint64_t> place(index_[at_index]);
    std::uint64_t entry = place.load(std::memory_order_acquire);
    if (entry == 0 && place.compare_exchange_strong(entry, signature | claimed)) {
      const std::uint64_t number = count_.fetch_add(1, std::memory_order_relaxed);
      std::copy(state.begin(), state.end(),
                chunks_[number / chunk_states].get() + number % chunk_states * width_);
      place.store(signature | (number + 1), std::memory_order_release);
      return {number, true};
    }
    if (((entry ^ signature) & ~number_mask) != 0) continue;
    for (; (entry & number_mask) == claimed; entry = place.load(std::memory_order_acquire))
      std::this_thread::yield();
    const std::uint64_t number = (entry & number_mask) - 1;
    if (std::equal(state.begin(), state.end(), at(number))) return {number, false};
  }
}

void NumberedStore::make_room() {
  const std::unique_lock lock(growing_);
  const std::uint64_t planned = planned_.load(std::memory_order_relaxed);
  while (planned * 4 > index_.size() * 3) grow();
  while (planned > chunks_.size() * chunk_states)
    chunks_.push_back(std::make_unique_for_overwrite<Word[]>(chunk_states * width_));
  chunk_count_.store(chunks_.size(), std::memory_order_relaxed);
}

void NumberedStore::grow() {
  constexpr std::uint64_t together = 256;
  std::vector<std::uint64_t> larger(index_.size() * 2);
  const std::uint64_t mask = larger.size() - 1, count = count_.load(std::memory_order_relaxed);
  std::array<std::uint64_t, together> hashes;
  for (std::uint64_t begin = 0; begin < count; begin += together) {
    const std::uint64_t end = std::min(count, begin + together);
    for (std::uint64_t number = begin; number < end; ++number) {
      hashes[number - begin] = hash_state({at(number), width_});
      __builtin_prefetch(&larger[hashes[number - begin] & mask], 1);
    }
    for (std::uint64_t number = begin; number < end; ++number) {
      const std::uint64_t hash = hashes[number - begin];
      std::uint64_t at_index = hash & mask;
      while (larger[at_index] != 0) at_index = (at_index + 1) & mask;
      larger[at_index] = (hash & ~number_mask) | (number + 1);
    }
  }
  index_ = std::move(larger);
  index_size_.store(index_.size(), std::memory_order_relaxed);
}

StoreStats NumberedStore::stats() const {
  const std::uint64_t index_bytes =
      index_size_.load(std::memory_order_relaxed) * sizeof(std::uint64_t);
  const std::uint64_t chunk_bytes = chunk_states * width_ * sizeof(Word);
  return {count_.load(std::memory_order_relaxed),
          index_bytes + chunk_count_.load(std::memory_order_relaxed) * chunk_bytes,
          index_bytes * 2};
}

}  // namespace panoptes
