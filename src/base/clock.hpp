// SPDX-License-Identifier: Apache-2.0
// The clocks of the machine, for whoever measures how long something takes.
#pragma once

#include <chrono>
#include <ctime>

namespace panoptes {

// Seconds since some time in the past.
inline double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// What the processors have worked for this process, all threads together.
inline double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace panoptes
