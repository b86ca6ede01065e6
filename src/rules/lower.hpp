// SPDX-License-Identifier: Apache-2.0
// Rules to the form for machines.
#pragma once

#include "rules/lowered.hpp"

namespace panoptes {

// REQUIRES: timeouts are all of one class.
Lowered lower(const Program& program);

}  // namespace panoptes
