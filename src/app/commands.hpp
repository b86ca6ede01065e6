// SPDX-License-Identifier: Apache-2.0
// The commands of the program. Exit codes are a contract: see docs/command-line.md.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace panoptes {

enum ExitCode : int {
  holds = 0,
  errors_found = 1,
  bad_input = 2,
  unknown = 3,
  internal_failure = 4
};

// The options of one command as given, by name; switches that were given have the value "on".
struct Arguments {
  std::string command;  // its name
  std::string model;    // its operand MODEL; "" where it has none
  std::map<std::string, std::vector<std::string>> operands;  // by name, MODEL included
  std::map<std::string, std::string> values;                 // standard values filled in
  std::set<std::string> given;                               // names of those written down
  // Of options that may be repeated, by name; where one takes several words, with blanks between.
  std::map<std::string, std::vector<std::string>> repeated;
  std::uint64_t fixed_bytes = 0;  // resident memory before the model was loaded
  double started = 0.0;           // when the command began, by the steady clock

  bool has(const std::string& name) const { return values.contains(name); }
  std::string get(const std::string& name) const {
    const auto found = values.find(name);
    return found == values.end() ? std::string{} : found->second;
  }
  // Every value of an option that may be repeated.
  std::vector<std::string> all(const std::string& name) const {
    const auto found = repeated.find(name);
    return found == repeated.end() ? std::vector<std::string>{} : found->second;
  }
  // The (first) operand of that name; "" where none was given.
  std::string operand(const std::string& name) const {
    const auto found = operands.find(name);
    return found == operands.end() || found->second.empty() ? std::string{} : found->second.front();
  }
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
