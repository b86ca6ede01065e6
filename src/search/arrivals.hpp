// SPDX-License-Identifier: Apache-2.0
// Searches for what arrives where.
#pragma once

#include "search/check.hpp"
#include "verdict/arrivals.hpp"

namespace panoptes {

// Looks at every state that a breadth-first search with these options comes to. Which receptions
// are reported makes no difference: all are. Throws as check() does.
Arrivals find_arrivals(const Program& program, const CheckOptions& options);

}  // namespace panoptes
