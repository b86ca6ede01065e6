// SPDX-License-Identifier: Apache-2.0
// The model of a command, from its file or from standard input, within --memory.
#pragma once

#include <vector>

#include "api/load.hpp"
#include "app/commands.hpp"
#include "app/watch.hpp"

namespace panoptes {

// REQUIRES: validate() has nothing to say of `arguments`.
Loaded load(const Arguments& arguments);
// `files`: those that were to be read, found or not, as they were then.
Loaded load(const Arguments& arguments, std::vector<FileStamp>& files);

}  // namespace panoptes
