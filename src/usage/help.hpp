// SPDX-License-Identifier: Apache-2.0
// What `--help` prints: 80 columns at most, all of it from the tables of commands and options.
#pragma once

#include <string>

#include "options/table.hpp"

namespace panoptes {

// How to use the program, and a line for every command.
std::string short_help();

// The same with the options of the program itself, exit codes and where to read on.
std::string program_help();

std::string command_help(const CommandInfo& command);

// "panoptes query MODEL [SQL] [OPTIONS]"
std::string synopsis(const CommandInfo& command);

// "--order ORDER", as it is written.
std::string usage_of(const OptionInfo& option);

// What it does, then its standard value and whether it may be repeated.
std::string explanation_of(const OptionInfo& option);

// `text` in lines of at most `width` columns, each behind `indent` blanks. A word that is longer
// has a line of its own.
std::string wrapped(std::string_view text, std::size_t indent, std::size_t width = 80);

}  // namespace panoptes
