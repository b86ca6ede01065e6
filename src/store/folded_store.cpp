// SPDX-License-Identifier: Apache-2.0
#include "store/folded_store.hpp"

namespace panoptes {

void FoldedStore::fold(Buffer<Word>& words) const {
  for (std::size_t i = 0; i < words.size(); ++i) words[i] &= ~ignored_[i % ignored_.size()];
}

void FoldedStore::insert(SuccessorBatch& batch, const StateBatch& sources) {
  const Buffer<Word> whole = batch.states.words;
  StateBatch folded_sources = sources;
  fold(batch.states.words);
  fold(folded_sources.words);
  store_.insert(batch, folded_sources);
  batch.states.words = whole;
}

}  // namespace panoptes
