// SPDX-License-Identifier: Apache-2.0
#include "search/memory_watch.hpp"

#include <bit>

namespace panoptes {

MemoryWatch::Taken MemoryWatch::measure() {
  const StoreStats store = holders_.store.stats();
  const std::uint64_t frontier_bytes = holders_.frontier.bytes();
  const std::uint64_t trail_bytes = holders_.frontier.trail_bytes();
  const GraphSink* sink = holders_.sink;
  peaks_.store_bytes = std::max(peaks_.store_bytes, store.bytes);
  peaks_.frontier_bytes = std::max(peaks_.frontier_bytes, frontier_bytes);
  peaks_.trail_bytes = std::max(peaks_.trail_bytes, trail_bytes);
  const std::uint64_t counted = store.bytes + frontier_bytes + trail_bytes +
                                (sink ? sink->bytes() + sink->growth_bytes() : 0) +
                                holders_.errors.bytes();
  const std::uint64_t uncounted = uncounted_bytes(counted);
  if (holders_.budget) holders_.budget->set_others(counted - store.bytes, uncounted);
  return {store, counted, counted + store.growth_bytes + uncounted};
}

// A store may take half of all.
std::uint64_t MemoryWatch::needed_bytes(const Taken& taken) {
  constexpr std::uint64_t unit = 1 << 20;
  const std::uint64_t all = taken.all_bytes;
  const std::uint64_t wanted = std::max(all / 7 * 8, (all - taken.store.bytes) * 2);
  return (wanted / unit + 1) * unit;
}

MemoryWatch::Peaks MemoryWatch::final_peaks() const {
  Peaks peaks = peaks_;
  peaks.store_bytes = std::max(peaks.store_bytes, holders_.store.stats().bytes);
  peaks.trail_bytes = std::max(peaks.trail_bytes, holders_.frontier.trail_bytes());
  return peaks;
}

// Batches, code, the allocator's own: what the process has more than what is counted. What comes
// after the search, replays and the report, takes memory too, if only for its code.
std::uint64_t MemoryWatch::uncounted_bytes(std::uint64_t counted) {
  constexpr std::uint64_t afterwards_bytes = 512 << 10, part = 32, most = 4 << 20;
  if (!options_.resident) return limit_bytes_ / 16;
  return resident_but_not_counted(counted) + afterwards_bytes + std::min(most, limit_bytes_ / part);
}

std::uint64_t MemoryWatch::resident_but_not_counted(std::uint64_t counted) {
  const bool is_close = counted + uncounted_ > limit_bytes_ - limit_bytes_ / 4;
  const std::uint64_t looks_per_question = workers_ > 1 || is_close ? 4 : 64;
  // More often at first, when everybody takes what he will need.
  const std::uint64_t look = looks_++;
  if (look % looks_per_question != 0 && !std::has_single_bit(look)) return uncounted_;
  // At first nobody has touched what was counted for him.
  const std::uint64_t known = (look == 0 ? 0 : counted) + options_.fixed_bytes;
  std::uint64_t resident = options_.resident();
  if (is_time_to_give_back(resident)) {
    options_.give_back();
    resident = resident_after_giving_back_ = options_.resident();
    if (resident > known) uncounted_ = resident - known;
  }
  if (resident > known) uncounted_ = std::max(uncounted_, resident - known);
  return uncounted_;
}

// What was freed may still be kept for later; where memory is short, nobody can wait for that.
bool MemoryWatch::is_time_to_give_back(std::uint64_t resident) const {
  return options_.give_back && resident > options_.fixed_bytes + limit_bytes_ / 4 * 3 &&
         resident > resident_after_giving_back_ + limit_bytes_ / 64;
}

}  // namespace panoptes
