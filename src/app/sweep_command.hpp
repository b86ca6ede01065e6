// SPDX-License-Identifier: Apache-2.0
// What `panoptes sweep` can be asked for.
#pragma once

#include <string>

#include "app/commands.hpp"

namespace panoptes {

// A complaint about the parameters of a sweep or the names of its files, or nothing.
std::string wrong_sweep(const Arguments& arguments);

}  // namespace panoptes
