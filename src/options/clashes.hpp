// SPDX-License-Identifier: Apache-2.0
// Options that do not go together, by the rules of the table of options.
#pragma once

#include <string>

#include "options/values.hpp"

namespace panoptes {

// A complaint about options that do not go together, whatever their values are; "" where all do.
std::string options_that_clash(const OptionValues& values);

}  // namespace panoptes
