// SPDX-License-Identifier: Apache-2.0
// The members of families that are alike in something, by name.
#pragma once

#include <string>
#include <vector>

#include "verdict/verdict.hpp"

namespace panoptes {

// "in 3 members: node[0], node[1], node[2]", where the error was found in several members of a
// family; "" where it was not.
std::string alike_text(const Program& program, const ErrorReport& error);

// All of them.
std::vector<std::string> names_of(const Program& program, const Members& members);
std::vector<std::string> names_of(const Program& program, const std::vector<ProcessId>& processes);

}  // namespace panoptes
