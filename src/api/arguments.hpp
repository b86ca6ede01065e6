// SPDX-License-Identifier: Apache-2.0
// What is asked of a model, by the names and values of the table of options: from a command line,
// or from whoever uses the library.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "rules/finding.hpp"

namespace panoptes {

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

// Those of a command without operands and options: standard values only.
Arguments standard_arguments(std::string_view command);

ReceptionPolicy receptions_of(const Arguments& arguments);

// The options as a report has them, -D and --fold included and passwords taken out.
std::map<std::string, std::string> reported_options(const Arguments& arguments);

// The address of a database with `***` for every password in it: that of the user, and those among
// its parameters. Anything else is left as it is.
std::string without_passwords(const std::string& address);

}  // namespace panoptes
