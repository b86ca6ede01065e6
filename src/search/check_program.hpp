// SPDX-License-Identifier: Apache-2.0
// A program, checked: every check goes through this door.
//
// Thread safety: a function of its arguments; one program may be checked by several threads.
#pragma once

#include <string>

#include "base/result.hpp"
#include "search/check.hpp"

namespace panoptes {

// The verdict. A failure is a fault of Panoptes, and says which.
Result<Verdict, std::string> check_program(const Program& program, const SourceSet& sources,
                                           const CheckOptions& options);

}  // namespace panoptes
