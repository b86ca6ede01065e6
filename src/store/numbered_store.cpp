// SPDX-License-Identifier: Apache-2.0
#include "store/numbered_store.hpp"

#include <algorithm>
#include <array>
#include <mutex>
#include <span>
#include <thread>

#include "base/hash.hpp"

namespace panoptes {

NumberedStore::NumberedStore(std::size_t width)
    : width_(width), index_size_(1u << 10), index_(1u << 10) {}

void NumberedStore::insert(SuccessorBatch& batch, const StateBatch&) {
  const std::size_t count = batch.size();
  batch.fresh.resize(count);
  batch.numbers.resize(count);
  if (!has_room(planned_.fetch_add(count, std::memory_order_relaxed) + count)) make_room();
  const std::shared_lock lock(growing_);
  std::uint64_t fresh = 0;
  for (std::size_t begin = 0; begin < count; begin += together)
    fresh += insert_some(batch, begin, std::min(count, begin + together));
  planned_.fetch_sub(count - fresh, std::memory_order_relaxed);
}

std::uint64_t NumberedStore::insert_some(SuccessorBatch& batch, std::size_t begin,
                                         std::size_t end) noexcept {
  std::array<std::uint64_t, together> hashes;
  const std::uint64_t mask = index_.size() - 1;
  for (std::size_t i = begin; i < end; ++i) {
    hashes[i - begin] = hash_state(batch.states[i]);
    __builtin_prefetch(&index_[hashes[i - begin] & mask]);
  }
  struct Claim {
    std::size_t state;
    std::uint64_t index;
  };
  std::array<Claim, together> claims;
  std::array<std::size_t, together> late;
  std::size_t claim_count = 0, late_count = 0;
  for (std::size_t i = begin; i < end; ++i) {
    const Place place = look_or_claim(batch.states[i], hashes[i - begin]);
    batch.fresh[i] = place.entry == 0;
    batch.numbers[i] = (place.entry & number_mask) - 1;
    if (place.entry == 0)
      claims[claim_count++] = {i, place.index};
    else if ((place.entry & number_mask) == claimed)
      late[late_count++] = i;
  }
  std::uint64_t number = count_.fetch_add(claim_count, std::memory_order_relaxed);
  for (const Claim& claim : std::span(claims).first(claim_count)) {
    batch.numbers[claim.state] = number;
    write(batch.states[claim.state], hashes[claim.state - begin], claim.index, number++);
  }
  std::uint64_t fresh = claim_count;
  for (const std::size_t i : std::span(late).first(late_count))
    fresh += insert_late(batch, i, hashes[i - begin]) ? 1 : 0;
  return fresh;
}

// Whether it is new.
bool NumberedStore::insert_late(SuccessorBatch& batch, std::size_t i, std::uint64_t hash) noexcept {
  const StateView state = batch.states[i];
  Place place = look_or_claim(state, hash);
  for (; (place.entry & number_mask) == claimed; place = look_or_claim(state, hash))
    std::this_thread::yield();
  batch.fresh[i] = place.entry == 0;
  batch.numbers[i] = (place.entry & number_mask) - 1;
  if (place.entry != 0) return false;
  batch.numbers[i] = count_.fetch_add(1, std::memory_order_relaxed);
  write(state, hash, place.index, batch.numbers[i]);
  return true;
}

NumberedStore::Place NumberedStore::look(StateView state, std::uint64_t hash) noexcept {
  const std::uint64_t mask = index_.size() - 1;
  for (std::uint64_t index = hash & mask;; index = (index + 1) & mask) {
    const std::uint64_t entry = entry_at(index), number = entry & number_mask;
    if (entry == 0) return {index, entry};
    if (((entry ^ hash) & ~number_mask) != 0) continue;
    if (number == claimed || is_equal(state, number - 1)) return {index, entry};
  }
}

NumberedStore::Place NumberedStore::look_or_claim(StateView state, std::uint64_t hash) noexcept {
  for (;;) {
    const Place place = look(state, hash);
    std::uint64_t vacant = 0;
    if (place.entry != 0 || std::atomic_ref(index_[place.index])
                                .compare_exchange_strong(vacant, (hash & ~number_mask) | claimed))
      return place;
  }
}

void NumberedStore::write(StateView state, std::uint64_t hash, std::uint64_t index,
                          std::uint64_t number) noexcept {
  std::copy(state.begin(), state.end(), at(number));
  std::atomic_ref(index_[index])
      .store((hash & ~number_mask) | (number + 1), std::memory_order_release);
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
  std::vector<std::uint64_t> larger(index_.size() * 2);
  const std::uint64_t mask = larger.size() - 1, count = count_.load(std::memory_order_relaxed);
  std::array<std::uint64_t, together> hashes;
  for (std::uint64_t begin = 0; begin < count; begin += together) {
    const std::uint64_t end = std::min<std::uint64_t>(count, begin + together);
    for (std::uint64_t number = begin; number < end; ++number) {
      hashes[number - begin] = hash_state({at(number), width_});
      __builtin_prefetch(&larger[hashes[number - begin] & mask], 1);
    }
    for (std::uint64_t number = begin; number < end; ++number) {
      const std::uint64_t hash = hashes[number - begin];
      std::uint64_t index = hash & mask;
      while (larger[index] != 0) index = (index + 1) & mask;
      larger[index] = (hash & ~number_mask) | (number + 1);
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
