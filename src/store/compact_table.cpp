// SPDX-License-Identifier: Apache-2.0
#include "store/compact_table.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "base/bits.hpp"
#include "base/hash.hpp"

namespace panoptes {
namespace {

__extension__ typedef unsigned __int128 Wide;

// Shorter words are taken for as long: at least a bitmap of a few whole words for every segment.
constexpr unsigned least_bits = 16;
// A segment has room for so many words at first, for each thread.
constexpr std::uint64_t first_entries = 4096;

// Entries of a block, where there are `choice` words that each could be. A large block wastes less:
// its head is shared by more, and the number of its words varies less. In a small one fewer bits
// have to be moved for a new word. So the shorter the entries, the more of them.
std::uint64_t usual_capacity(Word choice) {
  return choice < 16 ? 2048 : choice < 128 ? 1024 : choice < 4096 ? 512 : 256;
}

// Whether the bit was not set before.
bool set_bit(Word* words, Word bit, bool is_shared) {
  const Word mask = Word{1} << bit % 64;
  Word& word = words[bit / 64];
  if (is_shared)
    return (std::atomic_ref<Word>(word).fetch_or(mask, std::memory_order_relaxed) & mask) == 0;
  const bool is_new = (word & mask) == 0;
  word |= mask;
  return is_new;
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
  bool is_full() const { return count() == shape_.capacity; }

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
    insert_entry(index, rest);
    count_one();
  }
  // Behind all others. REQUIRES: a new block, filled in order.
  void append(std::uint32_t list, Word rest) {
    const std::uint32_t index = count();
    const std::uint32_t bit = index + list;
    words_[1 + bit / 64] |= Word{1} << bit % 64;
    put_entry(index, rest);
    count_one();
  }

  // Calls use(list, rest) for every entry, in order.
  template <typename Use>
  void for_each(Use use) const {
    std::uint32_t index = 0;
    for (std::uint32_t at = 0; index < count(); at += 64)
      for (Word ones = words_[1 + at / 64]; ones != 0; ones &= ones - 1, ++index)
        use(at + static_cast<std::uint32_t>(std::countr_zero(ones)) - index, entry(index));
  }

 private:
  static constexpr Word locked = Word{1} << 63;

  Word head() const { return std::atomic_ref<Word>(words_[0]).load(std::memory_order_relaxed); }
  // Others who want the lock meanwhile set a bit that is set already.
  void count_one() {
    std::atomic_ref<Word>(words_[0]).store(head() + 1, std::memory_order_relaxed);
  }

  bool is_entry(std::uint32_t bit) const { return ((words_[1 + bit / 64] >> bit % 64) & 1) != 0; }

