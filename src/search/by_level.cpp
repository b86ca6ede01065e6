// SPDX-License-Identifier: Apache-2.0
#include "search/by_level.hpp"

#include <algorithm>

namespace panoptes {
namespace {

constexpr std::uint64_t first_break = 15;  // times what was looked at
// One step of so many is left out where it pays. (Of what is behind it nothing may be seen: in
// `models/tree_commit.argos` one step of 14 makes a hundredth of the states. Where it is one of a
// hundred, we know of no protocol that gains.)
constexpr std::uint64_t worthwhile = 64;

}  // namespace

bool SelectByLevel::is_asked_at(std::uint64_t depth) const {
  const auto changes = std::ranges::upper_bound(changes_, depth) - changes_.begin();
  return changes % 2 == 0;
}

void SelectByLevel::begin_level(std::uint64_t depth, const Steps& steps) noexcept {
  const std::uint64_t seen = steps.seen - before_.seen,
                      left_out = steps.left_out - before_.left_out;
  const bool is_asked = changes_.size() % 2 == 0;
  if (seen < (is_asked ? enough_steps_ : break_steps_) || changes_.size() >= most_changes) return;
  before_ = steps;
  if (is_asked && left_out >= seen / worthwhile) {
    break_steps_ = 0;
    return;
  }
  if (is_asked) break_steps_ = std::max(first_break * seen, 2 * break_steps_);
  changes_.push_back(depth);
}

void SelectByLevel::save(RecordWriter& record) const {
  record.numbers(changes_);
  for (const std::uint64_t number : {before_.seen, before_.left_out, break_steps_})
    record.number(number);
}

void SelectByLevel::load(RecordReader& record) {
  record.numbers(changes_);
  for (auto* number : {&before_.seen, &before_.left_out, &break_steps_}) *number = record.number();
}

}  // namespace panoptes
