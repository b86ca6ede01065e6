// SPDX-License-Identifier: Apache-2.0
// How far it is from a state to what is wrong, as an expression: what a forward search goes by that
// looks for it (`--search guided --towards`).
//
// Idea: claims are followed backwards, breadth first, as long as they are few. A state in a claim
// of the n-th round is n rules away from the target at the most, and no nearer where it is in none
// of a round before. What is in none of them is farther than all of them, and costs one more.
//
// Cost: of the expression, that of all claims, for each state. Thread safety: one thread.
#pragma once

#include <optional>
#include <vector>

#include "backward/reversed_program.hpp"
#include "protocol/cost.hpp"

namespace panoptes {

// Targets that are said by what they are not, such as all deadlocks as one, are left out.
CostExpression distance_to(ReversedProgram& reversed,
                           const std::vector<Targets::Candidate>& targets,
                           const BackwardLimits& limits);

}  // namespace panoptes
