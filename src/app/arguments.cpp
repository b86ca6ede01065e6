// SPDX-License-Identifier: Apache-2.0
#include "app/arguments.hpp"

#include <fmt/format.h>

#include "app/system.hpp"

namespace panoptes {

int complain(const std::string& problem) {
  tell(fmt::format("panoptes: {}\n", problem));
  return ExitCode::bad_input;
}

int own_fault(const std::string& problem) {
  tell(
      fmt::format("panoptes: internal failure: {}\n"
                  "This is a fault of Panoptes, not of the model.\n",
                  problem));
  return ExitCode::internal_failure;
}

}  // namespace panoptes
