// SPDX-License-Identifier: Apache-2.0
// What a folding of the state space ignores, as bits of the state vector.
#pragma once

#include <string>
#include <vector>

#include "rules/program.hpp"

namespace panoptes {

// The bits of "process NAME", "channel NAME" or "variable NAME". A family's name means all its
// members; a variable of a process is PROCESS.NAME, and NAME alone means all that are called so.
// Nothing where there is no such part, with the reason in `problem`.
std::optional<StateWords> folded_bits(const Program& program, const std::string& part,
                                      std::string& problem);

}  // namespace panoptes
