// SPDX-License-Identifier: Apache-2.0
// By how much does a rule change a variable? Known is what is the same wherever the rule can fire.
//
// Idea: `v = v + 1` adds one, modulo the size of the range that it is wrapped into; where it is
// bound by one, exactly, since elsewhere it has no successor. Of a variable with few values that
// only rules of one process assign to, those that it can have at each control state are computed
// first, so that `v = 1` is a change by one where it can only have been 0.
//
// How it can be wrong: what it knows is true in all states that can be reached; it may know less
// than there is. Nothing is known of elements that an index chooses.
// Cost: for each variable, its values times the rules of its process.
#pragma once

#include <cstdint>
#include <vector>

#include "rules/program.hpp"

namespace panoptes {

struct VariableChanges {
  struct Change {
    RuleId rule;
    std::int64_t added;
  };
  // What is added is known modulo this; 0: exactly; 1: not at all.
  std::uint64_t modulus = 0;
  std::vector<Change> changes = {};  // by rules that assign to it; others add nothing
};

// By variable.
std::vector<VariableChanges> changes_of_variables(const Program& program);

}  // namespace panoptes
