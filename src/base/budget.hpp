// SPDX-License-Identifier: Apache-2.0
// How much memory a search may take, and who has how much of it.
//
// A store asks before it grows, and finds another way where it may not. What everybody else has,
// the search says now and then. A part is kept back for them: states that wait and the way back
// from them become more while a store that may not grow any more goes on.
//
// Thread safety: everything may be called concurrently.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace panoptes {

class MemoryBudget {
 public:
  explicit MemoryBudget(std::uint64_t limit) : limit_(limit) {}

  // Takes `bytes` more for the store; false, with nothing taken, where that is too much.
  bool take(std::uint64_t bytes) {
    std::uint64_t taken = store_.load(std::memory_order_relaxed);
    do {
      if (taken + bytes + kept_back() > limit_) return false;
    } while (!store_.compare_exchange_weak(taken, taken + bytes, std::memory_order_relaxed));
    return true;
  }
  // The same, but it cannot be refused.
  void take_anyway(std::uint64_t bytes) { store_.fetch_add(bytes, std::memory_order_relaxed); }
  void give_back(std::uint64_t bytes) { store_.fetch_sub(bytes, std::memory_order_relaxed); }

  // What take() would still give.
  std::uint64_t left_for_store() const {
    const std::uint64_t used = store_.load(std::memory_order_relaxed) + kept_back();
    return used < limit_ ? limit_ - used : 0;
  }

  // What the search has beside its store: what it has counted, and what it has not.
  void set_others(std::uint64_t counted, std::uint64_t uncounted = 0) {
    others_.store(counted + uncounted, std::memory_order_relaxed);
    uncounted_.store(uncounted, std::memory_order_relaxed);
  }

  // Whether less than one such part of everything is left. (`counted`: as far as the caller knows
  // better.)
  bool has_less_left(std::uint64_t part, std::uint64_t counted) const {
    const std::uint64_t now = std::max(counted + uncounted_.load(std::memory_order_relaxed),
                                       others_.load(std::memory_order_relaxed));
    return store_.load(std::memory_order_relaxed) + now > limit_ - limit_ / part;
  }

  std::uint64_t limit() const { return limit_; }
  std::uint64_t store_bytes() const { return store_.load(std::memory_order_relaxed); }

 private:
  std::uint64_t kept_back() const {
    return std::max(limit_ / 4, others_.load(std::memory_order_relaxed) / 2 * 3);
  }

  std::uint64_t limit_;
  std::atomic<std::uint64_t> store_{0};
  std::atomic<std::uint64_t> others_{0};
  std::atomic<std::uint64_t> uncounted_{0};  // a part of others_
};

}  // namespace panoptes
