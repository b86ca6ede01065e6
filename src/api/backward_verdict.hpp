// SPDX-License-Identifier: Apache-2.0
// A model that was loaded, searched backwards; and what such a search has found before the judge.
#pragma once

#include <optional>
#include <string>

#include "backward/search_backward.hpp"
#include "base/result.hpp"
#include "load/load.hpp"
#include "options/values.hpp"
#include "verdict/verdict.hpp"

namespace panoptes {

// What the options of `backward` ask for, as far as they say.
BackwardOptions backward_options(const OptionValues& values);

// What is not there that such a search, or `certify`, needs, and what to do about it; "" where all
// is.
std::string missing_for_backward(const OptionValues& values);

// The verdict. Its promise is exhaustive where every target is
// settled. A failure is a fault of Panoptes, and says which. REQUIRES: `loaded` has a program.
Result<Verdict, std::string> backward_verdict(const OptionValues& values, const Loaded& loaded,
                                              const BackwardOutcome& outcome,
                                              const Deadline& deadline);

// How far a state is from the targets of --towards; nothing where no target goes by its words.
// REQUIRES: as above.
std::optional<CostExpression> cost_towards(const OptionValues& values, const Loaded& loaded,
                                           const Deadline& deadline);

}  // namespace panoptes
