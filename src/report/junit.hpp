// SPDX-License-Identifier: Apache-2.0
// A verdict as the XML in which JUnit reports tests, which about every CI server reads: a suite for
// the model, a test for the model itself and one for every kind of error.
//
// A kind with errors has failed. One that was not looked for, or not everywhere, is skipped: the
// search says nothing of it.
#pragma once

#include <string>

#include "base/diagnostic.hpp"
#include "report/text.hpp"

namespace panoptes {

std::string junit_report(const Program& program, const Verdict& verdict, const SourceSet& sources,
                         const Diagnostics& diagnostics, const RunFacts& facts);

// The same for a model that could not be checked: the test of the model has an error, and those of
// the kinds are skipped.
std::string junit_input_error(const std::string& model, const SourceSet& sources,
                              const Diagnostics& diagnostics);

}  // namespace panoptes
