// SPDX-License-Identifier: Apache-2.0
// Runs of a model that was loaded: by chance, or by hand.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "load/load.hpp"
#include "options/values.hpp"
#include "session/session.hpp"
#include "session/simulate.hpp"

namespace panoptes {

// The chances of --seed and --weight; a complaint goes to `problem`.
std::optional<StepChooser> chooser_of(const OptionValues& values, const Program& program,
                                      std::string& problem);

// What stands in an expression over the whole system is of the language of the model `path`.
// REQUIRES: `loaded` outlives what is returned.
std::function<Result<CostExpression, std::string>(const std::string& text)> predicates_of(
    const std::string& path, const Loaded& loaded);

// One run by chance, of --length steps at most. Nothing after a fault of Panoptes, with the reason
// in `problem`.
std::optional<Simulation> simulate_model(const OptionValues& values, const Loaded& loaded,
                                         StepChooser chooser, std::function<bool()> interrupted,
                                         std::string& problem);

// The steps of a run, for a file of trails.
RecordedTrail record(const Simulation& simulation);

}  // namespace panoptes
