// SPDX-License-Identifier: Apache-2.0
// The folder of --checkpoint and --resume, opened for a check.
#pragma once

#include <memory>
#include <string>

#include "base/result.hpp"
#include "load/load.hpp"
#include "options/values.hpp"
#include "search/checkpoints.hpp"

namespace panoptes {

// Null where neither is given. A complaint where nothing can be written there, where a checkpoint
// is damaged, or where it is one of another model, with other options or of another version.
// REQUIRES: `loaded` has a program.
Result<std::unique_ptr<Checkpoints>, std::string> open_checkpoints(const OptionValues& values,
                                                                   const Loaded& loaded);

}  // namespace panoptes
