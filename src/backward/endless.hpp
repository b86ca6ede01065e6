// SPDX-License-Identifier: Apache-2.0
// Can an indivisible sequence go on for ever? It can only if it comes back to a state it has been
// in, and so only round a loop of control states inside of it, on which nothing only grows.
//
// How it can be wrong: it may say so of a sequence that always ends, never the other way round.
#pragma once

#include "rules/program.hpp"

namespace panoptes {

bool may_be_endless(const Program& program);

}  // namespace panoptes
