// SPDX-License-Identifier: Apache-2.0
// From the groups a search has logged to reports: their trails, replayed, while time and memory
// last.
//
// Idea: shortest first, since the shortest says most and takes least. A trail for which there is no
// room is not begun, one for which there is no time is given up; the error is reported without it,
// with everything that its state tells.
// How it can be wrong: not; what has no trail says so.
#pragma once

#include <string>

#include "verdict/conclusions.hpp"
#include "verdict/error_log.hpp"

namespace panoptes {

// What trails may take, all together.
struct TrailRoom {
  Deadline deadline;
  std::uint64_t bytes = UINT64_MAX;
};

// What a trail of so many steps takes, at most.
std::uint64_t replayed_trail_bytes(const Program& program, std::uint64_t steps);

// Adds a report of every group to the errors and warnings of `verdict`. False where a trail does
// not replay, with the reason in `problem`.
bool make_reports(const Program& program, const ErrorLog& errors, WayBack& way_back,
                  const Strictness& strictness, const SourceSet& sources, TrailRoom room,
                  Verdict& verdict, std::string& problem);

}  // namespace panoptes
