// SPDX-License-Identifier: Apache-2.0
// What is wrong in any protocol: messages that are not accepted, deadlocks, what is left at the
// end, and steps whose checks do not hold.
#pragma once

#include "rules/program.hpp"

namespace panoptes {

// Makes the table of errors from the control states and rules of `program`; expressions that it
// needs are added to the pool.
void make_error_table(Program& program);

}  // namespace panoptes
