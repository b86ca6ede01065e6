// SPDX-License-Identifier: Apache-2.0
// When to give up: asked in loops that may take long, by whoever can do with less.
//
// Thread safety: as that of the question.
#pragma once

#include <functional>
#include <utility>

namespace panoptes {

class Deadline {
 public:
  Deadline() = default;  // never
  explicit Deadline(std::function<bool()> has_passed) : has_passed_(std::move(has_passed)) {}

  bool has_passed() const { return has_passed_ && has_passed_(); }

 private:
  std::function<bool()> has_passed_;
};

}  // namespace panoptes
