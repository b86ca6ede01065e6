// SPDX-License-Identifier: Apache-2.0
// Ends a search that has found too many states for what a test wants of it. By their number: memory
// would not end it, and time would not end it at the same place.
#pragma once

#include <atomic>

#include "search/check_options.hpp"

namespace panoptes::test {

// REQUIRES: outlives the search.
class StateLimit {
 public:
  explicit StateLimit(std::uint64_t most) : most_(most) {}

  // From now on a search with these options ends, as interrupted, soon after it has found more.
  void apply(CheckOptions& options) {
    // An observer is told every half second: one passes whenever somebody looks at the clock.
    options.clock = [this] { return static_cast<double>(++looks_); };
    options.observer = [this](const Progress& progress) {
      if (progress.states > most_) is_reached_ = true;
    };
    options.interrupted = &is_reached_;
  }

  bool is_reached() const { return is_reached_; }

 private:
  std::uint64_t most_;
  std::atomic<std::uint64_t> looks_ = 0;
  std::atomic<bool> is_reached_ = false;
};

}  // namespace panoptes::test
