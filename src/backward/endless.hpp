// SPDX-License-Identifier: Apache-2.0
// Can an indivisible sequence go on for ever? It can only if it comes back to a state it has been
// in, and so only round a loop of control states inside of it, on which nothing only grows. Of the
// rules on such loops it is asked backwards from where so many steps can be taken one after the
// other: where that comes to an end, so does every sequence.
//
// How it can be wrong: it may say so of a sequence that always ends, never the other way round.
#pragma once

#include "backward/possible_together.hpp"

namespace panoptes {

// Where time or work end, it may be.
bool may_be_endless(ReversedProgram& reversed, const PossibleTogether& together,
                    const BackwardLimits& limits);

}  // namespace panoptes
