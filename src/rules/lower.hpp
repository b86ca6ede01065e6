// SPDX-License-Identifier: Apache-2.0
// Rules to the form for machines.
#pragma once

#include "protocol/protocol.hpp"
#include "rules/lowered.hpp"

namespace panoptes {

// REQUIRES: timeouts are all of one class.
Lowered lower(const Program& program);

// As if there were no other rules than those of the first class whose owner `process` is; it says
// nothing of states that must be examined.
Lowered lower_alone(const Program& program, ProcessId process);

}  // namespace panoptes
