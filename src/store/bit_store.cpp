// SPDX-License-Identifier: Apache-2.0
#include "store/bit_store.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <thread>

#include "base/bits.hpp"
#include "base/hash.hpp"

namespace panoptes {
namespace {

constexpr std::size_t line_bytes = 64;
constexpr unsigned line_bits = 512;
constexpr double least_room = 1.0 / line_bits;  // one bit that is not set, and k = 1
constexpr unsigned draws_per_hash = 7;          // of nine bits each
constexpr std::size_t owner_word = 7;
constexpr Word owner_bit = Word{1} << 63;
// Counting the bits of a line takes as long as setting those of a state, so in a large arena one
// line in sixteen stands for all.
constexpr std::uint64_t many_lines = std::uint64_t{1} << 20;
constexpr std::uint64_t unwatched_of_many = 15;

std::atomic_ref<Word> shared(Word& word) { return std::atomic_ref<Word>(word); }

Word look(Word* word) { return shared(*word).load(std::memory_order_relaxed); }

// The bits of a state in its line, one after the other, with repetition.
class Draws {
 public:
  explicit Draws(Word bits) : bits_(bits), rest_(bits) {}

  unsigned next() {
    if (left_ == 0) {
      rest_ = bits_ = hash_word(bits_ + 1);
      left_ = draws_per_hash;
    }
    --left_;
    const auto drawn = static_cast<unsigned>(rest_ % line_bits);
    rest_ /= line_bits;
    return drawn == line_bits - 1 ? drawn / 2 : drawn;  // the last one is the owner's
  }

