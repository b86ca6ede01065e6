// SPDX-License-Identifier: Apache-2.0
// What is asked of a model, from the options of a command.
#pragma once

#include "load/load.hpp"
#include "options/values.hpp"

namespace panoptes {

// REQUIRES: the values make sense (options/parse.hpp, options/clashes.hpp).
ModelRequest model_request(const OptionValues& values);

}  // namespace panoptes
