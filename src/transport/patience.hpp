// SPDX-License-Identifier: Apache-2.0
// How a rank waits: it yields, and sleeps where that has been of no use for long.
//
// Where there are more ranks than processors, the one it waits for may itself wait for a processor:
// it sleeps soon then.
#pragma once

#include <algorithm>
#include <chrono>
#include <thread>

namespace panoptes {

class Patience {
 public:
  // `ranks`: of this machine.
  explicit Patience(unsigned ranks)
      : yields_(ranks > std::thread::hardware_concurrency() ? 20 : 2000) {}

  // Something has come.
  void begin() { rests_ = 0; }

  void rest() {
    constexpr unsigned most_doublings = 7;
    const unsigned rests = rests_++;
    if (rests < yields_) return std::this_thread::yield();
    std::this_thread::sleep_for(
        std::chrono::microseconds(1u << std::min(most_doublings, (rests - yields_) / 8)));
  }

 private:
  unsigned yields_;
  unsigned rests_ = 0;
};

}  // namespace panoptes
