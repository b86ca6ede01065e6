// SPDX-License-Identifier: Apache-2.0
// Deliberate faults of the engine, each of which the comparison must catch.
#pragma once

#include <vector>

#include "differential/engine.hpp"

namespace panoptes::differential {

std::vector<PlantedFault> all_faults();

}  // namespace panoptes::differential
