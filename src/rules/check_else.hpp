// SPDX-License-Identifier: Apache-2.0
// What makes no sense beside an `else`.
#pragma once

#include "base/diagnostic.hpp"
#include "protocol/protocol.hpp"

namespace panoptes {

// Complains of timeouts that wait for others beside an `else`, which always comes before them: an
// error where the timeout says so itself, a warning where only `standard` does, the kind of those
// that do not say.
void check_else(const Protocol& protocol, TimeoutPolicy standard, Diagnostics& diagnostics);

}  // namespace panoptes
