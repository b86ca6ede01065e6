// SPDX-License-Identifier: Apache-2.0
// The search of `check`, for whoever wants its verdict.
#pragma once

#include <optional>

#include "api/check_model.hpp"
#include "app/load.hpp"
#include "app/ranks.hpp"

namespace panoptes {

// Nothing after a fault of Panoptes, which has been reported. REQUIRES: `loaded` has a program, and
// `arguments` are those of `check`.
std::optional<Verdict> search(const Arguments& arguments, const Loaded& loaded);

// The same written down as it goes, or over several ranks, where there is help for it. `exit_code`
// says why there is nothing: it may be that this search cannot be divided.
struct SearchHelp {
  Checkpoints* checkpoints = nullptr;
  RankedRun* ranks = nullptr;
};
std::optional<Verdict> search(const Arguments& arguments, const Loaded& loaded, SearchHelp help,
                              int& exit_code);

}  // namespace panoptes
