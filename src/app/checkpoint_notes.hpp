// SPDX-License-Identifier: Apache-2.0
// What a command that writes checkpoints says of them in the end.
#pragma once

#include "api/check_model.hpp"
#include "api/checkpoints.hpp"

namespace panoptes {

// Whether a run that goes on may find more.
bool ended_early(const Verdict& verdict);

// How many were written, why the last one was not, and how to go on, if that is of use.
void tell_what_was_written(const Checkpoints& checkpoints, bool may_go_on);

}  // namespace panoptes
