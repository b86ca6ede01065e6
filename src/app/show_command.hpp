// SPDX-License-Identifier: Apache-2.0
// What `panoptes show` can show, and how.
#pragma once

#include <string>

#include "app/commands.hpp"

namespace panoptes {

// A complaint about what is to be shown, or nothing.
std::string wrong_view(const Arguments& arguments);

}  // namespace panoptes
