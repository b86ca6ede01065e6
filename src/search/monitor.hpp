// SPDX-License-Identifier: Apache-2.0
// Keeps an eye on a search: time, memory, interrupts, progress. The loop asks it once per batch.
//
// The clock and the observer are doors to the outside world, so that tests can give their own.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>

#include "base/clock.hpp"
#include "verdict/verdict.hpp"

namespace panoptes {

struct Progress {
  std::uint64_t states = 0;
  std::uint64_t transitions = 0;
  std::uint64_t depth = 0;
  std::uint64_t frontier = 0;  // states waiting; 0 in random walks
  std::uint64_t memory_bytes = 0;
  std::uint64_t held_bytes = 0;  // of that, what states, ways back and the like take
  double seconds = 0.0;
  std::uint64_t run = 1, runs = 1;  // of several searches, this one
};

struct Limits {
  std::uint64_t memory_bytes = UINT64_MAX;
  double seconds = 0.0;         // 0: none
  double report_seconds = 0.0;  // where there are any: so long afterwards for trails
  std::uint64_t depth = 0;  // 0: none; states at this depth are expanded, their successors dropped
};

// Thread safety: go_on() may be called by one thread at a time, everything else by any.
class Monitor {
 public:
  using Clock = std::function<double()>;  // seconds since some beginning
  using Observer = std::function<void(const Progress&)>;

  Monitor(const Limits& limits, Clock clock, Observer observer,
          const std::atomic<bool>* interrupted);

  // False when the search must end now; stop() says why. Calls the observer a few times a second.
  bool go_on(Progress progress);
  // The same, as far as it can be said without measuring anything.
  bool has_time() { return has_time(seconds()); }
  // Ends the search for `reason`, unless it has ended already.
  void end(Stop reason);
  Stop stop() const { return stop_.load(std::memory_order_relaxed); }
  double seconds() const { return clock_() - start_; }
  const Limits& limits() const { return limits_; }
  // How far the search was as time went by. REQUIRES: nobody calls go_on().
  const std::vector<SearchSample>& samples() const { return samples_.samples(); }

 private:
  bool has_time(double now);

  Limits limits_;
  Clock clock_;
  Observer observer_;
  const std::atomic<bool>* interrupted_;
  double start_;
  double next_report_ = 0.5;
  SampleLog samples_;
  std::atomic<Stop> stop_{Stop::finished};
};

}  // namespace panoptes
