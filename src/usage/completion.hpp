// SPDX-License-Identifier: Apache-2.0
// Scripts that let a shell complete command lines: commands, the options of each, the words an
// option takes, and files where one is wanted. All of it is in the script: completing starts no
// program.
#pragma once

#include <string>

namespace panoptes {

std::string bash_completion();
std::string zsh_completion();
std::string fish_completion();

// The one for `shell`, which is a choice of the operand SHELL.
std::string completion_for(std::string_view shell);

}  // namespace panoptes
