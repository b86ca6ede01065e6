// SPDX-License-Identifier: Apache-2.0
#include "store/node_table.hpp"

#include <new>

#include "base/hash.hpp"

namespace panoptes {
namespace {

constexpr std::uint32_t number_of_zero = 1;
constexpr std::uint32_t first_number = 2;

}  // namespace

NodeTable::NodeTable()
    : size_(1024),
      words_(std::make_unique<Word[]>(size_)),
      numbers_(std::make_unique<std::uint32_t[]>(size_)) {}

std::uint32_t NodeTable::number(Word word) {
  if (word == 0) return number_of_zero;
  const std::uint64_t mask = size_ - 1;
  std::uint64_t at = hash_word(word) & mask;
  for (std::uint64_t probes = 0; probes < size_; ++probes, at = (at + 1) & mask) {
    std::atomic_ref<Word> place(words_[at]);
    std::atomic_ref<std::uint32_t> number(numbers_[at]);
    Word found = place.load(std::memory_order_acquire);
    if (found == 0 && place.compare_exchange_strong(found, word, std::memory_order_acq_rel)) {
      const auto fresh =
          static_cast<std::uint32_t>(first_number + used_.fetch_add(1, std::memory_order_relaxed));
      number.store(fresh, std::memory_order_release);
      return fresh;
    }
    if (found != word) continue;
    // Another thread may have claimed the place and not yet written the number.
    std::uint32_t known = number.load(std::memory_order_acquire);
    while (known == 0) known = number.load(std::memory_order_acquire);
    return known;
  }
  throw std::bad_alloc();  // full, in spite of reserve()
}

bool NodeTable::has_room(std::uint64_t more) const {
  const std::uint64_t used = used_.load(std::memory_order_relaxed) + more;
  return used * 4 <= size_ * 3 && used <= UINT32_MAX - first_number;
}

void NodeTable::reserve(std::uint64_t more) {
  if (used_.load(std::memory_order_relaxed) + more > UINT32_MAX - first_number)
    throw std::bad_alloc();
  std::uint64_t size = size_;
  while ((used_.load(std::memory_order_relaxed) + more) * 4 > size * 3) size *= 2;
  if (size == size_) return;
  auto words = std::make_unique<Word[]>(size);
  auto numbers = std::make_unique<std::uint32_t[]>(size);
  for (std::uint64_t i = 0; i < size_; ++i) {
    if (words_[i] == 0) continue;
    std::uint64_t at = hash_word(words_[i]) & (size - 1);
    while (words[at] != 0) at = (at + 1) & (size - 1);
    words[at] = words_[i];
    numbers[at] = numbers_[i];
  }
  words_ = std::move(words);
  numbers_ = std::move(numbers);
  size_ = size;
}

}  // namespace panoptes
