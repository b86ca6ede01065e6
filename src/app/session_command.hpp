// SPDX-License-Identifier: Apache-2.0
// What replay and simulate have in common: an interactive session, and a run that is printed.
#pragma once

#include <vector>

#include "api/sessions.hpp"
#include "app/commands.hpp"
#include "app/load.hpp"
#include "report/json.hpp"

namespace panoptes {

// A session that begins with these steps taken and `step` of them behind, of which the last
// `repeating` are a cycle; its exit code.
int run_session(const Arguments& arguments, const Loaded& loaded, StepChooser chooser,
                const std::vector<RuleId>& rules = {}, std::size_t step = 0,
                std::size_t repeating = 0);

// Prints a run, as text or JSON: the error it ended with, then its steps. `sentence`: how it ended.
// False, with a complaint, where that is not possible.
bool print_run(const Arguments& arguments, const Loaded& loaded, const RunReport& run,
               const std::string& sentence);

}  // namespace panoptes
