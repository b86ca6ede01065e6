// SPDX-License-Identifier: Apache-2.0
// The model of a command, from its file or from standard input, within --memory.
#pragma once

#include <vector>

#include "api/load.hpp"
#include "app/commands.hpp"
#include "app/watch.hpp"

namespace panoptes {

// What complaints call a text that has no file. It has no folder either, so what it includes is
// looked for in the one the program was started in.
inline constexpr const char* standard_input = "<standard input>";

// `-` is standard input. REQUIRES: validate() has nothing to say of `arguments`.
Loaded load(const Arguments& arguments);
// `files`: those that were to be read, found or not, as they were then.
Loaded load(const Arguments& arguments, std::vector<FileStamp>& files);

}  // namespace panoptes
