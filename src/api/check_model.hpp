// SPDX-License-Identifier: Apache-2.0
// A model that was loaded, checked as options ask for it.
//
// Thread safety: functions of their arguments; one model may be checked by several threads.
#pragma once

#include <string>

#include "base/deadline.hpp"
#include "base/result.hpp"
#include "load/load.hpp"
#include "options/values.hpp"
#include "search/check_program.hpp"
#include "search/coverage.hpp"

namespace panoptes {

// What is wrong with the folder of --spill; "" where nothing is.
std::string wrong_folder(const OptionValues& values);

// What the options of `check` ask for. Nobody is told of progress, nobody can interrupt, and memory
// is what the search knows of its own; who has a terminal, signals or the process to himself fills
// that in. REQUIRES: `loaded` has a program.
CheckOptions check_options(const OptionValues& values, const Loaded& loaded);

// The verdict, its trails minimised where that is asked for, as far as there is time before
// `deadline`. A failure is a fault of Panoptes, and says which. REQUIRES: as above.
Result<Verdict, std::string> check_model(const OptionValues& values, const Loaded& loaded,
                                         const CheckOptions& options, const Deadline& deadline);

}  // namespace panoptes
