// SPDX-License-Identifier: Apache-2.0
// A model that was loaded, searched in a database; and relations before the judge: what such a
// search has found, as he wants to have it.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "load/load.hpp"
#include "options/values.hpp"
#include "relational/open.hpp"
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
std::optional<Verdict> verdict_of(const Program& program, const SourceSet& sources,
                                  const Related& related, const JudgeOptions& options,
                                  std::string& problem);

// Takes away the program of a model that relations cannot carry, which is told as a mistake in its
// text would be.
void refuse_indivisible(Loaded& loaded);

// What the options of `relate` ask for; `progress` is told what comes next.
RelateOptions relate_options(const OptionValues& values,
                             std::function<void(const std::string&)> progress);

// A database of that engine, searched. REQUIRES: `loaded` has a program.
DatabaseResult<Related> relate_model(const Loaded& loaded, Database& database, Engine engine,
                                     const RelateOptions& options);

}  // namespace panoptes
