// SPDX-License-Identifier: Apache-2.0
#include "store/hash_store.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/hash.hpp"

namespace panoptes {

HashStore::HashStore(std::size_t width, const HashStoreOptions& options)
    : width_(width),
      fingerprint_bits_(
          std::clamp(options.fingerprint_bits, least_fingerprint_bits, most_fingerprint_bits)),
      seed_(options.seed),
      fingerprints_(options.threads) {}

void HashStore::insert(SuccessorBatch& batch, const StateBatch&) {
  batch.fresh.resize(batch.size());
  const std::span<std::uint8_t> fresh(batch.fresh);
  if (width_ == 1) {
    fingerprints_.insert(batch.states.words, fresh);
    return;
  }
  std::array<Word, block_states> block;
  for (std::size_t begin = 0; begin < batch.size(); begin += block_states) {
    const std::size_t size = std::min(block_states, batch.size() - begin);
    for (std::size_t i = 0; i < size; ++i)
      block[i] = hash_words(batch.states[begin + i], seed_) >> (64 - fingerprint_bits_);
    fingerprints_.insert(std::span<const Word>(block).first(size), fresh.subspan(begin, size));
  }
}

// The sum of i / (N - i) for i below n, which is N (H(N) - H(N - n)) - n.
StorePromise HashStore::promise() const {
  if (width_ == 1) return {};
  const double all = std::ldexp(1.0, static_cast<int>(fingerprint_bits_));
  const auto taken = static_cast<double>(fingerprints_.size());
  const double share = taken / all;
  StorePromise promise;
  promise.may_omit = true;
  promise.expected_omissions = share < 1e-4
                                   ? taken * share / 2  // the difference below would lose digits
                                   : -all * std::log1p(-std::min(share, 1 - 0.5 / all)) - taken;
  return promise;
}

StoreStats HashStore::stats() const {
  return {fingerprints_.size(), fingerprints_.bytes(), fingerprints_.growth_bytes()};
}

}  // namespace panoptes
