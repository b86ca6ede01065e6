// SPDX-License-Identifier: Apache-2.0
// What the user's expression over the whole system is worth in a state.
#pragma once

#include "protocol/cost.hpp"
#include "rules/program.hpp"

namespace panoptes {

// `depth`: steps from the initial state. The fault is set where there is no value.
Evaluation cost_value(const Program& program, const CostExpression& cost, StateView state,
                      std::uint64_t depth);

}  // namespace panoptes
