// SPDX-License-Identifier: Apache-2.0
// The commands of the program. Exit codes are a contract: see docs/command-line.md.
#pragma once

#include <string>

#include "api/arguments.hpp"

namespace panoptes {

enum ExitCode : int {
  holds = 0,
  errors_found = 1,
  bad_input = 2,
  unknown = 3,
  internal_failure = 4
};

int check_command(const Arguments& arguments);
int show_command(const Arguments& arguments);
int relate_command(const Arguments& arguments);
int query_command(const Arguments& arguments);
int replay_command(const Arguments& arguments);
int simulate_command(const Arguments& arguments);
int steps_command(const Arguments& arguments);  // relate --steps
int format_command(const Arguments& arguments);
int explain_command(const Arguments& arguments);
int help_command(const Arguments& arguments);
int manual_command(const Arguments& arguments);
int completion_command(const Arguments& arguments);

// Prints `text`, for an exit code: that it is done, or that it could not be written.
int print_or_fail(const std::string& text);

}  // namespace panoptes
