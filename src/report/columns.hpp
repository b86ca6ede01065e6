// SPDX-License-Identifier: Apache-2.0
// A trail as text: the column report of messages, and the list of every step.
#pragma once

#include <string>

#include "verdict/trail.hpp"

namespace panoptes {

// One row for each message sent and each timeout, one column for each channel in declared order. A
// name stands in the column of the channel it is sent to, in brackets if it is never received;
// `tau` stands in the column of the channel whose reader gave up waiting. Receives have rows where
// the line did something to the message, and say which row has its send; flushes where they found
// something.
std::string column_report(const Program& program, const Trail& trail);

// What of a trail the columns do not show, and who shows it: the steps that are no exchange, but
// for one that fails, which the error is about. "" where there are none.
std::string undrawn_text(const Program& program, const Trail& trail);

// Every step, numbered: process, source line, action, with the message that was sent, received or
// flushed where the action does not say it, and the control state it leads to.
struct StepListing {
  // What stands below a step: the variables it has changed and what is in the channels after it, or
  // the whole state, and then the initial one above all.
  enum class Below : std::uint8_t { nothing, changes, state };
  Below below = Below::nothing;
  std::size_t first = 1;    // the number of the first step
  Whereabouts start = {};   // of everybody before it; none where it begins in the initial state
  std::size_t width = 100;  // of lines that can be folded
};
std::string step_report(const Program& program, const Trail& trail, const SourceSet& sources,
                        const StepListing& listing = {});

}  // namespace panoptes
