// SPDX-License-Identifier: Apache-2.0
// A verdict as SARIF 2.1.0, the format in which programs that look for faults in sources tell
// others what they found: every error, warning, complaint about the model and dead statement at its
// place, with its trail.
//
// How it may be wrong: a place is one region of one file. Of a deadlock the first result is where
// the first process that has not ended is, the others are related locations; of merged statements
// of which nobody can tell which was executed, the first. Columns are characters, not bytes; of
// text that is no UTF-8 they are as display_width() counts them. Names of files that are no UTF-8
// are percent-encoded byte by byte.
//
// Thread safety: functions of their arguments. REQUIRES: trails as replay() makes them.
#pragma once

#include <string>

#include "base/diagnostic.hpp"
#include "report/text.hpp"

namespace panoptes {

// False where `sink` does not take all of it.
bool sarif_report(const Program& program, const Verdict& verdict, const SourceSet& sources,
                  const Diagnostics& diagnostics, const RunFacts& facts, const Sink& sink);

// The same for a model that could not be checked: the diagnostics alone.
bool sarif_input_error(const std::string& model, const SourceSet& sources,
                       const Diagnostics& diagnostics, const Sink& sink);

}  // namespace panoptes
