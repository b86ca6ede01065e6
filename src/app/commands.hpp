// SPDX-License-Identifier: Apache-2.0
// The commands of the program. Exit codes are a contract: see docs/command-line.md.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "options/values.hpp"

namespace panoptes {

enum ExitCode : int {
  holds = 0,
  errors_found = 1,
  bad_input = 2,
  unknown = 3,
  internal_failure = 4
};

// The operands and options of one command as given, and where and when it began.
struct Arguments : OptionValues {
  using OptionValues::OptionValues;

  std::string model;  // its operand MODEL; "" where it has none
  std::map<std::string, std::vector<std::string>> operands;  // by name, MODEL included
  std::uint64_t fixed_bytes = 0;  // resident memory before the model was loaded
  double started = 0.0;           // when the command began, by the steady clock

  // The (first) operand of that name; "" where none was given.
  std::string operand(const std::string& name) const {
    const auto found = operands.find(name);
    return found == operands.end() || found->second.empty() ? std::string{} : found->second.front();
  }
};

int check_command(const Arguments& arguments);
int sweep_command(const Arguments& arguments);
int show_command(const Arguments& arguments);
int backward_command(const Arguments& arguments);
int certify_command(const Arguments& arguments);
int plan_command(const Arguments& arguments);
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
