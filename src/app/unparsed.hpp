// SPDX-License-Identifier: Apache-2.0
// What is wrong with a command line that could not be parsed, and what was meant. It reads the
// words once more by the tables of commands and options, and answers with the first that does not
// fit.
#pragma once

#include <string>
#include <vector>

namespace panoptes {

// A complaint about a command that is none.
std::string no_command(const std::string& name);

// `words`: those behind the name of the program. "" where each of them fits, as where one is
// missing.
std::string why_not_parsed(const std::vector<std::string>& words);

}  // namespace panoptes
