// SPDX-License-Identifier: Apache-2.0
// Exhaustive, which is all there is to it for small protocols, with scatter searches in between.
//
// Idea: scatter searches have their turns between those of an exhaustive one, from the most
// restrictive setting to wider ones: they find in no time what an exhaustive search may take long
// to come to. One that its turn is too short for has a longer one when the others have had theirs.
#pragma once

#include <optional>
#include <string>

#include "search/check_options.hpp"
#include "verdict/verdict.hpp"

namespace panoptes {

// As check(), for a search with turns.
std::optional<Verdict> search_by_turns(const Program& program, const SourceSet& sources,
                                       CheckOptions options, std::string& problem);

}  // namespace panoptes
