// SPDX-License-Identifier: Apache-2.0
// Supertrace: a few bits for each state in an arena of fixed size, and nothing else of it.
//
// Idea: where there is a bit for every state that can be written down, the state is the number of
// its bit. Otherwise a hash of the state chooses a line of 64 bytes and k bits in it; a state is
// new when not all of them are set. So a state costs one cache miss, whatever k is and however many
// states there are, and the arena never grows. (Holzmann's bit state space, with k bits instead of
// one, as in a Bloom filter; the lines make it what Putze, Sanders and Singler call a blocked one.)
// Cost: the arena. With k = 4, sixteen of its bits for a state miss about one state in 1,600.
// How it can be wrong: it takes a new state for an old one where all k bits belong to others, and
// never the reverse. How often that has happened is estimated: the chance of it for the next new
// state is the mean, over all lines, of (share of bits set)^k. That mean is kept up to date with
// every bit that is set, so that lines which are fuller than others count for what they are; and
// while it is p, each state found new stands for p / (1 - p) that were not. States that no search
// comes to, because it missed those before them, are not in that. With a bit for every state it is
// not wrong at all.
//
// Thread safety: insert(), promise() and stats() may be called concurrently. A state is new for one
// thread only: who sets bits in a line owns it meanwhile, by its last bit, which is no state's.
// Whoever only reads does not wait.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <span>

#include "store/pages.hpp"
#include "store/recent_words.hpp"
#include "store/state_store.hpp"

namespace panoptes {

struct BitStoreOptions {
  std::uint64_t bytes = std::uint64_t{1} << 26;  // of the arena, down to whole lines; at least one
  unsigned bits_per_state = 4;                   // k, 1 to 16
  std::uint64_t seed = 0;                        // another one: other lines, other bits
  unsigned state_bits = 64;                      // a state of one word is less than 2^state_bits
  unsigned threads = 1;                          // how many may insert at once
  bool fills_in_order = false;  // from its begin to its end, and every page counts meanwhile
};

class BitStore final : public StateStore {
 public:
  static constexpr unsigned most_bits_per_state = 16;

  BitStore(std::size_t width, const BitStoreOptions& options);

  void insert(SuccessorBatch& batch, const StateBatch& sources) override;
  // The same for states that lie side by side in `words`.
  void insert_states(std::span<const Word> words, std::span<std::uint8_t> fresh);

  // Into an arena of the same size.
  void save(RecordWriter& record) const override;
  void restore(RecordReader& record) override;
  // What it has been given so far was there before: none of it was missed.
  void forget_omissions() { omissions_ = 0.0; }
  StorePromise promise() const override;
  StoreStats stats() const override;

 private:
  static constexpr std::size_t line_words = 8;
  static constexpr std::size_t block_states = 32;  // asked for from memory at once
  static constexpr std::size_t blocks_per_count = 16;

  // Where the bits of a state are.
  struct Place {
    Word* words;  // of its line; the word of its bit
    Word bits;    // from which its k bits are drawn; its bit
  };
  // What a thread has not yet told the others.
  struct Tally {
    std::uint64_t offered = 0;
    std::uint64_t fresh = 0;
    double fullness = 0;
    double omissions = 0;
  };

  template <typename Find, typename Add>
  void insert_all(std::span<std::uint8_t> fresh, const Find& find, const Add& add);
  void insert_direct(std::span<const Word> words, std::span<std::uint8_t> fresh);
  void insert_hashed(std::span<const Word> hashes, std::span<std::uint8_t> fresh);
  bool add_bit(const Place& at, Tally& tally);
  bool add_bits(const Place& at, Tally& tally);
  bool has_bits(const Place& at) const;
  unsigned set_bits(const Place& at) const;
  bool is_watched(const Word* line) const;
  void own(Word* line) const;
  void disown(Word* line) const;
  void note(Tally& tally);
  double watched_lines() const {
    const std::uint64_t count = (lines_ - 1) / (unwatched_ + 1) + 1;
    return static_cast<double>(count);
  }
  double room(double more_fullness) const;
  double missed_for_a_new_one(double room) const;
  double missed_since_a_new_one(double offered, double different) const;

  std::uint64_t number_ = RecentWords::number_of_table();
  std::size_t width_;
  unsigned bits_per_state_;
  std::uint64_t seed_;
  bool is_alone_;
  bool is_direct_;
  std::uint64_t lines_;
  std::uint64_t unwatched_;  // lines that the estimate leaves out have one of these bits
  Pages arena_;
  std::array<double, line_words * 64> chance_;  // by bits set in a line: to find all k bits set

  // Written rarely, and never with what is read for every state in one line of the cache.
  alignas(64) std::atomic<std::uint64_t> offered_{0};
  std::atomic<std::uint64_t> offered_until_new_{0};  // when a state was last found new
  std::atomic<std::uint64_t> states_{0};
  std::atomic<double> fullness_{0};  // sum of chance_ over the watched lines
  std::atomic<double> omissions_{0};
};

}  // namespace panoptes