  // The number of entries before those of `list`: behind the 0 of the list before, less the zeros.
  std::uint32_t begin_of(std::uint32_t list) const {
    if (list == 0) return 0;
    std::uint32_t zeros = list - 1, at = 0;  // that lie before that 0
    for (;; at += 64) {
      const std::uint32_t here = count_ones(~words_[1 + at / 64]);
      if (here > zeros) break;
      zeros -= here;
    }
    return at + place_of_one(~words_[1 + at / 64], zeros) + 1 - list;
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

BlockShape::BlockShape(Word all_words, std::uint64_t entries) : words(all_words) {
  const std::uint64_t usual = usual_capacity(words / entries);
  blocks = std::max<std::uint64_t>(1, (entries + usual / 2) / usual);
  capacity = static_cast<std::uint32_t>((entries + blocks - 1) / blocks);
  const Word range = (words + blocks - 1) / blocks;
  rest_bits = static_cast<unsigned>(std::bit_width(std::max<Word>(1, range / capacity))) - 1;
  const Word lists_wanted = ((range - 1) >> rest_bits) + 1;
  bitmap_words = (lists_wanted + capacity + 63) / 64;
  size = 1 + bitmap_words + (std::size_t{capacity} * rest_bits + 63) / 64;
  lists = static_cast<std::uint32_t>(lists_wanted);
  is_bitmap = words / 64 <= blocks * size;
  if (!is_bitmap) return;
  blocks = 1;
  capacity = lists = 0;
  rest_bits = static_cast<unsigned>(std::bit_width(words - 1));
  size = bitmap_words = words / 64;
}

// Blocks are not all equally full, the less so the smaller they are. There may be as many words as
// leave a block of mean fullness room for one and a quarter standard deviations more; one to four
// in a thousand then find theirs full.
std::uint64_t BlockShape::limit() const {
  if (is_bitmap) return ~std::uint64_t{0};  // it has room for all
  return static_cast<std::uint64_t>(static_cast<double>(blocks) *
                                    (capacity - 1.25 * std::sqrt(capacity)));
}

// The least word whose product with the number of blocks reaches the block.
Word BlockShape::first_of(std::uint64_t block) const {
  return static_cast<Word>((static_cast<Wide>(block) * words + blocks - 1) / blocks);
}

bool SpareWords::insert(Word word) {
  if (word == 0) return !std::exchange(has_zero_, true);
  if ((count_ + 1) * 4 > places_.size() * 3) {
    const std::vector<Word> old = std::move(places_);
    places_.assign(std::max<std::size_t>(4, old.size() + old.size() / 2), 0);
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
    allocate(segments_[s],
             static_cast<std::uint64_t>(static_cast<double>(first_entries * threads) * factor));
  }
}

// Returns the pages it had. Where there is no memory for others, it throws and nothing has changed.
Pages CompactTable::allocate(Segment& segment, std::uint64_t entries) const {
  const BlockShape shape(Word{1} << (bits_ - segment_bits), entries);
  Pages pages(shape.blocks * shape.size * sizeof(Word));
  segment.entries = entries;
  segment.shape = shape;
  segment.limit = shape.limit();
  return std::exchange(segment.pages, std::move(pages));
}

// Both steps can be undone, so no two words become the same. Three times: after two, the numbers
// of short and similar words in blocks varied up to ten times as much as by chance.
Word CompactTable::mix(Word word) const {
  const unsigned half = (bits_ + 1) / 2;
  word ^= word >> half;
  for (int turn = 0; turn < 3; ++turn) {
    word = (word * 0xd6e8feb86659fd93u) & low_mask(bits_);
    word ^= word >> half;
  }
  return word;
}

// The mixed word times the number of blocks: above its bits is the block. Words of one block are
// apart from each other by just that number, so dividing leaves no gap and no two the same.
CompactTable::Position CompactTable::position(Word mixed) const {
  const unsigned bits = bits_ - segment_bits;
  const auto number = static_cast<std::uint32_t>(mixed >> bits);
  const Segment& segment = segments_[number];
  const BlockShape& shape = segment.shape;
  const Wide product = static_cast<Wide>(mixed & low_mask(bits)) * shape.blocks;
  const Word offset = (static_cast<Word>(product) & low_mask(bits)) / shape.blocks;
  return {number, static_cast<std::uint32_t>(offset >> shape.rest_bits),
          static_cast<std::uint64_t>(product >> bits), offset & low_mask(shape.rest_bits)};
}

// The head of its block, and where its entry is likely to be. Inlined: a call of a function that
// does nothing but this is left out by the compiler.
[[gnu::always_inline]] inline void CompactTable::fetch(const Position& at) const {
  const Segment& segment = segments_[at.segment];
  const BlockShape& shape = segment.shape;
  const Word* block = segment.block(at.block);
  if (shape.is_bitmap) {
    __builtin_prefetch(block + at.rest / 64, 1);
    return;
  }
  const std::size_t head = 1 + shape.bitmap_words;
  // As if lists were equally long; a line before and behind.
  const std::size_t index = std::size_t{at.list} * shape.capacity / shape.lists / 10 * 9;
  const Word* entry = block + head + index * shape.rest_bits / 64;
  for (std::size_t word = 0; word < head; word += 8) __builtin_prefetch(block + word, 1);
  __builtin_prefetch(block + head - 1, 1);
  __builtin_prefetch(entry - 4, 1);
  __builtin_prefetch(entry + 4, 1);
}

bool CompactTable::insert_at(const Position& at, Word mixed) {
  Segment& segment = segments_[at.segment];
  Word* words = segment.block(at.block);
  if (segment.shape.is_bitmap) return set_bit(words, at.rest, threads_ > 1);
  Block block(words, segment.shape);
  if (threads_ > 1) block.lock();
  const Block::Slot slot = block.find(at.list, at.rest);
  bool is_new = !slot.is_there;
  if (is_new && !block.is_full()) {
    block.add(at.list, slot.index, at.rest);
  } else if (is_new) {
    const std::lock_guard lock(segment.guard);
    is_new = segment.spare.insert(mixed & low_mask(bits_ - segment_bits));
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
  for (Segment& segment : segments_)
    if (segment.used.load(std::memory_order_relaxed) >= segment.limit) grow(segment);
}

// Puts words into new blocks, in order.
class CompactTable::Filler {
 public:
  explicit Filler(Segment& segment) : segment_(segment), end_(segment.shape.first_of(1)) {}

  void put(Word word) {
    const BlockShape& shape = segment_.shape;
    while (word >= end_) {
      begin_ = end_;
      end_ = shape.first_of(++block_ + 1);
    }
    const Word offset = word - begin_;
    if (shape.is_bitmap) {
      set_bit(segment_.pages.words(), offset, false);
      return;
    }
    Block block(segment_.block(block_), shape);
    if (block.is_full())
      segment_.spare.insert(word);
    else
      block.append(static_cast<std::uint32_t>(offset >> shape.rest_bits),
                   offset & low_mask(shape.rest_bits));
  }

 private:
  Segment& segment_;
  std::uint64_t block_ = 0;
  Word begin_ = 0, end_;  // of the words of the block
};

// The words of all blocks in order, and between them those that were kept apart, go into the new
// blocks in order.
void CompactTable::grow(Segment& segment) {
  const BlockShape shape = segment.shape;
  const Pages pages = allocate(segment, segment.entries + segment.entries / 16);
  const std::vector<Word> apart = segment.spare.take_sorted();
  Filler filler(segment);
  auto next_apart = apart.begin();
  const auto put_apart_up_to = [&](Word limit) {
    for (; next_apart != apart.end() && *next_apart < limit; ++next_apart) filler.put(*next_apart);
  };
  for (std::uint64_t i = 0; i < shape.blocks; ++i) {
    const Word first = shape.first_of(i);
    const Block block(pages.words() + i * shape.size, shape);
    block.for_each([&](std::uint32_t list, Word rest) {
      const Word word = first + ((Word{list} << shape.rest_bits) | rest);
      put_apart_up_to(word);
      filler.put(word);
    });
  }
  put_apart_up_to(shape.words);
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
  for (const Segment& segment : segments_)
    if (!segment.shape.is_bitmap) largest = std::max(largest, segment.pages.bytes());
  return largest / 16 * 17;
}

}  // namespace panoptes
