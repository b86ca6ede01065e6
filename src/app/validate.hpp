// SPDX-License-Identifier: Apache-2.0
// Whether the options of a command make sense: each by itself, and all of them together.
#pragma once

#include <string>

#include "app/commands.hpp"

namespace panoptes {

// What is wrong with the values of `arguments`; "" where nothing is.
std::string validate(const Arguments& arguments);

}  // namespace panoptes
