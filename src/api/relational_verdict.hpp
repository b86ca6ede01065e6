// SPDX-License-Identifier: Apache-2.0
// Relations before the judge: what a search in a database has found, as he wants to have it.
#pragma once

#include <optional>
#include <string>

#include "relational/relate.hpp"
#include "verdict/conclusions.hpp"

namespace panoptes {

struct JudgeOptions {
  Strictness strictness;
  std::string engine;
  double seconds = 0.0;  // that the whole took
};

// Nothing where a trail does not replay, which is a fault of Panoptes, with the reason in
// `problem`.
std::optional<Verdict> judge(const Program& program, const SourceSet& sources,
                             const Related& related, const JudgeOptions& options,
                             std::string& problem);

}  // namespace panoptes
