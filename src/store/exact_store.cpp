// SPDX-License-Identifier: Apache-2.0
#include "store/exact_store.hpp"

#include <algorithm>

namespace panoptes {

namespace {

// In an arena of fewer bytes, a huge page is too much to have too early.
constexpr std::uint64_t few_huge_page_bytes = std::uint64_t{64} << 20;

}  // namespace

ExactStore::ExactStore(std::size_t width, unsigned threads, MemoryBudget* budget)
    : threads_(threads), budget_(budget), words_(threads, budget) {
  if (width > 1) tree_.emplace(width, threads, budget);
}

void ExactStore::insert(SuccessorBatch& batch, const StateBatch& sources) {
  batch.fresh.resize(batch.size());
  if (!tree_) {
    insert_words(batch.states.words, batch.fresh);
    return;
  }
  static thread_local Buffer<Word> roots;
  tree_->roots(batch, sources, roots);
  insert_words(roots, batch.fresh);
}

void ExactStore::insert_words(std::span<const Word> words, std::span<std::uint8_t> fresh) {
  if (BitStore* bits = bits_.load(std::memory_order_acquire)) {
    bits->insert_states(words, fresh);
    return;
  }
  if (words_.insert(words, fresh)) return;
  BitStore& bits = carry_on_with_bits();
  std::vector<Word> refused;
  for (std::size_t i = 0; i < words.size(); ++i)
    if (fresh[i] == WordTable::refused) refused.push_back(words[i]);
  std::vector<std::uint8_t> answers(refused.size());
  bits.insert_states(refused, answers);
  auto answer = answers.begin();
  for (std::uint8_t& is_fresh : fresh)
    if (is_fresh == WordTable::refused) is_fresh = *answer++;
}

// Words leave their table in the order of their hashes, which is that of their places in the bits:
// as the one shrinks, the other takes up memory.
BitStore& ExactStore::carry_on_with_bits() {
  const std::lock_guard lock(switching_);
  if (own_bits_) return *own_bits_;
  BitStoreOptions options;
  // Not more than half: states that wait and the way back take about as much.
  options.bytes = std::clamp<std::uint64_t>(budget_->left_for_store() + words_.bytes(), 1 << 16,
                                            budget_->limit() / 2 + (1 << 16));
  options.threads = threads_;
  options.fills_in_order = options.bytes < few_huge_page_bytes;
  budget_->take_anyway(options.bytes);
  auto bits = std::make_unique<BitStore>(1, options);
  std::vector<std::uint8_t> fresh;
  const auto move = [&](std::span<const Word> words) {
    fresh.resize(words.size());
    bits->insert_states(words, fresh);
  };
  words_.drain(move);
  if (words_.has_zero()) move(std::array<Word, 1>{0});
  known_bits_ = bits->stats().states;
  known_omissions_ = bits->promise().expected_omissions;
  own_bits_ = std::move(bits);
  bits_.store(own_bits_.get(), std::memory_order_release);
  return *own_bits_;
}

StorePromise ExactStore::promise() const {
  StorePromise promise;
  if (tree_ && tree_->is_closed()) {
    // Hashes of 64 bits, as if all states were kept so.
    const auto states = static_cast<double>(stats().states);
    promise.may_omit = true;
    promise.expected_omissions = states * states / 0x1p65;
    promise.kept = Kept::hashes;
  }
  if (const BitStore* bits = bits_.load(std::memory_order_acquire)) {
    promise.may_omit = true;
    promise.expected_omissions +=
        std::max(0.0, bits->promise().expected_omissions - known_omissions_);
    promise.kept = Kept::bits;
  }
  promise.may_omit = promise.may_omit || before_.may_omit;
  promise.expected_omissions += before_.expected_omissions;
  promise.kept = std::max(promise.kept, before_.kept);
  return promise;
}

void ExactStore::save(RecordWriter& record) const {
  const StorePromise now = promise();
  record.number(stats().states);
  record.number(now.may_omit);
  record.number(now.kept);
  record.real(now.expected_omissions);
}

// What it thinks to have missed of states that it has been given again, it has not: they wait, or
// were expanded.
void ExactStore::restore(RecordReader& record) {
  states_before_ = record.number() - stats().states;
  StorePromise before;
  before.may_omit = record.number<bool>();
  before.kept = static_cast<Kept>(std::min<std::uint64_t>(record.number(), 2));
  before.expected_omissions = record.real();
  if (own_bits_) {
    own_bits_->forget_omissions();
    known_omissions_ = 0.0;
  }
  before.expected_omissions =
      std::max(0.0, before.expected_omissions - promise().expected_omissions);
  before_ = before;
}

StoreStats ExactStore::stats() const {
  StoreStats stats{words_.size() + states_before_, words_.bytes(), words_.growth_bytes()};
  if (const BitStore* bits = bits_.load(std::memory_order_acquire)) {
    stats.states += bits->stats().states - known_bits_;
    stats.bytes += bits->stats().bytes;
  }
  if (tree_) {
    stats.bytes += tree_->bytes();
    stats.growth_bytes = std::max(stats.growth_bytes, tree_->growth_bytes());
  }
  return stats;
}

}  // namespace panoptes
