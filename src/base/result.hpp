// SPDX-License-Identifier: Apache-2.0
// A value, or why there is none.
//
// For what can fail for reasons outside of the program: a server, a disk. Complaints about a model
// are diagnostics; bugs are assertions.
#pragma once

#include <optional>
#include <utility>
#include <variant>

namespace panoptes {

template <typename Value, typename Failure>
class [[nodiscard]] Result {
 public:
  Result(Value value) : held_(std::in_place_index<0>, std::move(value)) {}
  Result(Failure failure) : held_(std::in_place_index<1>, std::move(failure)) {}

  explicit operator bool() const { return held_.index() == 0; }
  // REQUIRES: there is a value.
  Value& operator*() { return std::get<0>(held_); }
  const Value& operator*() const { return std::get<0>(held_); }
  Value* operator->() { return &std::get<0>(held_); }
  const Value* operator->() const { return &std::get<0>(held_); }
  // REQUIRES: there is none.
  const Failure& failure() const { return std::get<1>(held_); }

 private:
  std::variant<Value, Failure> held_;
};

// Done, or why not.
template <typename Failure>
class [[nodiscard]] Result<void, Failure> {
 public:
  Result() = default;
  Result(Failure failure) : failure_(std::move(failure)) {}

  explicit operator bool() const { return !failure_; }
  const Failure& failure() const { return *failure_; }

 private:
  std::optional<Failure> failure_;
};

}  // namespace panoptes
