// SPDX-License-Identifier: Apache-2.0
// A table of 64-bit words, line by line, that many threads fill at once: what a WordTable and a
// NodeTable have in common.
//
// Idea: a word lives in the cache line its hash points to, or, where that is full, in the first
// line behind that has room; a whole line is compared without a branch. A word is claimed by one
// compare-and-swap, so nothing half-written is ever visible. A line is chosen from the hash by
// multiplication, so that a table can have any size, and lines keep the order of hashes: a table
// that is 3/4 full is stretched where it is, from its end to its beginning, and never needs room
// for itself beside itself. It doubles, or grows by a half or a quarter where the budget has no
// room for more; `tight`, always by a quarter. The top bits of the hash choose one of as many
// segments as there are threads, each of which stretches one. A word's line is prefetched while
// others are looked up. How full a segment is, is counted once for many words: a counter that all
// cores write to is slow.
//
// Cost: at a load of 0.37 to 0.75. (Up to 0.875 was tried: less memory, but then so many lines are
// full, and the next one has not been prefetched, that searches are much slower.)
//
// How it can be wrong: not at all.
//
// A Line has `places`, the number of `words` in it, and copy(place, other, other_place), which
// copies what belongs to a word. All its bytes are 0 at first.
//
// Invariants: 0 is a vacant place, and the word 0 is never in the table; a line is filled from its
// first place on; all lines between the one a word's hash points to and its own are full.
// Closed: a table that may not grow any more for want of memory takes no more words; it still finds
// those it has, until drain() takes them out.
//
// Thread safety: visit() may be called concurrently; size() and bytes() are then momentary. drain()
// waits for them.
#pragma once

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <memory>
#include <mutex>
#include <new>
#include <shared_mutex>
#include <span>
#include <system_error>
#include <thread>
#include <vector>

#include "base/batch.hpp"
#include "base/budget.hpp"
#include "base/hash.hpp"
#include "store/region.hpp"

namespace panoptes {

// Which places of a line hold a word, and which hold none: bit 2 i for place i. All places at once:
// looking at one after the other costs a branch that cannot be foreseen.
struct Matches {
  unsigned equal = 0, vacant = 0;

  static std::size_t first(unsigned places) {
    return static_cast<std::size_t>(std::countr_zero(places)) / 2;
  }
};

#if defined(__SSE2__) && !defined(__SANITIZE_THREAD__)
// Two words a load: the processor never tears a word that is where it belongs. Each is loaded once:
// a place that is seen vacant must not have been filled with this word before it was compared.
inline Matches match(Word* words, std::size_t places, Word word) {
  const auto* line = reinterpret_cast<const __m128i*>(words);
  __m128i first = _mm_load_si128(line), second = _mm_load_si128(line + 1),
          third = _mm_load_si128(line + 2), fourth = _mm_load_si128(line + 3);
  __asm__("" : "+x"(first), "+x"(second), "+x"(third), "+x"(fourth));  // not to be loaded again
  const auto equal_to = [&](__m128i value) {
    const __m128i left =
        _mm_packs_epi32(_mm_cmpeq_epi32(first, value), _mm_cmpeq_epi32(second, value));
    const __m128i right =
        _mm_packs_epi32(_mm_cmpeq_epi32(third, value), _mm_cmpeq_epi32(fourth, value));
    const auto halves = static_cast<unsigned>(_mm_movemask_epi8(_mm_packs_epi16(left, right)));
    return halves & (halves >> 1) & 0x5555u & ((1u << 2 * places) - 1);
  };
  return {equal_to(_mm_set1_epi64x(static_cast<long long>(word))), equal_to(_mm_setzero_si128())};
}
#else
inline Matches match(Word* words, std::size_t places, Word word) {
  Matches result;
  for (std::size_t place = 0; place < places; ++place) {
    const Word found = std::atomic_ref(words[place]).load(std::memory_order_acquire);
    result.equal |= static_cast<unsigned>(found == word) << 2 * place;
    result.vacant |= static_cast<unsigned>(found == 0) << 2 * place;
  }
  return result;
}
#endif

// Behind the last line of a table, which does not happen.
[[noreturn]] void no_room();

// By how much a full table grows: more memory, or more time.
enum class Growth : std::uint8_t { tight = 1, fast = 4 };  // quarters of its size

template <typename Line>
class LineTable {
  static_assert(sizeof(Line) == 64);

 public:
  // `threads`: how many may call visit() at once. `budget` may be null, and outlives the table.
  LineTable(unsigned threads, MemoryBudget* budget, Growth growth = Growth::fast);

  // Where a word is; no line for the word 0, nor for one that has none in a closed table.
  struct Found {
    Line* line;
    std::size_t place;
    bool is_new;
  };

