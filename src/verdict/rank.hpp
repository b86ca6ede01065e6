// SPDX-License-Identifier: Apache-2.0
// Which of two errors comes first: that with the shorter trail, and of those as long a deadlock
// after the errors it may follow from. What is left is decided by the keys of their groups.
//
// An indivisible sequence is one step here, and events do not count: which of several trails of as
// many such steps is found differs from run to run where several threads search, and with it how
// many statements and events it has. The number of an error may not.
#pragma once

#include <compare>
#include <vector>

#include "verdict/verdict.hpp"

namespace panoptes {

struct ErrorRank {
  std::uint64_t steps = 0;
  bool is_deadlock = false;
  friend auto operator<=>(const ErrorRank&, const ErrorRank&) = default;
};

// Of a finding in a state at that depth.
inline ErrorRank error_rank(const Finding& finding, std::uint64_t depth) {
  return {depth + (finding.rule != none), finding.kind == ErrorKind::deadlock};
}

// Puts errors of several engines in order.
void sort_by_length(std::vector<ErrorReport>& errors);

}  // namespace panoptes
