// SPDX-License-Identifier: Apache-2.0
// A verdict as SARIF 2.1.0, the format in which programs that look for faults in sources tell
// others what they found: every error, warning, complaint about the model and dead statement at its
// place, with its trail.
#pragma once

#include <string>

#include "base/diagnostic.hpp"
#include "report/text.hpp"

namespace panoptes {

std::string sarif_report(const Program& program, const Verdict& verdict, const SourceSet& sources,
                         const Diagnostics& diagnostics, const RunFacts& facts);

// The same for a model that could not be checked: the diagnostics alone.
std::string sarif_input_error(const std::string& model, const SourceSet& sources,
                              const Diagnostics& diagnostics);

}  // namespace panoptes
