// SPDX-License-Identifier: Apache-2.0
// Whether the options of a command make sense: each by itself, and all of them together.
#pragma once

#include <string>

#include "app/commands.hpp"
#include "base/options.hpp"

namespace panoptes {

// What is wrong with the values of `arguments`; "" where nothing is.
std::string validate(const Arguments& arguments);

// A complaint about options that do not go together, whatever their values are; "" where all do.
std::string options_that_clash(const Arguments& arguments);

// What has to stand behind the option: "a size, e.g. 64M or 4G", "one of breadth|depth".
std::string wanted_by(const OptionInfo& option);

}  // namespace panoptes
