// SPDX-License-Identifier: Apache-2.0
// Deliberate faults in tables of rules, each of which the comparison with naive_steps.hpp must
// catch.
#pragma once

#include <vector>

#include "differential/engine.hpp"

namespace panoptes::differential {

std::vector<PlantedFault> all_table_faults();

}  // namespace panoptes::differential
