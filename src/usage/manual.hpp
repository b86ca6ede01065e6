// SPDX-License-Identifier: Apache-2.0
// The manual page panoptes(1) in the language of man(7), from the tables of commands and options.
#pragma once

#include <string>

namespace panoptes {

std::string manual_page();

}  // namespace panoptes
