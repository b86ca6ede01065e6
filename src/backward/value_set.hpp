// SPDX-License-Identifier: Apache-2.0
// A set of numbers, as intervals with holes between them: what is claimed of one variable.
//
// Invariants: the parts are in order, none is empty, and no two of them touch.
// Cost: of all operations, that of looking at the parts once.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "protocol/protocol.hpp"

namespace panoptes {

class ValueSet {
 public:
  ValueSet() = default;  // no number
  ValueSet(std::int64_t low, std::int64_t high) {
    if (low <= high) parts_.push_back({low, high});
  }
  static ValueSet only(std::int64_t value) { return {value, value}; }

  bool is_empty() const { return parts_.empty(); }
  bool is_one() const { return parts_.size() == 1 && parts_[0].low == parts_[0].high; }
  // REQUIRES: it is not empty.
  std::int64_t low() const { return parts_.front().low; }
  std::int64_t high() const { return parts_.back().high; }
  std::uint64_t size() const;
  bool contains(std::int64_t value) const;
  bool is_within(const ValueSet& other) const;
  const std::vector<Interval>& parts() const { return parts_; }

  // Adds a number. Cheap where it is above all others.
  void add(std::int64_t value);
  // Adds low..high. REQUIRES: all others are below it, and one between is not in the set.
  void add_behind(std::int64_t low, std::int64_t high) { parts_.push_back({low, high}); }

  friend ValueSet operator&(const ValueSet& left, const ValueSet& right);
  friend ValueSet operator|(const ValueSet& left, const ValueSet& right);
  friend ValueSet operator-(const ValueSet& left, const ValueSet& right);
  friend bool operator==(const ValueSet&, const ValueSet&) = default;

  // Calls `use` for every number, in order.
  template <typename Use>
  void for_each(Use use) const {
    for (const Interval& part : parts_)
      for (std::int64_t value = part.low; value <= part.high; ++value) use(value);
  }

 private:
  std::vector<Interval> parts_;
};

// `{1..3, 7}`.
std::string to_text(const ValueSet& set);

}  // namespace panoptes
