// SPDX-License-Identifier: Apache-2.0
// The last passes to a checked protocol, the same for every language.
#pragma once

#include "base/diagnostic.hpp"
#include "protocol/build_options.hpp"
#include "protocol/protocol.hpp"

namespace panoptes {

// Infers ranges, minimises automata, determinises assertions. False where that asks for too much,
// which is reported. REQUIRES: automata without transit states; sorts and readers of all channels.
bool finish(Protocol& protocol, const BuildOptions& options, Diagnostics& diagnostics);

}  // namespace panoptes