 private:
  Word bits_, rest_;
  unsigned left_ = draws_per_hash;
};

// How many bits of a line are set, the owner's apart.
unsigned ones(Word* line) {
  unsigned count = count_ones(look(line + owner_word - 1), look(line + owner_word) & ~owner_bit);
  for (std::size_t i = 0; i + 1 < owner_word; i += 2)
    count += count_ones(look(line + i), look(line + i + 1));
  return count;
}

std::uint64_t lines_in(std::uint64_t bytes) {
  return std::max<std::uint64_t>(1, bytes / line_bytes);
}

// The kernel clears a page before it gives it out, and the first states touch a page each: in huge
// ones a small search would wait for gigabytes. And where memory is short, one of them is much.
PageSize page_size(std::uint64_t bytes, const BitStoreOptions& options) {
  constexpr std::uint64_t few_bytes = std::uint64_t{16} << 20,
                          many_bytes = std::uint64_t{256} << 20;
  return options.fills_in_order || bytes < few_bytes || bytes > many_bytes ? PageSize::small
                                                                           : PageSize::huge;
}

bool fits(std::size_t width, const BitStoreOptions& options) {
  return width == 1 && options.state_bits < 64 &&
         (Word{1} << options.state_bits) / line_bits <= lines_in(options.bytes);
}

}  // namespace

BitStore::BitStore(std::size_t width, const BitStoreOptions& options)
    : width_(width),
      bits_per_state_(std::clamp(options.bits_per_state, 1u, most_bits_per_state)),
      seed_(options.seed),
      is_alone_(options.threads == 1),
      is_direct_(fits(width, options)),
      lines_(lines_in(is_direct_ ? (Word{1} << options.state_bits) / 8 : options.bytes)),
      unwatched_(lines_ < many_lines ? 0 : unwatched_of_many),
      arena_(lines_ * line_bytes, page_size(lines_ * line_bytes, options)) {
  for (std::size_t set = 0; set < chance_.size(); ++set)
    chance_[set] = std::pow(static_cast<double>(set) / (line_bits - 1), bits_per_state_);
}

void BitStore::insert(SuccessorBatch& batch, const StateBatch&) {
  batch.fresh.resize(batch.size());
  insert_states(batch.states.words, batch.fresh);
}

// States with the same hash have the same bits, so what is said of one is true of the other.
void BitStore::insert_states(std::span<const Word> words, std::span<std::uint8_t> fresh) {
  static thread_local Buffer<Word> hashes;
  if (!is_direct_) {
    hashes.resize(fresh.size());
    for (std::size_t i = 0; i < fresh.size(); ++i)
      hashes[i] = width_ == 1 ? hash_word(words[i], seed_)
                              : hash_words(words.subspan(i * width_, width_), seed_);
  }
  std::uint64_t recent = fresh.size();
  RecentWords::of_thread(number_).filter(
      is_direct_ ? words : hashes, fresh,
      [&](std::span<const Word> others, std::span<std::uint8_t> answers) {
        recent -= others.size();
        if (is_direct_)
          insert_direct(others, answers);
        else
          insert_hashed(others, answers);
        return true;
      });
  offered_.fetch_add(recent, std::memory_order_relaxed);
}

void BitStore::insert_direct(std::span<const Word> words, std::span<std::uint8_t> fresh) {
  const auto find = [&](std::size_t i) {
    assert(words[i] / 64 < lines_ * line_words);
    return Place{arena_.words() + words[i] / 64, Word{1} << words[i] % 64};
  };
  insert_all(fresh, find, [&](const Place& at, Tally& tally) { return add_bit(at, tally); });
}

void BitStore::insert_hashed(std::span<const Word> hashes, std::span<std::uint8_t> fresh) {
  Word* const arena = arena_.words();
  const std::uint64_t lines = lines_;
  const auto find = [&](std::size_t i) {
    // The line is in the upper bits of the hash, and in a large arena few are left below.
    const std::uint64_t all = hashes[i];
    const Word bits = (all ^ (all >> 31)) * 0x9fb21c651e98df25u;
    return Place{arena + place_of(all, lines) * line_words, bits ^ (bits >> 32)};
  };
  insert_all(fresh, find, [&](const Place& at, Tally& tally) { return add_bits(at, tally); });
}

// While one state is looked up, the lines of the next ones are on their way from memory.
template <typename Find, typename Add>
void BitStore::insert_all(std::span<std::uint8_t> fresh, const Find& find, const Add& add) {
  std::array<Place, block_states> places;
  const auto prefetch = [&](std::size_t i) {
    const Place at = find(i);
    places[i % block_states] = at;
    __builtin_prefetch(at.words);
  };
  for (std::size_t i = 0; i < std::min(block_states, fresh.size()); ++i) prefetch(i);
  Tally tally;
  std::size_t blocks = 0;
  for (std::size_t begin = 0; begin < fresh.size(); begin += block_states) {
    const std::uint64_t fresh_before = tally.fresh;
    const double fullness_before = tally.fullness;
    const std::size_t end = std::min(begin + block_states, fresh.size());
    for (std::size_t i = begin; i < end; ++i) {
      const Place at = places[i % block_states];
      if (i + block_states < fresh.size()) prefetch(i + block_states);
      fresh[i] = add(at, tally);
    }
    tally.offered += end - begin;
    if (tally.fresh > fresh_before)
      tally.omissions += static_cast<double>(tally.fresh - fresh_before) *
                         missed_for_a_new_one(room((fullness_before + tally.fullness) / 2));
    if (++blocks % blocks_per_count == 0) note(tally);
  }
  note(tally);
}

bool BitStore::add_bit(const Place& at, Tally& tally) {
  const Word found = look(at.words);
  if (found & at.bits) return false;
  if (is_alone_)
    shared(*at.words).store(found | at.bits, std::memory_order_relaxed);
  else if (shared(*at.words).fetch_or(at.bits, std::memory_order_relaxed) & at.bits)
    return false;
  ++tally.fresh;
  return true;
}

bool BitStore::has_bits(const Place& at) const {
  Draws draws(at.bits);
  Word set = 1;
  for (unsigned i = 0; i < bits_per_state_; ++i) {
    const unsigned bit = draws.next();
    set &= look(at.words + bit / 64) >> bit % 64;
  }
  return set != 0;
}

// Gives how many were not.
unsigned BitStore::set_bits(const Place& at) const {
  Draws draws(at.bits);
  unsigned added = 0;
  for (unsigned i = 0; i < bits_per_state_; ++i) {
    const unsigned bit = draws.next();
    Word* const word = at.words + bit / 64;
    const Word found = look(word);
    added += !(found >> bit % 64 & 1);
    shared(*word).store(found | Word{1} << bit % 64, std::memory_order_relaxed);
  }
  return added;
}

bool BitStore::is_watched(const Word* line) const {
  const auto number = static_cast<std::uint64_t>(line - arena_.words()) / line_words;
  return (number & unwatched_) == 0;
}

bool BitStore::add_bits(const Place& at, Tally& tally) {
  if (has_bits(at)) return false;
  if (!is_alone_) own(at.words);
  const unsigned added = set_bits(at);
  if (added > 0 && is_watched(at.words)) {
    const unsigned after = ones(at.words);
    tally.fullness += chance_[after] - chance_[after - added];
  }
  if (!is_alone_) disown(at.words);
  tally.fresh += added > 0;
  return added > 0;  // nothing where another thread was faster
}

void BitStore::own(Word* line) const {
  for (unsigned tries = 1;
       shared(line[owner_word]).fetch_or(owner_bit, std::memory_order_acquire) & owner_bit; ++tries)
    if (tries % 64 == 0) std::this_thread::yield();
}

// Nobody else writes to a line that is owned, but for its owner bit, which is set already.
void BitStore::disown(Word* line) const {
  shared(line[owner_word]).store(look(line + owner_word) & ~owner_bit, std::memory_order_release);
}

// How many watched lines' worth of new states would be found new.
double BitStore::room(double more_fullness) const {
  return watched_lines() - fullness_.load(std::memory_order_relaxed) - more_fullness;
}

// The states taken for old ones before the next is found new: p / (1 - p), where the chance p is
// the mean of chance_ over all lines.
double BitStore::missed_for_a_new_one(double room) const {
  const double left = std::max(room, least_room);  // as long as anything is new, a bit is left
  return (watched_lines() - left) / left;
}

void BitStore::note(Tally& tally) {
  const std::uint64_t offered =
      offered_.fetch_add(tally.offered, std::memory_order_relaxed) + tally.offered;
  if (tally.fresh > 0) {
    states_.fetch_add(tally.fresh, std::memory_order_relaxed);
    fullness_.fetch_add(tally.fullness, std::memory_order_relaxed);
    omissions_.fetch_add(tally.omissions, std::memory_order_relaxed);
    offered_until_new_.store(offered, std::memory_order_relaxed);
  }
  tally = {};
}

void BitStore::save(RecordWriter& record) const {
  for (const auto* count : {&offered_, &offered_until_new_, &states_}) record.number(count->load());
  for (const auto* sum : {&fullness_, &omissions_}) record.real(sum->load());
}

void BitStore::restore(RecordReader& record) {
  for (auto* count : {&offered_, &offered_until_new_, &states_}) *count = record.number();
  for (auto* sum : {&fullness_, &omissions_}) *sum = record.real();
}

StorePromise BitStore::promise() const {
  if (is_direct_) return {};
  const auto states = static_cast<double>(states_.load(std::memory_order_relaxed));
  const auto offered = static_cast<double>(offered_.load(std::memory_order_relaxed));
  const double omissions = omissions_.load(std::memory_order_relaxed);
  StorePromise promise;
  promise.may_omit = true;
  promise.expected_omissions = omissions + missed_since_a_new_one(offered, states + omissions);
  // States of several words may share even the whole hash.
  if (width_ > 1) promise.expected_omissions += std::ldexp(states * states, -65);
  promise.expected_omissions =
      std::clamp(promise.expected_omissions, 0.0, std::max(0.0, offered - states));
  return promise;
}

// Where the arena is full nothing is new any more, and all that is known of the states which came
// since is how many of those before were different ones.
double BitStore::missed_since_a_new_one(double offered, double different) const {
  const auto until = static_cast<double>(offered_until_new_.load(std::memory_order_relaxed));
  if (offered <= until || until == 0) return 0;
  const double missed = (offered - until) * different / until;
  return room(0) < least_room / 2 ? missed : std::min(missed, missed_for_a_new_one(room(0)));
}

StoreStats BitStore::stats() const {
  return {states_.load(std::memory_order_relaxed), lines_ * line_bytes, 0};
}

}  // namespace panoptes
