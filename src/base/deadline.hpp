// SPDX-License-Identifier: Apache-2.0
// When to give up: asked in loops that may take long, by whoever can do with less.
//
// Thread safety: as that of the question.
#pragma once

#include <functional>
#include <limits>
#include <utility>

namespace panoptes {

class Deadline {
 public:
  Deadline() = default;  // never
  // `seconds_left`: until then; negative when it has passed.
  explicit Deadline(std::function<double()> seconds_left)
      : seconds_left_(std::move(seconds_left)) {}

  double seconds_left() const {
    return seconds_left_ ? seconds_left_() : std::numeric_limits<double>::infinity();
  }
  bool has_passed() const { return seconds_left_ && seconds_left_() <= 0.0; }

 private:
  std::function<double()> seconds_left_;
};

}  // namespace panoptes
