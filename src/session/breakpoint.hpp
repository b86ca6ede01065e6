// SPDX-License-Identifier: Apache-2.0
// Where a run should stop: at a line, or where something becomes true.
//
// How it may be wrong: of merged options that lead from one statement to different ones nobody can
// tell which was taken, and a run stops at the lines of all of them. A predicate is looked at after
// each step of a run, so nothing that holds for less than a step is there to be missed; one that
// holds from the start on never becomes true.
//
// Thread safety: functions of their arguments.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "protocol/cost.hpp"
#include "rules/positions.hpp"

namespace panoptes {

struct Breakpoint {
  std::string text;          // as it was given
  std::uint32_t line = 0;    // 0: a predicate
  CostExpression predicate;  // of the whole system
};

// Whether a step of `rule` that led from one state to the other, where everybody is at `positions`,
// `depth` steps from the initial one, has come to the breakpoint: its process is now before a
// statement of that line, or the predicate holds and did not before it. One without a value does
// not hold. REQUIRES: depth > 0.
bool stops_at(const Program& program, const SourceSet& sources, const Breakpoint& breakpoint,
              RuleId rule, StateView before, StateView after, const Positions& positions,
              std::uint64_t depth);

// Lines in which a step can begin, in order.
std::vector<std::uint32_t> lines_of_steps(const Program& program, const SourceSet& sources);

}  // namespace panoptes
