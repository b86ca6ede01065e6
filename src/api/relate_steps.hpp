// SPDX-License-Identifier: Apache-2.0
// The five steps of a protocol of two processes, in a database.
#pragma once

#include <optional>
#include <string>

#include "load/load.hpp"
#include "options/values.hpp"
#include "relational/steps_report.hpp"

namespace panoptes {

// Nothing where the protocol does not fit, which is told as a mistake in its text would be.
// REQUIRES: `loaded` has a program.
std::optional<TwoProcess> two_process_of(Loaded& loaded);

// What they find, with the --paths and --rows that are asked for; --keep says where the relations
// stay. `path`: that of the model.
DatabaseResult<StepsReport> run_five_steps(const std::string& path, const OptionValues& values,
                                           const Loaded& loaded, const TwoProcess& protocol,
                                           Database& database, Engine engine);

}  // namespace panoptes
