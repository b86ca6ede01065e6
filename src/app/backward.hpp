// SPDX-License-Identifier: Apache-2.0
// The search of `backward`, for whoever wants its verdict.
#pragma once

#include <optional>
#include <string>

#include "api/backward_verdict.hpp"
#include "api/checkpoints.hpp"
#include "api/confirm_verdict.hpp"
#include "app/load.hpp"

namespace panoptes {

// Nothing after a fault of Panoptes, which has been reported. `reversed` becomes that of the
// program of `loaded`, where there is memory for it; what was found of it goes to `outcome`. It
// goes on with the guesses in `checkpoints`, and writes its own there.
std::optional<Verdict> search_backwards(const Arguments& arguments, const Loaded& loaded,
                                        std::optional<ReversedProgram>& reversed,
                                        BackwardOutcome& outcome,
                                        Checkpoints* checkpoints = nullptr);

// Whether two directions have found the same, in words; a contradiction is reported.
bool are_alike(const Verdict& forward, const Verdict& backward, std::string& text);

}  // namespace panoptes
