// SPDX-License-Identifier: Apache-2.0
// Runs the program itself, as its users do, and other programs beside it.
#pragma once

#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <string>

namespace panoptes::models {

struct Run {
  int exit_code = -1;  // -1: it could not be started, or did not exit by itself
  std::string output;
};

// A command of the shell.
inline Run run_shell(const std::string& command) {
  Run run;
  std::FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return run;
  std::array<char, 4096> buffer;
  while (const std::size_t read = std::fread(buffer.data(), 1, buffer.size(), pipe))
    run.output.append(buffer.data(), read);
  const int status = pclose(pipe);
  if (WIFEXITED(status)) run.exit_code = WEXITSTATUS(status);
  return run;
}

// `panoptes ARGUMENTS` in the root of the repository or in a folder; `arguments` are read by the
// shell, which knows the program by its name. Charts are as wide as where nobody says how wide.
inline Run run_program(const std::string& arguments,
                       const std::string& folder = PANOPTES_SOURCE_DIR) {
  const std::string program = PANOPTES_PROGRAM;
  return run_shell("cd '" + folder + "' && unset COLUMNS && PATH='" +
                   program.substr(0, program.rfind('/')) + "':$PATH && '" + program + "' " +
                   arguments);
}

}  // namespace panoptes::models
