// SPDX-License-Identifier: Apache-2.0
// What every engine's findings are judged by, whoever made them.
#pragma once

#include <string>
#include <vector>

#include "verdict/verdict.hpp"

namespace panoptes {

// A deadlock in which a process waits for something else than what it has is caused by that: in
// words, "" where there is no such process. REQUIRES: the trail is there.
std::string cause_of(const Program& program, const ErrorReport& deadlock,
                     ReceptionPolicy receptions, const SourceSet& sources);

// Statements none of whose rules has fired; a merged statement shares the fate of the others.
std::vector<DeadStatement> dead_code(const Program& program, const std::vector<bool>& fired);

}  // namespace panoptes
