// SPDX-License-Identifier: Apache-2.0
// What --time is spent on.
//
// A time limit is one of the whole command, from its start to the last line it prints. A search
// ends by itself when it is over, trails are made a little longer, and written a little longer
// still; those are the promises of whoever can do with less. What has nothing to say before it is
// done (compiling, a query in a database, a drawing) is ended.
#pragma once

#include "api/check_model.hpp"
#include "app/commands.hpp"
#include "base/deadline.hpp"

namespace panoptes {

// Whether there is a limit for the command as a whole; with --watch, and in a sweep, there is one
// for each check.
bool has_time_limit(const Arguments& arguments);

// Ends the process when the time is over, while it has nothing to say.
void limit_time(const Arguments& arguments);

// From now on it has: a search, and a report of what it has found, obey the limits that follow. The
// process is ended only where they do not.
void leave_time_for_report(const Arguments& arguments);

// There is nothing left to do.
void end_time_limit();

// The seconds a search may take from now on, and its trails afterwards; none where there is no
// limit.
void set_time_limits(const Arguments& arguments, Limits& limits);

// When the time is over; never where there is no limit.
Deadline command_deadline(const Arguments& arguments);

// When a report should not go on with trails.
Deadline report_deadline(const Arguments& arguments);

}  // namespace panoptes
