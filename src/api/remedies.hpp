// SPDX-License-Identifier: Apache-2.0
// What would take a search further that did not see everything.
#pragma once

#include <string>
#include <vector>

#include "api/check_model.hpp"
#include "options/values.hpp"

namespace panoptes {

// Options to add, as they are typed, to enlarge or to leave out, the cheapest first: only those
// that go with the ones that were given, and, where memory was short, none that makes smaller what
// was small.
std::vector<std::string> remedies_for(const OptionValues& values, const Verdict& verdict);

}  // namespace panoptes
