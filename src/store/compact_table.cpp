// SPDX-License-Identifier: Apache-2.0
#include "store/compact_table.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "base/hash.hpp"

namespace panoptes {
namespace {

__extension__ typedef unsigned __int128 Wide;

constexpr std::uint32_t capacity = 256;  // entries of a block
constexpr unsigned least_bits = 24;      // of a word; shorter ones are taken for as long

constexpr Word low_mask(unsigned bits) { return bits >= 64 ? ~Word{0} : (Word{1} << bits) - 1; }

// (std::popcount calls a function on processors that may lack the instruction.)
std::uint32_t count_ones(Word word) {
  word -= (word >> 1) & 0x5555555555555555u;
  word = (word & 0x3333333333333333u) + ((word >> 2) & 0x3333333333333333u);
  word = (word + (word >> 4)) & 0x0f0f0f0f0f0f0f0fu;
  return static_cast<std::uint32_t>((word * 0x0101010101010101u) >> 56);
}

// One block, as it lies in memory: a word with the number of entries and a lock; the bits that
// part the lists, for each list a 1 for each of its entries and then a 0; the entries.
class Block {
 public:
  Block(Word* words, const BlockShape& shape) : words_(words), shape_(shape) {}

  void lock() {
    std::atomic_ref<Word> head(words_[0]);
    while ((head.fetch_or(locked, std::memory_order_acquire) & locked) != 0)
      while ((head.load(std::memory_order_relaxed) & locked) != 0) {
      }
  }
  void unlock() { std::atomic_ref<Word>(words_[0]).fetch_and(~locked, std::memory_order_release); }

  std::uint32_t count() const { return static_cast<std::uint32_t>(head() & ~locked); }
  bool is_full() const { return count() == capacity; }

  // Where an entry is, or would have to be put.
  struct Slot {
    std::uint32_t index;
    bool is_there;
  };
  Slot find(std::uint32_t list, Word rest) const {
    std::uint32_t at = begin_of(list);
    for (; is_entry(at + list); ++at) {
      const Word found = entry(at);
      if (found >= rest) return {at, found == rest};
    }
    return {at, false};
  }

  // REQUIRES: not full; `index` as find() gave it for the same entry.
  void add(std::uint32_t list, std::uint32_t index, Word rest) {
    insert_bit(index + list);
    if (shape_.rest_bits > 0) insert_entry(index, rest);
    count_one();
  }
  // Behind all others. REQUIRES: a new block, filled in order.
  void append(std::uint32_t list, Word rest) {
    const std::uint32_t index = count();
    const std::uint32_t bit = index + list;
    words_[1 + bit / 64] |= Word{1} << bit % 64;
    if (shape_.rest_bits > 0) put_entry(index, rest);
    count_one();
  }

  // Calls use(list, rest) for every entry, in order.
  template <typename Use>
  void for_each(Use use) const {
    std::uint32_t list = 0;
    for (std::uint32_t index = 0; index < count(); ++index) {
      while (!is_entry(index + list)) ++list;
      use(list, entry(index));
    }
  }

 private:
  static constexpr Word locked = Word{1} << 63;

  Word head() const { return std::atomic_ref<Word>(words_[0]).load(std::memory_order_relaxed); }
  // Others who want the lock meanwhile set a bit that is set already.
  void count_one() {
    std::atomic_ref<Word>(words_[0]).store(head() + 1, std::memory_order_relaxed);
  }

  bool is_entry(std::uint32_t bit) const {
    return bit < shape_.bitmap_words * 64 && ((words_[1 + bit / 64] >> bit % 64) & 1) != 0;
  }

  // The number of entries before those of `list`: behind the 0 of the list before, less the zeros.
  std::uint32_t begin_of(std::uint32_t list) const {
    if (list == 0) return 0;
    std::uint32_t zeros = list, at = 0;  // the zeros that must lie before
    for (;; at += 64) {
      const std::uint32_t here = count_ones(~words_[1 + at / 64]);
      if (here >= zeros) break;
      zeros -= here;
    }
    // Halve the word until the place of the last of those zeros is known.
    Word word = ~words_[1 + at / 64];
    for (unsigned half = 32; half > 0; half /= 2) {
      const std::uint32_t here = count_ones(word & low_mask(half));
      if (here >= zeros) continue;
      zeros -= here;
      at += half;
      word >>= half;
    }
    return at + 1 - list;
  }

