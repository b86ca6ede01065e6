// SPDX-License-Identifier: Apache-2.0
#include "store/word_table.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <vector>

#include "base/hash.hpp"

namespace panoptes {
namespace {

__extension__ typedef unsigned __int128 Wide;

// The hash as a fraction of `size`: every size is possible, and places keep the order of hashes, so
// that growing reads and writes memory in order.
std::uint64_t scale(std::uint64_t hash, std::uint64_t size) {
  return static_cast<std::uint64_t>((static_cast<Wide>(hash) * size) >> 64);
}

constexpr std::size_t huge_page = std::size_t{2} << 20;

// Of a segment that is full: twice as large while it is small, then a quarter larger, in huge
// pages.
std::uint64_t grown_size(std::uint64_t size) {
  constexpr std::uint64_t page = huge_page / sizeof(Word);
  return size < page ? size * 2 : (size / 4 * 5 + page - 1) / page * page;
}

std::atomic_ref<Word> shared(Word& place) { return std::atomic_ref<Word>(place); }

}  // namespace

WordTable::WordTable(unsigned threads) : threads_(threads) {
  // Words that are in but not yet counted must not fill a segment: its last 15 % are for them.
  const std::uint64_t smallest =
      std::max<std::uint64_t>(512, std::uint64_t{threads - 1} * blocks_per_count * block_words * 2);
  for (Segment& segment : segments_) allocate(segment, smallest);
}

WordTable::~WordTable() {
  for (Segment& segment : segments_) release(segment);
}

void WordTable::allocate(Segment& segment, std::uint64_t size) {
  std::size_t bytes = size * sizeof(Word);
  const bool is_huge = bytes >= huge_page;
  if (is_huge) bytes = (bytes + huge_page - 1) / huge_page * huge_page;
  const std::size_t asked = is_huge ? bytes + huge_page : bytes;
  void* memory = mmap(nullptr, asked, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  if (is_huge) {
    // Huge pages begin at multiples of their size: what is before and behind goes back.
    auto* begin = static_cast<std::byte*>(memory);
    const std::size_t before =
        (huge_page - reinterpret_cast<std::uintptr_t>(begin) % huge_page) % huge_page;
    if (before > 0) munmap(begin, before);
    if (before < huge_page) munmap(begin + before + bytes, huge_page - before);
    memory = begin + before;
    madvise(memory, bytes, MADV_HUGEPAGE);
  }
  segment.places = static_cast<Word*>(memory);
  segment.size = bytes / sizeof(Word);
  segment.limit = segment.size / 20 * 17;
}

void WordTable::release(Segment& segment) {
  if (segment.places) munmap(segment.places, segment.size * sizeof(Word));
}

WordTable::Position WordTable::position(Word word) const {
  const std::uint64_t hash = hash_word(word);
  const auto segment = static_cast<std::uint32_t>(hash >> (64 - segment_bits));
  return {segment, scale(hash << segment_bits, segments_[segment].size)};
}

bool WordTable::insert_at(Segment& segment, std::uint64_t place, Word word) {
  for (std::uint64_t at = place;; at = at + 1 == segment.size ? 0 : at + 1) {
    Word found = shared(segment.places[at]).load(std::memory_order_relaxed);
    if (found == word) return false;
    if (found != 0) continue;
    if (shared(segment.places[at]).compare_exchange_strong(found, word, std::memory_order_relaxed))
      return true;
    if (found == word) return false;
  }
}

void WordTable::note(Counts& fresh) {
  for (std::size_t s = 0; s < segment_count; ++s) {
    if (fresh[s] == 0) continue;
    const std::uint64_t used =
        segments_[s].used.fetch_add(fresh[s], std::memory_order_relaxed) + fresh[s];
    fresh[s] = 0;
    if (used >= segments_[s].limit) is_crowded_.store(true, std::memory_order_relaxed);
  }
}

void WordTable::insert(std::span<const Word> words, std::span<std::uint8_t> fresh) {
  // While one block is looked up, the places of the next are on their way from memory.
  std::array<Position, 2 * block_words> positions;
  const auto prefetch = [&](std::size_t begin) {
    const std::size_t end = std::min(begin + block_words, words.size());
    for (std::size_t i = begin; i < end; ++i) {
      const Position at = position(words[i]);
      positions[i % positions.size()] = at;
      __builtin_prefetch(segments_[at.segment].places + at.place, 1);
    }
  };
  Counts counts{};
  std::size_t blocks = 0;
  std::shared_lock inserting(growing_);
  prefetch(0);
  for (std::size_t begin = 0; begin < words.size(); begin += block_words) {
    if (threads_ == 1 || ++blocks % blocks_per_count == 0) note(counts);
    if (is_crowded_.load(std::memory_order_relaxed)) {
      note(counts);
      inserting.unlock();
      grow();
      inserting.lock();
      prefetch(begin);
    }
    prefetch(begin + block_words);
    const std::size_t end = std::min(begin + block_words, words.size());
    for (std::size_t i = begin; i < end; ++i) {
      const Position at = positions[i % positions.size()];
      const bool is_new = words[i] == 0 ? !has_zero_.exchange(true)
                                        : insert_at(segments_[at.segment], at.place, words[i]);
      fresh[i] = is_new;
      counts[at.segment] += is_new && words[i] != 0;
    }
  }
  note(counts);
}

void WordTable::grow() {
  const std::unique_lock alone(growing_);
  is_crowded_.store(false, std::memory_order_relaxed);
  for (Segment& segment : segments_)
    if (segment.used.load(std::memory_order_relaxed) >= segment.limit) grow(segment);
}

void WordTable::grow(Segment& segment) {
  Segment larger;
  allocate(larger, grown_size(segment.size));
  const auto move = [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t i = begin; i < end; ++i)
      if (const Word word = segment.places[i]; word != 0)
        insert_at(larger, scale(hash_word(word) << segment_bits, larger.size), word);
  };
  if (threads_ > 1 && segment.size >= huge_page / sizeof(Word)) {
    std::vector<std::jthread> movers;
    for (unsigned t = 0; t < threads_; ++t) {
      const std::uint64_t begin = segment.size * t / threads_;
      const std::uint64_t end = segment.size * (t + 1) / threads_;
      try {
        movers.emplace_back(move, begin, end);
      } catch (const std::system_error&) {
        move(begin, end);  // the machine gives no more threads
      }
    }
  } else {
    move(0, segment.size);
  }
  release(segment);
  segment.places = larger.places;
  segment.size = larger.size;
  segment.limit = larger.limit;
}

std::uint64_t WordTable::size() const {
  std::uint64_t total = has_zero_.load(std::memory_order_relaxed);
  for (const Segment& segment : segments_) total += segment.used.load(std::memory_order_relaxed);
  return total;
}

std::uint64_t WordTable::growth_bytes() const {
  // Words spread evenly, so segments fill up together: those that are nearly full count as grown.
  const std::shared_lock looking(growing_);
  std::uint64_t largest = 0, soon = 0;
  for (const Segment& segment : segments_) {
    const std::uint64_t growth = grown_size(segment.size) - segment.size;
    if (segment.used.load(std::memory_order_relaxed) >= segment.limit / 8 * 7) soon += growth;
    largest = std::max(largest, segment.size);
  }
  return (largest + soon) * sizeof(Word);
}

std::uint64_t WordTable::bytes() const {
  const std::shared_lock looking(growing_);
  std::uint64_t total = 0;
  for (const Segment& segment : segments_) total += segment.size * sizeof(Word);
  return total;
}

}  // namespace panoptes
