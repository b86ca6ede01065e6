// SPDX-License-Identifier: Apache-2.0
// What a search takes of the memory, and when it is time to ask.
//
// Idea: what store, frontier, graph and errors take is counted by them; what the process has beside
// that is asked of the machine, more often where memory is short. The budget of the store is told.
// How it can be wrong: between two looks, by what is taken there; looks are so frequent that this
// is a small part of the limit.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <utility>

#include "base/budget.hpp"
#include "search/frontier_account.hpp"
#include "search/graph_sink.hpp"
#include "store/state_store.hpp"
#include "verdict/error_log.hpp"

namespace panoptes {

// How the memory of the process is measured.
struct MemoryOptions {
  std::function<void()> give_back;  // gives what was freed back to the machine; may be empty
  std::function<std::uint64_t()> resident;  // memory the process has, if anybody can tell ...
  std::uint64_t fixed_bytes = 0;            // ... and what it had before
};

// Thread safety: one thread at a time.
class MemoryWatch {
 public:
  // Whose memory it is, and who is told what they take beside the store. `sink` and `budget` may be
  // null.
  struct Holders {
    const StateStore& store;
    const FrontierAccount& frontier;
    const ErrorLog& errors;
    const GraphSink* sink;
    MemoryBudget* budget;
  };
  // All of them outlive the watch.
  MemoryWatch(const Holders& holders, const MemoryOptions& options, std::uint64_t limit_bytes,
              std::size_t workers)
      : holders_(holders), options_(options), limit_bytes_(limit_bytes), workers_(workers) {}

  struct Taken {
    StoreStats store;
    std::uint64_t held_bytes = 0;  // by store, frontier, graph and errors
    std::uint64_t all_bytes = 0;   // and what will be needed beside them for a while
  };
  Taken measure();

  // Where not even the first states have room: what would do, in whole MiB.
  static std::uint64_t needed_bytes(const Taken& taken);

  // The most that was measured.
  struct Peaks {
    std::uint64_t store_bytes = 0, frontier_bytes = 0, trail_bytes = 0;
  };
  // With what is there when the search has ended.
  Peaks final_peaks() const;

 private:
  std::uint64_t uncounted_bytes(std::uint64_t counted);
  std::uint64_t resident_but_not_counted(std::uint64_t counted);
  bool is_time_to_give_back(std::uint64_t resident) const;

  Holders holders_;
  const MemoryOptions& options_;
  std::uint64_t limit_bytes_;
  std::size_t workers_;
  Peaks peaks_;
  std::uint64_t looks_ = 0;
  std::uint64_t uncounted_ = 0;  // bytes, at their peak
  std::uint64_t resident_after_giving_back_ = 0;
};

// When a worker should look. Looking costs as much as a few states do; and where many work, looking
// at what they share takes it away from them for a moment. But a state may have thousands of
// successors, and all of them together may not have come near the limit before somebody looks.
class LookTimer {
 public:
  LookTimer(std::uint64_t limit_bytes, std::size_t workers)
      : most_states_(workers > 1 ? workers * states_per_look_of_many : states_per_look),
        most_bytes_(limit_bytes / part / workers) {}

  // Work that was done.
  void count(std::uint64_t states, std::uint64_t bytes) {
    states_ += states;
    bytes_ += bytes;
  }
  bool is_time() {
    const bool is_time = states_ >= most_states_ || bytes_ >= most_bytes_;
    if (is_time || is_first_) states_ = bytes_ = 0;
    return std::exchange(is_first_, false) || is_time;
  }

 private:
  static constexpr std::uint64_t states_per_look = 32, states_per_look_of_many = 1024, part = 128;

  std::uint64_t most_states_, most_bytes_;
  std::uint64_t states_ = 0, bytes_ = 0;
  bool is_first_ = true;
};

}  // namespace panoptes