  void insert_bit(std::uint32_t bit) {
    Word* bitmap = words_ + 1;
    for (std::size_t w = shape_.bitmap_words - 1; w > bit / 64; --w)
      bitmap[w] = (bitmap[w] << 1) | (bitmap[w - 1] >> 63);
    Word& word = bitmap[bit / 64];
    const Word below = word & low_mask(bit % 64);
    word = below | (Word{1} << bit % 64) | ((word & ~low_mask(bit % 64)) << 1);
  }

  Word entry(std::uint32_t index) const {
    const std::uint64_t bit = std::uint64_t{index} * shape_.rest_bits;
    const Word* at = words_ + 1 + shape_.bitmap_words + bit / 64;
    const unsigned offset = bit % 64;
    Word value = at[0] >> offset;
    if (offset + shape_.rest_bits > 64) value |= at[1] << (64 - offset);
    return value & low_mask(shape_.rest_bits);
  }
  void put_entry(std::uint32_t index, Word rest) {
    const std::uint64_t bit = std::uint64_t{index} * shape_.rest_bits;
    Word* at = words_ + 1 + shape_.bitmap_words + bit / 64;
    const unsigned offset = bit % 64;
    const Word mask = low_mask(shape_.rest_bits);
    at[0] = (at[0] & ~(mask << offset)) | (rest << offset);
    if (offset + shape_.rest_bits > 64)
      at[1] = (at[1] & ~(mask >> (64 - offset))) | (rest >> (64 - offset));
  }
  // All entries from `index` on move up by one.
  void insert_entry(std::uint32_t index, Word rest) {
    Word* entries = words_ + 1 + shape_.bitmap_words;
    const std::uint64_t begin = std::uint64_t{index} * shape_.rest_bits;
    const std::uint64_t end =
        std::uint64_t{count()} * shape_.rest_bits + shape_.rest_bits;  // afterwards
    const std::size_t first = begin / 64, last = (end - 1) / 64;
    const unsigned up = shape_.rest_bits, down = 64 - shape_.rest_bits;
    const Word kept = entries[first] & low_mask(begin % 64);
    for (std::size_t w = last; w > first; --w)
      entries[w] = (entries[w] << up) | (entries[w - 1] >> down);
    entries[first] = (entries[first] << up & ~low_mask(begin % 64)) | kept;
    // What came up from below `begin` in the first two words is overwritten here.
    put_entry(index, rest);
  }

