// SPDX-License-Identifier: Apache-2.0
// Which values an option may have, and how that is said.
#pragma once

#include <string>

#include "base/options.hpp"

namespace panoptes {

bool is_valid(const OptionInfo& option, const std::string& value);

// What has to stand behind the option: "a size, e.g. 64M or 4G", "one of breadth|depth".
std::string wanted_by(const OptionInfo& option);

}  // namespace panoptes
