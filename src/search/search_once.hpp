// SPDX-License-Identifier: Apache-2.0
// One search: runs the loop, and brings what it has found before the judge (verdict/judge.hpp).
#pragma once

#include <optional>
#include <string>

#include "search/check_options.hpp"

namespace panoptes {

// As check(), for a search that is no sequence of others. `interlude` is asked now and then whether
// to go on.
std::optional<Verdict> search_once(const Program& program, const SourceSet& sources,
                                   const CheckOptions& options, Interlude interlude,
                                   std::string& problem);

}  // namespace panoptes
