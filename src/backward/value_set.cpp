// SPDX-License-Identifier: Apache-2.0
#include "backward/value_set.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace panoptes {

std::uint64_t ValueSet::size() const {
  std::uint64_t size = 0;
  for (const Interval& part : parts_) size += static_cast<std::uint64_t>(part.high - part.low) + 1;
  return size;
}

bool ValueSet::contains(std::int64_t value) const {
  return std::any_of(parts_.begin(), parts_.end(),
                     [&](const Interval& part) { return part.contains(value); });
}

bool ValueSet::is_within(const ValueSet& other) const {
  auto around = other.parts_.begin();
  for (const Interval& part : parts_) {
    while (around != other.parts_.end() && around->high < part.low) ++around;
    if (around == other.parts_.end() || part.low < around->low || part.high > around->high)
      return false;
  }
  return true;
}

void ValueSet::add(std::int64_t value) {
  if (parts_.empty() || value > parts_.back().high + 1)
    parts_.push_back({value, value});
  else if (value == parts_.back().high + 1)
    ++parts_.back().high;
  else if (!contains(value))
    *this = *this | only(value);
}

ValueSet operator&(const ValueSet& left, const ValueSet& right) {
  ValueSet both;
  auto l = left.parts_.begin();
  auto r = right.parts_.begin();
  while (l != left.parts_.end() && r != right.parts_.end()) {
    const Interval part{std::max(l->low, r->low), std::min(l->high, r->high)};
    if (!part.is_empty()) both.parts_.push_back(part);
    if (l->high < r->high)
      ++l;
    else
      ++r;
  }
  return both;
}

ValueSet operator|(const ValueSet& left, const ValueSet& right) {
  std::vector<Interval> parts(left.parts_);
  parts.insert(parts.end(), right.parts_.begin(), right.parts_.end());
  std::sort(parts.begin(), parts.end(),
            [](const Interval& a, const Interval& b) { return a.low < b.low; });
  ValueSet all;
  for (const Interval& part : parts) {
    if (all.parts_.empty() || part.low > all.parts_.back().high + 1)
      all.parts_.push_back(part);
    else
      all.parts_.back().high = std::max(all.parts_.back().high, part.high);
  }
  return all;
}

ValueSet operator-(const ValueSet& left, const ValueSet& right) {
  ValueSet rest;
  for (Interval part : left.parts_) {
    for (const Interval& gone : right.parts_) {
      if (gone.high < part.low) continue;
      if (gone.low > part.high) break;
      if (gone.low > part.low) rest.parts_.push_back({part.low, gone.low - 1});
      part.low = gone.high + 1;
    }
    if (!part.is_empty()) rest.parts_.push_back(part);
  }
  return rest;
}

std::string to_text(const ValueSet& set) {
  std::string text;
  for (const Interval& part : set.parts()) {
    text += text.empty() ? "{" : ", ";
    text += part.low == part.high ? fmt::format("{}", part.low)
                                  : fmt::format("{}..{}", part.low, part.high);
  }
  return text.empty() ? "{}" : text + "}";
}

}  // namespace panoptes
