// SPDX-License-Identifier: Apache-2.0
// The folder of --checkpoint and --resume, opened for a command that searches.
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

// ---- of several ranks, each of which has a folder of its own in that one ----

// The folder of the one that is given; "" where none is.
std::string checkpoint_path(const OptionValues& values);
// What the file `ranks` of it says.
struct RanksCheckpoint {
  std::uint64_t ranks = 0;   // 0: there is no such file
  std::uint64_t number = 0;  // of the last checkpoint of which all parts are there; 0: none is
};
Result<RanksCheckpoint, std::string> read_ranks_checkpoint(const std::string& path);
// "", or what is wrong.
std::string write_ranks_checkpoint(const std::string& path, const RanksCheckpoint& checkpoint);
// The part of a rank; `last` is what rank 0 has read.
Result<std::unique_ptr<Checkpoints>, std::string> open_checkpoints(const OptionValues& values,
                                                                   const Loaded& loaded,
                                                                   const RanksCheckpoint& last,
                                                                   unsigned rank);

}  // namespace panoptes
