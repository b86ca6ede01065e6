// SPDX-License-Identifier: Apache-2.0
// Inference of value ranges.
#pragma once

#include "protocol/protocol.hpp"

namespace panoptes {

// Fills in Variable::range and MessageType::values with intervals that hold every value the
// variable or message field can ever have. Needs the sorts.
void infer_ranges(Protocol& protocol);

// Every value `left op right` can have, for the operations that are not leaves; {0, 1} for
// comparisons and logic.
Interval interval_of(Op op, Interval left, Interval right);

}  // namespace panoptes
