// SPDX-License-Identifier: Apache-2.0
#include "app/commands.hpp"

namespace panoptes {

int explain_command(const Arguments&) { return ExitCode::bad_input; }

}  // namespace panoptes
