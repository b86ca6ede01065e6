// SPDX-License-Identifier: Apache-2.0
// Options as reports have them.
#pragma once

#include <map>
#include <string>

#include "options/values.hpp"

namespace panoptes {

// Every option that has a value, -D and --fold included and passwords taken out.
std::map<std::string, std::string> reported_options(const OptionValues& values);

// The address of a database with `***` for every password in it: that of the user, and those among
// its parameters. Anything else is left as it is.
std::string without_passwords(const std::string& address);

}  // namespace panoptes
