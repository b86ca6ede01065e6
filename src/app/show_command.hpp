// SPDX-License-Identifier: Apache-2.0
// What `panoptes show` can show, and how.
#pragma once

#include <string>

#include "app/commands.hpp"

namespace panoptes {

// A complaint about what is to be shown, or nothing.
std::string wrong_view(const Arguments& arguments);

// Whether some of it comes from a search.
bool shows_what_a_search_finds(const Arguments& arguments);

}  // namespace panoptes
