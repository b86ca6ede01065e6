// SPDX-License-Identifier: Apache-2.0
// The steady clock of the machine, for whoever measures how long something takes.
#pragma once

#include <chrono>

namespace panoptes {

// Seconds since some time in the past.
inline double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace panoptes
