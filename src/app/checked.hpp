// SPDX-License-Identifier: Apache-2.0
// What `check` makes of a model: its verdict, and the report that is printed.
#pragma once

#include <optional>
#include <string>

#include "app/commands.hpp"
#include "app/load.hpp"
#include "verdict/verdict.hpp"

namespace panoptes {

struct Checked {
  std::optional<Verdict> verdict;  // nothing after a fault of Panoptes, which has been reported
  std::string report;
  int exit_code = ExitCode::internal_failure;
};

// REQUIRES: `loaded` has a program, and `arguments` are those of `check`.
Checked check_loaded(const Arguments& arguments, const Loaded& loaded);

}  // namespace panoptes
