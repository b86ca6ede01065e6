// SPDX-License-Identifier: Apache-2.0
// One search: runs the loop, and brings what it has found before the judge (verdict/judge.hpp).
#pragma once

#include <optional>
#include <string>

#include "search/check_options.hpp"

namespace panoptes {

// What one search of several has beside the options.
struct SearchSetting {
  Interlude interlude = {};                    // asked now and then whether to go on
  StateSample* sample = nullptr;               // told which states were known and expanded
  const std::set<ErrorKey>* wanted = nullptr;  // breadth first: with the last of these it may end
};

// As check(), for a search that is no sequence of others. Of one over ranks the verdict is that of
// the rank that judges; others get one without anything in it.
std::optional<Verdict> search_once(const Program& program, const SourceSet& sources,
                                   const CheckOptions& options, SearchSetting setting,
                                   std::string& problem);

}  // namespace panoptes
