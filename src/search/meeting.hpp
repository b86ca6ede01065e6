// SPDX-License-Identifier: Apache-2.0
// Where workers wait for each other: a barrier at which nobody sleeps at once.
//
// Idea: a level of two hundred states takes some 20 microseconds, and to be woken takes about as
// long. So who has to wait looks for so long whether all have come, and gives way meanwhile to
// whoever wants the processor, which may be the one that is waited for.
// Cost: that time, where others take longer.
//
// Thread safety: that of std::barrier.
#pragma once

#include <atomic>
#include <barrier>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <utility>

namespace panoptes {

// `Meet` is called, without arguments, by one worker when all have come, and must not throw.
template <typename Meet>
class Meeting {
 public:
  Meeting(std::size_t workers, Meet meet)
      : barrier_(static_cast<std::ptrdiff_t>(workers), Completion{this, meet}) {}

  void arrive_and_wait() {
    constexpr int looks = 64;
    const std::uint64_t before = meetings_.load(std::memory_order_relaxed);
    auto arrival = barrier_.arrive();
    for (int i = 0; i < looks && meetings_.load(std::memory_order_relaxed) == before; ++i)
      std::this_thread::yield();
    barrier_.wait(std::move(arrival));
  }
  // The worker will not come back.
  void arrive_and_drop() { barrier_.arrive_and_drop(); }

 private:
  struct Completion {
    Meeting* meeting;
    Meet meet;
    void operator()() noexcept {
      meet();
      meeting->meetings_.fetch_add(1, std::memory_order_relaxed);
    }
  };

  std::atomic<std::uint64_t> meetings_{0};
  std::barrier<Completion> barrier_;
};

}  // namespace panoptes