  Word* words_;
  const BlockShape& shape_;
};

}  // namespace

BlockShape::BlockShape(Word range)
    : rest_bits(std::max(static_cast<unsigned>(std::bit_width(range - 1)), 8u) - 8),
      lists(static_cast<std::uint32_t>(((range - 1) >> rest_bits) + 1)),
      bitmap_words((lists + capacity + 63) / 64),
      size(1 + bitmap_words + (capacity * rest_bits + 63) / 64) {}

bool SpareWords::insert(Word word) {
  if (word == 0) return !std::exchange(has_zero_, true);
  if ((count_ + 1) * 4 > places_.size() * 3) {
    const std::vector<Word> old = std::move(places_);
    places_.assign(std::max<std::size_t>(16, old.size() + old.size() / 2), 0);
    count_ = 0;
    for (const Word moved : old)
      if (moved != 0) insert(moved);
  }
  for (std::size_t at = place_of(hash_word(word), places_.size());;
       at = at + 1 == places_.size() ? 0 : at + 1) {
    if (places_[at] == word) return false;
    if (places_[at] != 0) continue;
    places_[at] = word;
    ++count_;
    return true;
  }
}

std::vector<Word> SpareWords::take_sorted() {
  std::vector<Word> words = std::exchange(places_, {});
  std::erase(words, Word{0});
  if (std::exchange(has_zero_, false)) words.push_back(0);
  std::sort(words.begin(), words.end());
  count_ = 0;
  return words;
}

CompactTable::CompactTable(unsigned bits, unsigned threads)
    : bits_(std::max(bits, least_bits)), threads_(threads) {
  // Sizes apart from each other, so that segments do not all grow at the same time.
  for (std::size_t s = 0; s < segment_count; ++s) {
    const double factor = std::pow(17.0 / 16, static_cast<double>(s) / segment_count);
    allocate(segments_[s], static_cast<std::uint64_t>(std::llround(16 * threads * factor)));
  }
}

void CompactTable::allocate(Segment& segment, std::uint64_t blocks) const {
  const Wide words = Wide{1} << (bits_ - segment_bits);
  segment.blocks = blocks;
  segment.shape = BlockShape(static_cast<Word>((words + blocks - 1) / blocks));
  segment.limit = blocks * capacity / 100 * 93;
  segment.pages = Pages(blocks * segment.shape.size * sizeof(Word));
}

// Both steps can be undone, so no two words become the same.
Word CompactTable::mix(Word word) const {
  const Word mask = low_mask(bits_);
  const unsigned half = (bits_ + 1) / 2;
  word ^= word >> half;
  word = (word * 0xd6e8feb86659fd93u) & mask;
  word ^= word >> half;
  word = (word * 0xd6e8feb86659fd93u) & mask;
  word ^= word >> half;
  return word;
}

// The mixed word times the number of blocks: above its bits is the block. Words of one block are
// apart from each other by just that number, so dividing leaves no gap and no two the same.
CompactTable::Position CompactTable::position(Word mixed) const {
  const unsigned bits = bits_ - segment_bits;
  const auto number = static_cast<std::uint32_t>(mixed >> bits);
  const Segment& segment = segments_[number];
  const Wide product = static_cast<Wide>(mixed & low_mask(bits)) * segment.blocks;
  const Word offset = (static_cast<Word>(product) & low_mask(bits)) / segment.blocks;
  return {number, static_cast<std::uint32_t>(offset >> segment.shape.rest_bits),
          static_cast<std::uint64_t>(product >> bits), offset & low_mask(segment.shape.rest_bits)};
}

// The head of its block, and where its entry is likely to be. Inlined: a call of a function that
// does nothing but this is left out by the compiler.
[[gnu::always_inline]] inline void CompactTable::fetch(const Position& at) const {
  const Segment& segment = segments_[at.segment];
  const BlockShape& shape = segment.shape;
  const Word* block = segment.block(at.block);
  const std::size_t head = 1 + shape.bitmap_words;
  // As if lists were equally long; a line before and behind.
  const std::size_t index = at.list * (capacity / 10 * 9) / shape.lists;
  const Word* entry = block + head + index * shape.rest_bits / 64;
  __builtin_prefetch(block, 1);
  __builtin_prefetch(block + head - 1, 1);
  __builtin_prefetch(entry - 4, 1);
  __builtin_prefetch(entry + 4, 1);
}

bool CompactTable::insert_at(const Position& at, Word mixed) {
  Segment& segment = segments_[at.segment];
  Block block(segment.block(at.block), segment.shape);
  if (threads_ > 1) block.lock();
  const Block::Slot slot = block.find(at.list, at.rest);
  bool is_new = !slot.is_there;
  if (is_new && !block.is_full()) {
    block.add(at.list, slot.index, at.rest);
  } else if (is_new) {
    const std::lock_guard lock(segment.guard);
    is_new = segment.spare.insert(mixed);
    segment.spare_bytes.store(segment.spare.bytes(), std::memory_order_relaxed);
  }
  if (threads_ > 1) block.unlock();
  return is_new;
}

void CompactTable::insert(std::span<const Word> words, std::span<std::uint8_t> fresh) {
  struct Wanted {
    Word mixed;
    Position at;
  };
  std::array<Wanted, 2 * block_words> wanted;
  const auto prefetch = [&](std::size_t begin) {
    const std::size_t end = std::min(begin + block_words, words.size());
    for (std::size_t i = begin; i < end; ++i) {
      const Word mixed = mix(words[i]);
      const Position at = position(mixed);
      wanted[i % wanted.size()] = {mixed, at};
      fetch(at);
    }
  };
  std::shared_lock inserting(growing_);
  prefetch(0);
  for (std::size_t begin = 0; begin < words.size(); begin += block_words) {
    if (is_crowded_.load(std::memory_order_relaxed)) {
      inserting.unlock();
      grow();
      inserting.lock();
      prefetch(begin);
    }
    prefetch(begin + block_words);
    const std::size_t end = std::min(begin + block_words, words.size());
    for (std::size_t i = begin; i < end; ++i) {
      const Wanted& word = wanted[i % wanted.size()];
      const bool is_new = insert_at(word.at, word.mixed);
      fresh[i] = is_new;
      if (!is_new) continue;
      Segment& segment = segments_[word.at.segment];
      if (segment.used.fetch_add(1, std::memory_order_relaxed) >= segment.limit)
        is_crowded_.store(true, std::memory_order_relaxed);
    }
  }
}

void CompactTable::grow() {
  const std::unique_lock alone(growing_);
  is_crowded_.store(false, std::memory_order_relaxed);
  for (std::uint32_t number = 0; number < segment_count; ++number)
    if (segments_[number].used.load(std::memory_order_relaxed) >= segments_[number].limit)
      grow(number);
}

// The mixed words of all blocks in order, and between them those that were kept apart, go into the
// new blocks in order.
void CompactTable::grow(std::uint32_t number) {
  Segment& segment = segments_[number];
  const unsigned bits = bits_ - segment_bits;
  const std::uint64_t old_blocks = segment.blocks;
  const BlockShape old_shape = segment.shape;
  const Pages old_pages = std::move(segment.pages);
  const std::vector<Word> apart = segment.spare.take_sorted();
  auto next_apart = [&, at = apart.begin()](Word limit, auto put) mutable {
    for (; at != apart.end() && *at < limit; ++at) put(*at);
  };
  // Few blocks cost little, and would grow too often.
  allocate(segment, old_blocks + old_blocks / (old_blocks < 256 ? 4 : 16));
  const auto put = [&](Word mixed) {
    const Position to = position(mixed);
    Block block(segment.block(to.block), segment.shape);
    if (block.is_full())
      segment.spare.insert(mixed);
    else
      block.append(to.list, to.rest);
  };
  const Word segment_begin = Word{number} << bits;
  for (std::uint64_t i = 0; i < old_blocks; ++i) {
    // The first word of the block: the least whose product with the number of blocks reaches it.
    const Wide first = ((static_cast<Wide>(i) << bits) + old_blocks - 1) / old_blocks;
    const Block block(old_pages.words() + i * old_shape.size, old_shape);
    block.for_each([&](std::uint32_t list, Word rest) {
      const Word mixed =
          segment_begin + static_cast<Word>(first) + ((Word{list} << old_shape.rest_bits) | rest);
      next_apart(mixed, put);
      put(mixed);
    });
  }
  next_apart(~Word{0}, put);
  if (!apart.empty() && apart.back() == ~Word{0}) put(~Word{0});
  segment.spare_bytes.store(segment.spare.bytes(), std::memory_order_relaxed);
}

std::uint64_t CompactTable::size() const {
  std::uint64_t total = 0;
  for (const Segment& segment : segments_) total += segment.used.load(std::memory_order_relaxed);
  return total;
}

std::uint64_t CompactTable::bytes() const {
  const std::shared_lock looking(growing_);
  std::uint64_t total = 0;
  for (const Segment& segment : segments_)
    total += segment.pages.bytes() + segment.spare_bytes.load(std::memory_order_relaxed);
  return total;
}

std::uint64_t CompactTable::growth_bytes() const {
  const std::shared_lock looking(growing_);
  std::uint64_t largest = 0;
  for (const Segment& segment : segments_) largest = std::max(largest, segment.pages.bytes());
  return largest / 16 * 17;
}

}  // namespace panoptes
