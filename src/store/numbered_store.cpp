// SPDX-License-Identifier: Apache-2.0
#include "store/numbered_store.hpp"

#include <algorithm>

#include "base/hash.hpp"

namespace panoptes {

NumberedStore::NumberedStore(std::size_t width) : width_(width), index_(1u << 10) {}

void NumberedStore::insert(SuccessorBatch& batch, const StateBatch&) {
  const std::size_t count = batch.size();
  hashes_.resize(count);
  batch.fresh.resize(count);
  batch.numbers.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    hashes_[i] = hash_state(batch.states[i]);
    __builtin_prefetch(&index_[hashes_[i] & (index_.size() - 1)]);
  }
  for (std::size_t i = 0; i < count; ++i) {
    const Found found = find_or_add(batch.states[i], hashes_[i]);
    batch.fresh[i] = found.fresh;
    batch.numbers[i] = found.number;
  }
}

NumberedStore::Found NumberedStore::find_or_add(StateView state, std::uint64_t hash) {
  if ((count_ + 1) * 4 > index_.size() * 3) grow();
  const std::uint64_t mask = index_.size() - 1;
  const std::uint64_t signature = hash >> number_bits << number_bits;
  for (std::uint64_t at_index = hash & mask;; at_index = (at_index + 1) & mask) {
    const std::uint64_t entry = index_[at_index];
    if (entry == 0) {
      append(state);
      index_[at_index] = signature | count_;  // number + 1
      return {count_ - 1, true};
    }
    if (((entry ^ signature) >> number_bits) != 0) continue;
    const std::uint64_t number = (entry & ((std::uint64_t{1} << number_bits) - 1)) - 1;
    if (std::equal(state.begin(), state.end(), at(number))) return {number, false};
  }
}

void NumberedStore::append(StateView state) {
  if (count_ % chunk_states == 0)
    chunks_.push_back(std::make_unique<Word[]>(chunk_states * width_));
  std::copy(state.begin(), state.end(), chunks_.back().get() + count_ % chunk_states * width_);
  ++count_;
}

void NumberedStore::grow() {
  std::vector<std::uint64_t> larger(index_.size() * 2);
  const std::uint64_t mask = larger.size() - 1;
  for (std::uint64_t number = 0; number < count_; ++number) {
    const std::uint64_t hash = hash_state({at(number), width_});
    std::uint64_t at_index = hash & mask;
    while (larger[at_index] != 0) at_index = (at_index + 1) & mask;
    larger[at_index] = (hash >> number_bits << number_bits) | (number + 1);
  }
  index_ = std::move(larger);
}

StoreStats NumberedStore::stats() const {
  const std::uint64_t index_bytes = index_.size() * sizeof(std::uint64_t);
  return {count_, index_bytes + chunks_.size() * chunk_states * width_ * sizeof(Word),
          index_bytes * 2};
}

}  // namespace panoptes
