// SPDX-License-Identifier: Apache-2.0
#include "search/monitor.hpp"

namespace panoptes {

Monitor::Monitor(const Limits& limits, Clock clock, Observer observer,
                 const std::atomic<bool>* interrupted)
    : limits_(limits),
      clock_(std::move(clock)),
      observer_(std::move(observer)),
      interrupted_(interrupted),
      start_(clock_()) {}

bool Monitor::has_time(double now) {
  if (interrupted_ && interrupted_->load(std::memory_order_relaxed)) end(Stop::interrupted);
  if (limits_.seconds > 0.0 && now >= limits_.seconds) end(Stop::time);
  return stop() == Stop::finished;
}

bool Monitor::go_on(Progress progress) {
  progress.seconds = seconds();
  static_cast<void>(has_time(progress.seconds));
  if (progress.memory_bytes > limits_.memory_bytes) end(Stop::memory);
  samples_.offer(
      {progress.seconds, progress.states, progress.frontier, progress.held_bytes, progress.depth});
  if (observer_ && progress.seconds >= next_report_) {
    next_report_ = progress.seconds + 0.2;
    observer_(progress);
  }
  return stop() == Stop::finished;
}

void Monitor::end(Stop reason) {
  Stop running = Stop::finished;
  stop_.compare_exchange_strong(running, reason);
}

}  // namespace panoptes
