// SPDX-License-Identifier: Apache-2.0
// What proves that something cannot happen: of all that was excluded, as much as is needed.
//
// Idea: begin with nothing. While a state is left that is wrong, take the first of what was
// excluded that has it; then the same for every step into what was taken. Lemmas that helped to
// find others, and are not needed any more, are left out, and of what is impossible together
// (possible_together.hpp) only what somebody has asked for comes in.
//
// Cost: as many questions as there are steps into what is taken, and as many more as that is.
// Thread safety: one thread.
#pragma once

#include <optional>
#include <vector>

#include "backward/claim_literals.hpp"
#include "backward/possible_together.hpp"

namespace panoptes {

// Claims such that no state that shows one of `wrong` is in none of them, the initial state is in
// none of them, and no rule leads from a state in none of them into one. Nothing where what is
// proved is too little for that, it takes more claims than there may be, or something has come to
// an end.
std::optional<std::vector<Claim>> invariant_against(ReversedProgram& reversed,
                                                    const std::vector<Targets::Candidate>& wrong,
                                                    const std::vector<Claim>& proved,
                                                    const PossibleTogether* together,
                                                    const BackwardLimits& limits);

}  // namespace panoptes
