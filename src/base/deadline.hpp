// SPDX-License-Identifier: Apache-2.0
// When to give up: asked in loops that may take long, by whoever can do with less.
//
// Thread safety: as that of the question.
#pragma once

#include <atomic>
#include <functional>
#include <limits>
#include <utility>

namespace panoptes {

class Deadline {
 public:
  Deadline() = default;  // never
  // `seconds_left`: until then; negative when it has passed.
  // `interrupted`: set by who does not want to wait any longer; null where nobody can.
  explicit Deadline(std::function<double()> seconds_left,
                    const std::atomic<bool>* interrupted = nullptr)
      : seconds_left_(std::move(seconds_left)), interrupted_(interrupted) {}

  double seconds_left() const {
    if (is_interrupted()) return -1.0;
    return seconds_left_ ? seconds_left_() : std::numeric_limits<double>::infinity();
  }
  bool has_passed() const { return (seconds_left_ || interrupted_) && seconds_left() <= 0.0; }
  bool is_interrupted() const { return interrupted_ && interrupted_->load(); }

 private:
  std::function<double()> seconds_left_;
  const std::atomic<bool>* interrupted_ = nullptr;
};

}  // namespace panoptes
