// SPDX-License-Identifier: Apache-2.0
// From relations to a verdict: groups as `check` makes them, every trail replayed.
#pragma once

#include <optional>
#include <string>

#include "relational/relate.hpp"
#include "verdict/verdict.hpp"

namespace panoptes {

struct JudgeOptions {
  ReceptionPolicy receptions = ReceptionPolicy::blocked;
  bool strict = false;
  std::string engine;
  double seconds = 0.0;  // that the whole took
};

// Nothing where a trail does not replay, which is a fault of Panoptes, with the reason in
// `problem`.
std::optional<Verdict> judge(const Program& program, const SourceSet& sources,
                             const Related& related, const JudgeOptions& options,
                             std::string& problem);

}  // namespace panoptes