  // Adds every word, in order, and calls use(i, found) for words[i]. What it points to stays there
  // until use() returns.
  template <typename Use>
  void visit(std::span<const Word> words, Use use);

  // Fetches the line of a word that will be visited soon. REQUIRES: nobody visits meanwhile.
  void expect(Word word) const { __builtin_prefetch(position(word).line, 1); }

  // As StateStore has them, for words.
  bool must_grow_for(double growth) const;
  void grow_for(double growth);

  bool is_closed() const { return is_closed_.load(std::memory_order_acquire); }

  // Whether all words have gone. REQUIRES: called within visit(), by the function it calls.
  bool is_drained() const { return is_drained_; }

  // Calls use(words) with all words, many at once, in the order of their hashes; their memory is
  // given back meanwhile. Only the first call does anything. REQUIRES: closed.
  template <typename Use>
  void drain(Use use);

  std::uint64_t size() const;
  std::uint64_t bytes() const;
  // By how much it will grow when it is full; nothing where it has to ask first.
  std::uint64_t growth_bytes() const;

 private:
  static constexpr std::size_t block_words = 32;
  // Behind the last line, for what has no room there. At this load, a hundred words of overflow
  // are as likely as 10^-30.
  static constexpr std::uint64_t spare_lines = 64;
  static constexpr std::uint64_t least_addresses = std::uint64_t{4} << 20;

  struct alignas(64) Segment {
    explicit Segment(std::size_t most_bytes) : region(most_bytes) {}

    Region region;
    Line* lines = nullptr;
    Line* end = nullptr;      // behind the spare ones
    std::uint64_t size = 0;   // in lines, without the spare ones
    std::uint64_t limit = 0;  // words at which it must grow
    std::atomic<std::uint64_t> used{0};

    void resize(std::uint64_t line_count) {
      region.grow((line_count + spare_lines) * sizeof(Line));
      lines = static_cast<Line*>(region.data());
      size = line_count;
      end = lines + size + spare_lines;
      limit = size * Line::places / 4 * 3;
    }
  };
  struct Position {
    Line* line;
    std::size_t segment;
  };

  // Of a segment that is full, by so many quarters of its size.
  static std::uint64_t grown_size(std::uint64_t size, std::uint64_t quarters) {
    return size + (size * quarters + 3) / 4;
  }

  std::uint64_t home(const Segment& segment, std::uint64_t hash) const {
    return place_of(hash << segment_bits_, segment.size);
  }
  Position position(Word word) const {
    const std::uint64_t hash = hash_word(word);
    const std::size_t number = hash >> 1 >> (63 - segment_bits_);
    const Segment& segment = *segments_[number];
    return {segment.lines + home(segment, hash), number};
  }
  [[gnu::always_inline]] Found find_or_add(Position at, Word word) const;
  Found find(Position at, Word word) const;
  void note(std::span<std::uint32_t> fresh);
  void grow();
  void stretch(Segment& segment, std::uint64_t quarters) const;
  std::uint64_t growth(std::uint64_t quarters) const;

