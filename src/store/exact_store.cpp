// SPDX-License-Identifier: Apache-2.0
#include "store/exact_store.hpp"

namespace panoptes {

ExactStore::ExactStore(std::size_t width, unsigned threads) : words_(threads) {
  if (width > 1) tree_.emplace(width, threads);
}

void ExactStore::insert(SuccessorBatch& batch, const StateBatch& sources) {
  batch.fresh.resize(batch.size());
  if (!tree_) {
    words_.insert(batch.states.words, batch.fresh);
    return;
  }
  static thread_local Buffer<Word> roots;
  tree_->roots(batch, sources, roots);
  words_.insert(roots, batch.fresh);
}

StoreStats ExactStore::stats() const {
  StoreStats stats{words_.size(), words_.bytes(), words_.growth_bytes()};
  if (tree_) {
    stats.bytes += tree_->bytes();
    stats.growth_bytes = std::max(stats.growth_bytes, tree_->growth_bytes());
  }
  return stats;
}

}  // namespace panoptes
