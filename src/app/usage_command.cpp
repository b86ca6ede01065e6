// SPDX-License-Identifier: Apache-2.0
// The commands that say how to use the others.
#include <fmt/format.h>

#include <cstdio>

#include "app/commands.hpp"
#include "app/system.hpp"
#include "usage/completion.hpp"
#include "usage/help.hpp"
#include "usage/manual.hpp"

namespace panoptes {

int print_or_fail(const std::string& text) {
  if (print(text)) return ExitCode::holds;
  tell("panoptes: cannot write to standard output\n");
  return ExitCode::internal_failure;
}

int help_command(const Arguments& arguments) {
  const CommandInfo* command = find_command(arguments.operand("COMMAND"));
  return print_or_fail(command ? command_help(*command) : program_help());
}

int manual_command(const Arguments&) { return print_or_fail(manual_page()); }

int completion_command(const Arguments& arguments) {
  return print_or_fail(completion_for(arguments.operand("SHELL")));
}

}  // namespace panoptes
