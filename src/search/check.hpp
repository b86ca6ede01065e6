// SPDX-License-Identifier: Apache-2.0
// A whole check, and its options: one search, several, or several by turns.
#pragma once

#include <optional>
#include <string>

#include "search/check_options.hpp"
#include "verdict/verdict.hpp"

namespace panoptes {

// The depth to which searches that forget go if nobody says otherwise: ten times the control states
// of all processes.
std::uint64_t default_depth_limit(const Program& program);

// The verdict; nothing where the engine contradicts itself (a trail that does not replay), with the
// reason in `problem`. Throws InternalFault where an inferred range proves wrong.
std::optional<Verdict> check(const Program& program, const SourceSet& sources,
                             const CheckOptions& options, std::string& problem);

}  // namespace panoptes
