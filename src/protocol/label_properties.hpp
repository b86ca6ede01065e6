// SPDX-License-Identifier: Apache-2.0
// What labels say of runs: who goes on for ever passes one that begins with `progress` again and
// again, and none that begins with `accept`.
#pragma once

#include <optional>

#include "protocol/protocol.hpp"

namespace panoptes {

// As a property of every run; nothing where there is no such label. A run that ends makes no
// progress and need not, but accepts for ever where it ends at a label. REQUIRES: `origin` is one
// of labels; control states have the numbers that stay.
std::optional<TemporalProperty> label_property(Protocol& protocol, PropertyOrigin origin);

}  // namespace panoptes
