// SPDX-License-Identifier: Apache-2.0
// What would take a search further that has reached its memory limit.
#pragma once

#include <string>
#include <vector>

#include "app/commands.hpp"
#include "verdict/verdict.hpp"

namespace panoptes {

// Options as they are typed, the cheapest first: only those that go with the ones that were given,
// none of these, and none that makes smaller what was small. Nothing where it was not for memory
// that the search ended.
std::vector<std::string> remedies_for(const Arguments& arguments, const Verdict& verdict);

}  // namespace panoptes
