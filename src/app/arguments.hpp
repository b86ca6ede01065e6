// SPDX-License-Identifier: Apache-2.0
// What several commands make of their arguments, and say alike.
#pragma once

#include <map>
#include <string>

#include "app/commands.hpp"

namespace panoptes {

// The options as a report has them, -D and --fold included and passwords taken out.
std::map<std::string, std::string> reported_options(const Arguments& arguments);

// The address of a database with `***` for every password in it: that of the user, and those among
// its parameters. Anything else is left as it is.
std::string without_passwords(const std::string& address);

// Says what is wrong with what the user gave; the exit code for that.
int complain(const std::string& problem);

// Says that Panoptes itself is at fault; the exit code for that.
int own_fault(const std::string& problem);

}  // namespace panoptes
