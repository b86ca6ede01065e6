// SPDX-License-Identifier: Apache-2.0
// What of a long chart is drawn: once what repeats, and not the middle of what is still too long.
#pragma once

#include <vector>

#include "report/chart.hpp"

namespace panoptes {

// The events with these rules, from `first` up to `end`: blocks that come three times or more, or
// twice if they are long, are one part.
std::vector<ChartPart> fold(const std::vector<RuleId>& rules, std::size_t first, std::size_t end);

// Leaves out the middle: a third of what may be drawn comes before it, two thirds after. Events
// that matter stay.
std::vector<ChartPart> leave_out_middle(const std::vector<ChartPart>& parts, std::size_t most,
                                        const std::vector<bool>& matters);

}  // namespace panoptes
