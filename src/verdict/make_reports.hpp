// SPDX-License-Identifier: Apache-2.0
// From the groups a search has logged to reports: their trails, replayed, while time, memory and
// work last.
//
// Idea: shortest first, since the shortest says most and takes least. All are replayed, but nobody
// reads thousands: of those behind the first ones only the way is kept, of which the trail is made
// again when somebody asks for it. A trail for which there is no room is not begun, one for which
// there is no time is given up; the error is reported without it, with everything that its state
// tells.
// How it can be wrong: not; what has no trail says so.
#pragma once

#include <string>

#include "verdict/conclusions.hpp"
#include "verdict/error_log.hpp"

namespace panoptes {

// The trails of so many reports are kept whole, of others their ways.
inline constexpr std::size_t kept_trails = 100;

// What trails may take, all together.
struct TrailRoom {
  Deadline deadline;
  std::uint64_t bytes = UINT64_MAX;
  std::uint64_t steps = 1'000'000;  // to be replayed, which is a matter of seconds
};

// What a trail of so many steps takes, at most.
std::uint64_t replayed_trail_bytes(const Program& program, std::uint64_t steps);

// Leaves of the trail of an error its way and where it ends. A run without end keeps what it has.
void keep_way(const Program& program, ErrorReport& error);

// The same error with the trail that its way stands for, walked once more; without, where that
// takes too long. REQUIRES: its gap is that nobody has asked for it.
ErrorReport with_trail(const Program& program, const ErrorReport& error, const Deadline& deadline);

// Whose errors these are, and what was searched in its place: rule by rule the same, but what
// nobody will read may have another value. Trails are those of the program as written.
struct SearchedProgram {
  const Program& written;
  const Program& searched;
};

// Adds a report of every group to the errors and warnings of `verdict`. False where a trail does
// not replay, with the reason in `problem`.
bool make_reports(const SearchedProgram& program, const ErrorLog& errors, WayBack& way_back,
                  const Strictness& strictness, const SourceSet& sources, TrailRoom room,
                  Verdict& verdict, std::string& problem);

}  // namespace panoptes
