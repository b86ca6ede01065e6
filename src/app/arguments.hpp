// SPDX-License-Identifier: Apache-2.0
// What several commands say alike.
#pragma once

#include <string>

#include "app/commands.hpp"

namespace panoptes {

// Says what is wrong with what the user gave; the exit code for that.
int complain(const std::string& problem);

// Says that Panoptes itself is at fault; the exit code for that.
int own_fault(const std::string& problem);

}  // namespace panoptes
