// SPDX-License-Identifier: Apache-2.0
// Fingerprints: of every state its hash, and nothing else.
//
// Idea: a state of many words becomes one word, a member of a WordTable. There are no nodes to look
// up, so this is faster than the exact store, and takes less where words hardly repeat.
// Cost: 10.7 to 21.4 bytes a state, whatever its width. A state of one word gains nothing: it is
// kept as it is.
// How it can be wrong: it takes a new state for an old one with the same
// fingerprint, and never the reverse. Of N = 2^bits fingerprints n are taken, so each state that is
// found new stands for n / (N - n) that were not: n^2 / 2N in all while n is small. With 64 bits
// that stays below 0.01 up to 600 million states. States of one word are never mistaken.
//
// Thread safety: insert(), promise() and stats() may be called concurrently.
#pragma once

#include <cstdint>

#include "store/state_store.hpp"
#include "store/word_table.hpp"

namespace panoptes {

struct HashStoreOptions {
  unsigned fingerprint_bits = 64;  // 16 to 64
  std::uint64_t seed = 0;          // another one: other fingerprints
  unsigned threads = 1;            // how many may insert at once
};

class HashStore final : public StateStore {
 public:
  static constexpr unsigned least_fingerprint_bits = 16, most_fingerprint_bits = 64;

  HashStore(std::size_t width, const HashStoreOptions& options);

  void insert(SuccessorBatch& batch, const StateBatch& sources) override;
  bool must_grow_for(double growth) const override { return fingerprints_.must_grow_for(growth); }
  void grow_for(double growth) override { fingerprints_.grow_for(growth); }
  StorePromise promise() const override;
  StoreStats stats() const override;

 private:
  static constexpr std::size_t block_states = 512;

  std::size_t width_;
  unsigned fingerprint_bits_;
  std::uint64_t seed_;
  WordTable fingerprints_;
};

}  // namespace panoptes
