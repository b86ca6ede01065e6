// SPDX-License-Identifier: Apache-2.0
#include "store/numbered_store.hpp"

#include <algorithm>
#include <array>
#include <mutex>
#include <thread>

#include "base/hash.hpp"

namespace panoptes {
namespace {

constexpr std::uint64_t least_index = std::uint64_t{1} << 10;
constexpr std::uint64_t few_states = std::uint64_t{1} << 10;

}  // namespace

NumberedStore::NumberedStore(std::size_t width)
    : width_(width),
      index_size_(least_index),
      states_(address_room()),
      index_(least_index * sizeof(Word)) {}

void NumberedStore::insert(SuccessorBatch& batch, const StateBatch&) {
  static thread_local Buffer<std::uint64_t> hashes;
  const std::size_t count = batch.size();
  hashes.resize(count);
  batch.fresh.resize(count);
  batch.numbers.resize(count);
  if (!has_room(planned_.fetch_add(count, std::memory_order_relaxed) + count)) make_room();
  const std::shared_lock lock(growing_);
  const Word* const index = index_.words();
  const std::uint64_t mask = index_size_.load(std::memory_order_relaxed) - 1;
  for (std::size_t i = 0; i < count; ++i) {
    hashes[i] = hash_state(batch.states[i]);
    __builtin_prefetch(index + (hashes[i] & mask));
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
  const std::uint64_t mask = index_size_.load(std::memory_order_relaxed) - 1;
  const std::uint64_t signature = hash & ~number_mask;
  for (std::uint64_t at_index = hash & mask;; at_index = (at_index + 1) & mask) {
    std::atomic_ref<std::uint64_t> place(index_.words()[at_index]);
    std::uint64_t entry = place.load(std::memory_order_acquire);
    if (entry == 0 && place.compare_exchange_strong(entry, signature | claimed)) {
      const std::uint64_t number = count_.fetch_add(1, std::memory_order_relaxed);
      std::copy(state.begin(), state.end(), at(number));
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
  while (planned * 4 > index_size_.load(std::memory_order_relaxed) * 3) grow();
  if (planned * width_ * sizeof(Word) <= states_.bytes()) return;
  states_.grow((planned + planned / 16 + few_states) * width_ * sizeof(Word));
  state_bytes_.store(states_.bytes(), std::memory_order_relaxed);
}

void NumberedStore::grow() {
  constexpr std::uint64_t together = 256;
  const std::uint64_t size = index_size_.load(std::memory_order_relaxed) * 2, mask = size - 1,
                      count = count_.load(std::memory_order_relaxed);
  Pages larger_pages(size * sizeof(Word));
  Word* const larger = larger_pages.words();
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
  index_ = std::move(larger_pages);
  index_size_.store(size, std::memory_order_relaxed);
}

StoreStats NumberedStore::stats() const {
  const std::uint64_t index_bytes =
      index_size_.load(std::memory_order_relaxed) * sizeof(std::uint64_t);
  return {count_.load(std::memory_order_relaxed),
          index_bytes + state_bytes_.load(std::memory_order_relaxed), index_bytes * 2};
}

}  // namespace panoptes
