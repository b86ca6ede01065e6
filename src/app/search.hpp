// SPDX-License-Identifier: Apache-2.0
// The search of `check`, for whoever wants its verdict.
#pragma once

#include <optional>

#include "api/check_model.hpp"
#include "app/load.hpp"

namespace panoptes {

// Nothing after a fault of Panoptes, which has been reported. `checkpoints` may be null. REQUIRES:
// `loaded` has a program, and `arguments` are those of `check`.
std::optional<Verdict> search(const Arguments& arguments, const Loaded& loaded,
                              Checkpoints* checkpoints = nullptr);

}  // namespace panoptes
