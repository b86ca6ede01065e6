// SPDX-License-Identifier: Apache-2.0
// From a file name and options to a program.
#pragma once

#include <optional>
#include <vector>

#include "app/commands.hpp"
#include "app/watch.hpp"
#include "base/diagnostic.hpp"
#include "protocol/cost.hpp"
#include "rules/program.hpp"

namespace panoptes {

struct Loaded {
  SourceSet sources;
  Diagnostics diagnostics;
  std::optional<CostExpression> cost;  // of --cost
  std::string labels;                  // that were asked for, as --labels has them
  StateWords folded;                   // bits of --fold
  std::optional<Program> program;      // nothing where there are errors
  std::vector<FileStamp> files;        // that were to be read, found or not, as they were then
};

// REQUIRES: validate() has nothing to say of `arguments`.
Loaded load(const Arguments& arguments);
// The same with the texts that `read_file` has.
Loaded load(const Arguments& arguments, const ReadFile& read_file);

}  // namespace panoptes
