// SPDX-License-Identifier: Apache-2.0
// The numbers of docs/stores.md: what the parts of a store cost, and what the alternatives would.
// Built and run by `bench/run --stores`.
#include <sys/mman.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/hash.hpp"
#include "search/trail_log.hpp"
#include "store/bit_store.hpp"
#include "store/bit_theory.hpp"
#include "store/compact_table.hpp"
#include "store/exact_store.hpp"
#include "store/hash_store.hpp"
#include "store/pages.hpp"
#include "store/word_table.hpp"

namespace {

using panoptes::Word;
// Processor time, so that what else the machine does counts as little as possible.
double now() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

// Words as a search makes them: each of `count` different ones `times` times, in no order.
std::vector<Word> words_to_insert(std::uint64_t count, unsigned times) {
  std::vector<Word> words(count * times);
  std::uint64_t random = 42;
  for (std::size_t i = 0; i < words.size(); ++i) {
    random += 0x9e3779b97f4a7c15u;
    // A new word first, later mostly old ones.
    const std::uint64_t known = std::max<std::uint64_t>(1, i / times);
    words[i] = i % times == 0 ? i / times : panoptes::hash_word(random) % known;
  }
  for (Word& word : words) word = panoptes::hash_word(word + 1) >> 16;
  return words;
}

void print_rate(const char* what, std::size_t words, double seconds, double bytes) {
  std::printf("  %-44s %6.1f million/s  %5.1f bytes a word\n", what,
              static_cast<double>(words) / seconds / 1e6, bytes);
}

// ---- open addressing ----

double fill(panoptes::WordTable& table, const std::vector<Word>& words, std::size_t at_once) {
  std::vector<std::uint8_t> fresh(at_once);
  const double start = now();
  for (std::size_t i = 0; i < words.size(); i += at_once) {
    const std::size_t size = std::min(at_once, words.size() - i);
    table.insert({words.data() + i, size}, {fresh.data(), size});
  }
  return now() - start;
}

void compare_tables(const std::vector<Word>& words, double different) {
  std::printf("tables: %.0f million words, %.0f million different\n",
              static_cast<double>(words.size()) / 1e6, different / 1e6);
  for (const std::size_t at_once : {std::size_t{1024}, std::size_t{32}, std::size_t{1}}) {
    panoptes::WordTable table;
    const double seconds = fill(table, words, at_once);
    char name[64];
    std::snprintf(name, sizeof name, "WordTable, %zu at once", at_once);
    print_rate(name, words.size(), seconds, static_cast<double>(table.bytes()) / different);
  }
  {
    std::unordered_set<Word> set;
    const double start = now();
    for (const Word word : words) set.insert(word);
    // A node holds a pointer and the word, and costs what malloc gives for 16 bytes: 32.
    print_rate(
        "std::unordered_set", words.size(), now() - start,
        (static_cast<double>(set.size()) * 32 + static_cast<double>(set.bucket_count()) * 8) /
            different);
  }
}

// ---- load ----

// Lines of eight words, as a WordTable has them.
void compare_loads() {
  constexpr std::uint64_t lines = std::uint64_t{1} << 19, places = 8, size = lines * places;
  std::printf("loads: lines looked at, eight words in a line\n");
  for (const double load : {0.50, 0.75, 0.875, 0.95}) {
    std::vector<Word> words(size, 0);
    // From the first place of its line on: where the word is, or the first vacant place.
    const auto probe = [&](Word word) {
      const std::uint64_t first = panoptes::place_of(panoptes::hash_word(word), lines) * places;
      std::uint64_t looked_at = 0;
      while (words[(first + looked_at) % size] != 0 && words[(first + looked_at) % size] != word)
        ++looked_at;
      return std::pair{(first + looked_at) % size, looked_at / places + 1};
    };
    const auto used = static_cast<std::uint64_t>(load * static_cast<double>(size));
    for (Word word = 1; word <= used; ++word) words[probe(word).first] = word;
    double old_ones = 0, new_ones = 0, full = 0;
    constexpr std::uint64_t samples = 200'000;
    for (std::uint64_t i = 0; i < samples; ++i) {
      old_ones += static_cast<double>(probe(1 + panoptes::hash_word(i) % used).second);
      new_ones += static_cast<double>(probe(used + 1 + i).second);
    }
    for (std::uint64_t line = 0; line < lines; ++line) full += words[line * places + 7] != 0;
    std::printf(
        "  %4.1f %% full: %4.2f for an old word, %5.2f for a new one; %4.1f %% of lines full;"
        " %4.1f bytes a word\n",
        load * 100, old_ones / samples, new_ones / samples, full * 100 / static_cast<double>(lines),
        8 / load);
  }
}

// ---- pages ----

// A word here and a word there, each asked for when the one before has come.
void compare_pages() {
  constexpr std::size_t bytes = std::size_t{1} << 30;
  std::printf("pages: reads at random in 1 GiB, one after the other\n");
  for (const bool is_huge : {true, false}) {
    panoptes::Pages pages(bytes);
    madvise(pages.words(), bytes, is_huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
    for (std::size_t i = 0; i < bytes / sizeof(Word); i += 512) pages.words()[i] = 1;
    constexpr std::uint64_t reads = 4'000'000;
    Word at = 1;
    const double start = now();
    for (std::uint64_t i = 0; i < reads; ++i) {
      at = panoptes::hash_word(at + i);
      at += pages.words()[at % (bytes / sizeof(Word))];
    }
    std::printf("  pages of %s: %5.1f ns%s\n", is_huge ? "2 MiB" : "4 KiB",
                (now() - start) * 1e9 / reads, at == 0 ? " " : "");
  }
}

// ---- growth ----

void measure_growth(const std::vector<Word>& words) {
  panoptes::WordTable table;
  std::vector<std::uint8_t> fresh(1024);
  double least = 1e9, most = 0, longest = 0, at_longest = 0;
  for (std::size_t i = 0; i + fresh.size() <= words.size(); i += fresh.size()) {
    const double start = now();
    table.insert({words.data() + i, fresh.size()}, fresh);
    const double seconds = now() - start;
    if (seconds > longest) {
      longest = seconds;
      at_longest = static_cast<double>(table.size());
    }
    const auto size = static_cast<double>(table.size());
    if (size < 8e6) continue;
    const auto bytes = static_cast<double>(table.bytes());
    least = std::min(least, bytes / size);
    most = std::max(most, bytes / size);
  }
  std::printf("growth, from 8 million words on\n");
  std::printf("  bytes a word: %.1f to %.1f, while it grows too\n", least, most);
  std::printf("  a table that doubles at 85 %%: %.1f to %.1f; while it grows, %.1f\n", 8 / 0.85,
              16 / 0.85, 24 / 0.85);
  std::printf("  longest wait for 1024 words: %.1f ms, at %.1f million\n", longest * 1e3,
              at_longest / 1e6);
}

// ---- bits ----

// Four bits for each word: how many are missed, and how many the store says it has missed.
void measure_bits(const std::vector<Word>& words, double different, std::uint64_t bytes) {
  panoptes::BitStoreOptions options;
  options.bytes = bytes;
  panoptes::BitStore store(1, options);
  std::vector<std::uint8_t> fresh(1024);
  const double start = now();
  double half = 0;
  for (std::size_t i = 0; i + fresh.size() <= words.size(); i += fresh.size()) {
    if (half == 0 && i >= words.size() / 2) half = now();
    store.insert_states({words.data() + i, fresh.size()}, fresh);
  }
  const double end = now();
  const auto count = static_cast<double>(words.size());
  const auto states = static_cast<double>(store.stats().states);
  std::printf(
      "  %5.0f MiB: %6.1f million/s, %6.1f in the second half; %5.1f bits a word; "
      "%9.5f %% missed, %9.5f %% expected\n",
      static_cast<double>(bytes >> 20), count / (end - start) / 1e6, count / 2 / (end - half) / 1e6,
      static_cast<double>(bytes) * 8 / different, 100 * (1 - states / different),
      100 * store.promise().expected_omissions / (states + store.promise().expected_omissions));
}

void print_theory() {
  constexpr unsigned bits_set[] = {1, 2, 3, 4, 6, 8, 16};
  std::printf("theory: states found, by bits of arena a state and bits set for each\n%9s", "");
  for (const unsigned bits : bits_set) std::printf("  %6u set", bits);
  std::printf("\n");
  for (const std::uint64_t bits_of_arena : {1, 2, 4, 8, 16, 32}) {
    std::printf("  %2u bits", static_cast<unsigned>(bits_of_arena));
    for (const unsigned bits : bits_set)
      std::printf("  %8.4f %%",
                  100 * panoptes::predicted_coverage(1'000'000, 125'000 * bits_of_arena, bits));
    std::printf("\n");
  }
}

// ---- as few bits as it takes ----

// `count` different words of `bits` bits, once and once again.
void measure_compact(unsigned bits, std::uint64_t count) {
  panoptes::CompactTable table(bits);
  std::vector<Word> words(1024);
  std::vector<std::uint8_t> fresh(words.size());
  double seconds[2];
  for (double& turn : seconds) {
    const double start = now();
    for (std::uint64_t i = 0; i < count; i += words.size()) {
      for (std::size_t w = 0; w < words.size(); ++w)
        words[w] = ((i + w) * 0x9e3779b97f4a7c15u) >> (64 - bits);
      table.insert(words, fresh);
    }
    turn = now() - start;
  }
  const auto size = static_cast<double>(table.size());
  const double least = (bits - std::log2(size) + 1.44) / 8;
  std::printf(
      "  %2u bits, %3.0f million: %5.2f bytes a word, %5.2f would be 1.25 times the least; "
      "%4.1f million new ones/s, %4.1f old\n",
      bits, size / 1e6, static_cast<double>(table.bytes()) / size, 1.25 * least,
      size / seconds[0] / 1e6, size / seconds[1] / 1e6);
}

// ---- wide states ----

// A counter of `digits` digits, one in each word that changes: the states of independent parts.
void measure_wide(panoptes::StateStore& store, std::size_t width, std::size_t digits, Word base) {
  panoptes::SuccessorBatch batch;
  panoptes::StateBatch sources{width, {}};
  std::vector<Word> state(width, 1'000'000);
  std::uint64_t count = 0;
  const double start = now();
  for (bool at_end = false; !at_end;) {
    // One source, and as its successors all values of the first digit.
    batch.clear(width);
    sources.clear();
    sources.push_back(state);
    for (Word value = 0; value < base; ++value) {
      state[0] = 1'000'000 + value;
      batch.states.push_back(state);
      batch.rules.push_back(0);
    }
    batch.close_state(0);
    store.insert(batch, sources);
    count += static_cast<std::uint64_t>(std::count(batch.fresh.begin(), batch.fresh.end(), 1));
    state[0] = 1'000'000;
    std::size_t digit = 1;
    for (; digit < digits; ++digit) {
      Word& word = state[digit * (width - 1) / (digits - 1)];
      if (++word < 1'000'000 + base) break;
      word = 1'000'000;
    }
    at_end = digit == digits;
  }
  const auto states = static_cast<double>(count);
  std::printf("  %2zu words: %5.1f bytes a state, %3zu as they are; %5.1f million states/s\n",
              width, static_cast<double>(store.stats().bytes) / states, width * sizeof(Word),
              states / (now() - start) / 1e6);
}

// ---- trails ----

void measure_trails(double successors_per_state) {
  panoptes::TrailLog log;
  constexpr std::uint64_t expansions = 2'000'000;
  double plain_bits = 0;
  std::uint64_t fresh_ones = 0;
  std::vector<std::uint8_t> fresh;
  for (std::uint64_t i = 0; i < expansions; ++i) {
    const std::uint64_t random = panoptes::hash_word(i + 1);
    // Between half and three halves of the mean.
    const auto count = static_cast<std::size_t>(
        successors_per_state * (0.5 + static_cast<double>(random % 1001) / 1000) + 0.5);
    fresh.assign(count, 0);
    for (std::size_t s = 0; s < count; ++s) {
      const std::uint64_t draw = panoptes::hash_word(random + s) % 1'000'000;
      fresh[s] = static_cast<double>(draw) < 1e6 / successors_per_state;
      fresh_ones += fresh[s];
    }
    log.append(fresh);
    plain_bits += 5 + static_cast<double>(count);
  }
  std::printf("  %4.1f successors a state: %4.1f bits a state; one bit each and a length: %4.1f\n",
              successors_per_state,
              static_cast<double>(log.bytes()) * 8 / static_cast<double>(fresh_ones),
              plain_bits / static_cast<double>(fresh_ones));
}

}  // namespace

int main() {
  constexpr std::uint64_t different = 12'000'000;
  const std::vector<Word> words = words_to_insert(different, 4);
  compare_tables(words, static_cast<double>(different));
  compare_loads();
  compare_pages();
  measure_growth(words);
  std::printf("bits: the same words, four bits for each in an arena of fixed size\n");
  for (const std::uint64_t mebibytes : {1, 4, 16, 64, 256, 1024})
    measure_bits(words, static_cast<double>(different), mebibytes << 20);
  print_theory();
  constexpr std::pair<std::size_t, Word> widths[] = {
      {2, 3200}, {4, 57}, {8, 57}, {16, 57}, {60, 57}};
  std::printf("compact: words of so many bits\n");
  for (const unsigned bits : {64u, 48u, 40u, 34u, 28u, 26u, 25u}) measure_compact(bits, 10'000'000);
  for (const unsigned bits : {64u, 48u}) measure_compact(bits, 100'000'000);
  std::printf("trees: states that are combinations of few values\n");
  for (const auto& [width, base] : widths) {
    panoptes::ExactStore store(width);
    measure_wide(store, width, std::min<std::size_t>(width, 4), base);
  }
  std::printf("fingerprints: the same states\n");
  for (const auto& [width, base] : widths) {
    panoptes::HashStore store(width, {});
    measure_wide(store, width, std::min<std::size_t>(width, 4), base);
  }
  std::printf("trails\n");
  measure_trails(2.5);
  measure_trails(4);
  measure_trails(6);
  measure_trails(10);
  return 0;
}