  unsigned threads_;
  MemoryBudget* budget_;
  std::uint64_t most_quarters_;
  unsigned segment_bits_;
  std::size_t blocks_per_count_;
  std::vector<std::unique_ptr<Segment>> segments_;
  // Written by many, and so not beside what is read for every word.
  alignas(64) std::atomic<bool> is_crowded_{false};  // some segment has reached its limit
  std::atomic<bool> is_closed_{false};
  bool is_drained_ = false;
  alignas(64) mutable std::shared_mutex growing_;  // held by who inserts; alone by who grows
};

template <typename Line>
LineTable<Line>::LineTable(unsigned threads, MemoryBudget* budget, Growth growth)
    : threads_(threads),
      budget_(budget),
      most_quarters_(static_cast<std::uint64_t>(growth)),
      segment_bits_(static_cast<unsigned>(std::bit_width(std::min(threads, 64u) - 1))),
      blocks_per_count_(threads == 1 ? 4 : 128) {
  const std::size_t segments = std::size_t{1} << segment_bits_;
  // Words that are in but not yet counted must not fill a segment: its last quarter is for them.
  // They spread evenly over the segments; there is room for twice as many.
  const std::uint64_t uncounted = 2 * blocks_per_count_ * block_words * threads / segments;
  // Addresses, not memory; where a process may have few of them, others need some too.
  const std::uint64_t most =
      std::min<std::uint64_t>(address_room(), budget_ ? budget_->limit() : UINT64_MAX);
  for (std::size_t i = 0; i < segments; ++i) {
    segments_.push_back(std::make_unique<Segment>(most / segments * 2 + least_addresses));
    segments_.back()->resize(uncounted * 4 / Line::places);
    if (budget_) budget_->take_anyway(segments_.back()->region.bytes());
  }
}

template <typename Line>
inline typename LineTable<Line>::Found LineTable<Line>::find_or_add(Position at, Word word) const {
  for (Line* line = at.line;; ++line) {
    const Matches matches = match(line->words, Line::places, word);
    if (matches.equal != 0) return {line, Matches::first(matches.equal), false};
    if (matches.vacant == 0) {
      if (line + 1 == segments_[at.segment]->end) no_room();
      continue;
    }
    std::size_t place = Matches::first(matches.vacant);
    if (threads_ == 1) {
      line->words[place] = word;
      return {line, place, true};
    }
    for (; place < Line::places; ++place) {
      Word found = 0;
      if (std::atomic_ref(line->words[place])
              .compare_exchange_strong(found, word, std::memory_order_acq_rel))
        return {line, place, true};
      if (found == word) return {line, place, false};
    }
  }
}

template <typename Line>
typename LineTable<Line>::Found LineTable<Line>::find(Position at, Word word) const {
  for (Line* line = at.line; line != segments_[at.segment]->end; ++line) {
    const Matches matches = match(line->words, Line::places, word);
    if (matches.equal != 0) return {line, Matches::first(matches.equal), false};
    if (matches.vacant != 0) break;
  }
  return {nullptr, 0, false};
}

template <typename Line>
void LineTable<Line>::note(std::span<std::uint32_t> fresh) {
  for (std::size_t s = 0; s < segments_.size(); ++s) {
    if (fresh[s] == 0) continue;
    const std::uint64_t used =
        segments_[s]->used.fetch_add(fresh[s], std::memory_order_relaxed) + fresh[s];
    fresh[s] = 0;
    if (used >= segments_[s]->limit) is_crowded_.store(true, std::memory_order_relaxed);
  }
}

template <typename Line>
template <typename Use>
void LineTable<Line>::visit(std::span<const Word> words, Use use) {
  // While a word is looked up, the lines of the next ones are on their way from memory.
  std::array<Position, block_words> positions;
  const auto prefetch = [&](std::size_t i) {
    const Position at = position(words[i]);
    positions[i % block_words] = at;
    __builtin_prefetch(at.line, 1);
  };
  const auto prefetch_block = [&](std::size_t begin) {
    const std::size_t end = std::min(begin + block_words, words.size());
    for (std::size_t i = begin; i < end; ++i) prefetch(i);
  };
  std::array<std::uint32_t, 64> counts{};
  std::size_t blocks = 0;
  std::shared_lock inserting(growing_);
  bool is_closed = is_closed_.load(std::memory_order_relaxed);
  if (is_drained_) {
    for (std::size_t i = 0; i < words.size(); ++i) use(i, Found{nullptr, 0, false});
    return;
  }
  prefetch_block(0);
  for (std::size_t begin = 0; begin < words.size(); begin += block_words) {
    if (++blocks % blocks_per_count_ == 0) note(counts);
    if (is_crowded_.load(std::memory_order_relaxed)) {
      note(counts);
      inserting.unlock();
      grow();
      inserting.lock();
      is_closed = is_closed_.load(std::memory_order_relaxed);
      if (is_drained_) {
        for (std::size_t i = begin; i < words.size(); ++i) use(i, Found{nullptr, 0, false});
        return;
      }
      prefetch_block(begin);
    }
    const std::size_t end = std::min(begin + block_words, words.size());
    for (std::size_t i = begin; i < end; ++i) {
      const Position at = positions[i % block_words];
      if (i + block_words < words.size()) prefetch(i + block_words);
      if (words[i] == 0) {
        use(i, Found{nullptr, 0, false});
        continue;
      }
      if (is_closed) {
        use(i, find(at, words[i]));
        continue;
      }
      const Found found = find_or_add(at, words[i]);
      counts[at.segment] += found.is_new;
      use(i, found);
    }
  }
  note(counts);
}

// Words spread evenly, so all segments are full at the same time.
template <typename Line>
void LineTable<Line>::grow() {
  const std::unique_lock alone(growing_);
  if (!is_crowded_.exchange(false, std::memory_order_relaxed) || is_closed_) return;
  std::uint64_t quarters = most_quarters_;
  while (budget_ && !budget_->take(growth(quarters))) {
    quarters /= 2;
    if (quarters == 0) {
      is_closed_ = true;
      return;
    }
  }
  for (const auto& segment : segments_)  // all of them get their memory, or none is touched
    segment->region.grow((grown_size(segment->size, quarters) + spare_lines) * sizeof(Line));
  std::vector<std::jthread> stretching;
  for (std::size_t s = 1; s < segments_.size(); ++s) try {
      stretching.emplace_back([this, s, quarters] { stretch(*segments_[s], quarters); });
    } catch (const std::system_error&) {
      stretch(*segments_[s], quarters);  // the machine gives no more threads
    }
  stretch(*segments_[0], quarters);
}

template <typename Line>
bool LineTable<Line>::must_grow_for(double growth) const {
  const std::shared_lock looking(growing_);
  if (is_closed()) return false;
  return std::ranges::any_of(segments_, [&](const auto& segment) {
    return static_cast<double>(segment->used.load(std::memory_order_relaxed)) * growth >=
           static_cast<double>(segment->limit);
  });
}

// Where the budget has no room for all of it, that can wait until there is no other way.
template <typename Line>
void LineTable<Line>::grow_for(double growth) {
  if (!must_grow_for(growth)) return;
  {
    const std::shared_lock looking(growing_);
    if (budget_ && budget_->left_for_store() < this->growth(most_quarters_)) return;
  }
  is_crowded_.store(true, std::memory_order_relaxed);
  grow();
}

// From the last line to the first: a line is emptied, and its words go to where they now belong,
// which is not before it, for what is further behind has moved already. A word that had no room in
// its line may belong before; it waits until that line has been emptied.
template <typename Line>
void LineTable<Line>::stretch(Segment& segment, std::uint64_t quarters) const {
  struct Waiting {
    Line line;
    std::size_t place;
    std::uint64_t home;
  };
  std::vector<Waiting> waiting;
  const auto put = [&](const Line& from, std::size_t from_place, std::uint64_t to) {
    Line* line = segment.lines + to;
    while (line->words[Line::places - 1] != 0) ++line;
    std::size_t place = 0;  // counted, not searched for: no branch
#pragma GCC unroll 8
    for (const Word word : line->words) place += word != 0;
    line->words[place] = from.words[from_place];
    line->copy(place, from, from_place);
  };
  const std::uint64_t old_lines = segment.size + spare_lines;
  segment.resize(grown_size(segment.size, quarters));
  for (std::uint64_t i = old_lines; i-- > 0;) {
    const Line line = segment.lines[i];
    segment.lines[i] = Line{};
    for (std::size_t place = 0; place < Line::places && line.words[place] != 0; ++place) {
      const std::uint64_t to = home(segment, hash_word(line.words[place]));
      if (to >= i)
        put(line, place, to);
      else
        waiting.push_back({line, place, to});
    }
    if (waiting.empty()) continue;
    std::erase_if(waiting, [&](const Waiting& word) {
      if (word.home < i) return false;
      put(word.line, word.place, word.home);
      return true;
    });
  }
}

template <typename Line>
std::uint64_t LineTable<Line>::size() const {
  std::uint64_t total = 0;
  for (const auto& segment : segments_) total += segment->used.load(std::memory_order_relaxed);
  return total;
}

template <typename Line>
std::uint64_t LineTable<Line>::growth(std::uint64_t quarters) const {
  std::uint64_t total = 0;
  for (const auto& segment : segments_)
    total += segment->region.whole_pages((grown_size(segment->size, quarters) + spare_lines) *
                                         sizeof(Line)) -
             segment->region.bytes();
  return total;
}

template <typename Line>
std::uint64_t LineTable<Line>::growth_bytes() const {
  const std::shared_lock looking(growing_);
  return budget_ ? 0 : growth(most_quarters_);
}

template <typename Line>
template <typename Use>
void LineTable<Line>::drain(Use use) {
  const std::unique_lock alone(growing_);
  if (is_drained_) return;
  is_drained_ = true;
  constexpr std::uint64_t lines_at_once = 256;
  Buffer<Word> words;
  for (const auto& segment : segments_) {
    const std::uint64_t bytes = segment->region.bytes();
    const std::uint64_t lines = segment->size + spare_lines;
    for (std::uint64_t begin = 0; begin < lines; begin += lines_at_once) {
      words.clear();
      for (std::uint64_t i = begin; i < std::min(begin + lines_at_once, lines); ++i)
        for (const Word word : segment->lines[i].words)
          if (word != 0) words.push_back(word);
      use(std::span<const Word>(words));
      segment->region.forget_front(begin * sizeof(Line));
    }
    segment->region.forget();
    if (budget_) budget_->give_back(bytes);
  }
}

template <typename Line>
std::uint64_t LineTable<Line>::bytes() const {
  const std::shared_lock looking(growing_);
  std::uint64_t total = 0;
  for (const auto& segment : segments_) total += segment->region.bytes();
  return total;
}

}  // namespace panoptes
