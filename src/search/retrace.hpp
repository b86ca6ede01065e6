// SPDX-License-Identifier: Apache-2.0
// A path given by its choices among the successors, as rules.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "base/deadline.hpp"
#include "search/selector.hpp"
#include "step/stepper.hpp"

namespace panoptes {

// Expands the states of the path once more. `selector` is the one of the search, or null. Nothing
// where that takes too long.
std::optional<std::vector<RuleId>> retrace(std::span<const std::uint32_t> choices, Stepper& stepper,
                                           const Selector* selector, const Deadline& deadline);

}  // namespace panoptes
