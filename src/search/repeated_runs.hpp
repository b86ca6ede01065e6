// SPDX-License-Identifier: Apache-2.0
// Searches with bits or fingerprints, one for each seed: what one has missed another may see.
//
// The time limit is that of all together. From what they have in common it is estimated what all of
// them have missed (search/coverage.hpp).
#pragma once

#include <optional>
#include <string>

#include "search/check_options.hpp"
#include "verdict/verdict.hpp"

namespace panoptes {

// As check(), for a search that is repeated; once, where its store cannot be wrong.
std::optional<Verdict> search_often(const Program& program, const SourceSet& sources,
                                    CheckOptions options, std::string& problem);

}  // namespace panoptes
