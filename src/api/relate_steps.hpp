// SPDX-License-Identifier: Apache-2.0
// The five steps of a protocol of two processes, in a database or on a hypercube.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/result.hpp"
#include "load/load.hpp"
#include "options/values.hpp"
#include "relational/steps_report.hpp"
#include "transport/transport.hpp"

namespace panoptes {

// Nothing where the protocol does not fit, which is told as a mistake in its text would be.
// REQUIRES: `loaded` has a program.
std::optional<TwoProcess> two_process_of(Loaded& loaded);

// What they find, with the --paths and --rows that are asked for; --keep says where the relations
// stay. `path`: that of the model.
DatabaseResult<StepsReport> run_five_steps(const std::string& path, const OptionValues& values,
                                           const Loaded& loaded, const TwoProcess& protocol,
                                           Database& database, Engine engine);

// The nodes of a hypercube: the ranks that mpirun or a batch system has started, or this process
// alone. Or why there is none: not a power of two, or no MPI.
Result<std::unique_ptr<Transport>, std::string> open_cube();
// Whether this is the rank that speaks for all, or the only one.
bool is_first_rank();

// Whether all ranks have loaded the same protocol, and it fits. All ranks call it.
bool all_have(Transport& ranks, const Loaded& loaded, bool fits);

// What they find there. All ranks call it; only the first has the rows that are shown. They give up
// where `is_over` is true at one of them.
DatabaseResult<StepsReport> run_five_steps(const std::string& path, const OptionValues& values,
                                           const Loaded& loaded, const TwoProcess& protocol,
                                           Transport& ranks, const std::function<bool()>& is_over);

}  // namespace panoptes
