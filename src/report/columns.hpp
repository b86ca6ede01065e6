// SPDX-License-Identifier: Apache-2.0
// A trail as text: the column report of messages, and the list of every step.
#pragma once

#include <string>

#include "verdict/trail.hpp"

namespace panoptes {

// One row for each message sent and each timeout, one column for each channel in declared order. A
// name stands in the column of the channel it is sent to, in brackets if it is never received;
// `tau` stands in the column of the channel whose reader gave up waiting.
std::string column_report(const Program& program, const Trail& trail);

// Every step, numbered: process, source line, action, and the control state it leads to; with
// changes, below it the variables it has changed and what is in the channels after it. `first` is
// the number of the first step.
enum class Changes { hidden, shown };
std::string step_report(const Program& program, const Trail& trail, const SourceSet& sources,
                        Changes changes = Changes::hidden, std::size_t first = 1);

}  // namespace panoptes
