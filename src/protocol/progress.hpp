// SPDX-License-Identifier: Apache-2.0
// Labels that begin with `progress`: who goes on for ever passes one of them again and again.
#pragma once

#include <optional>

#include "protocol/protocol.hpp"

namespace panoptes {

// As a property of every run; nothing where there is no such label. A run that ends makes no
// progress and need not. REQUIRES: control states have the numbers that stay.
std::optional<TemporalProperty> progress_property(Protocol& protocol);

}  // namespace panoptes
