// SPDX-License-Identifier: Apache-2.0
// From a file name and options to a program.
#pragma once

#include <optional>

#include "app/commands.hpp"
#include "base/diagnostic.hpp"
#include "protocol/cost.hpp"
#include "rules/program.hpp"

namespace panoptes {

struct Loaded {
  SourceSet sources;
  Diagnostics diagnostics;
  std::optional<CostExpression> cost;  // of --cost
  StateWords folded;                   // bits of --fold
  std::optional<Program> program;      // nothing where there are errors
};

// REQUIRES: the values of `arguments` are valid (see validate()).
Loaded load(const Arguments& arguments);

// What is wrong with the values of `arguments`; "" where nothing is.
std::string validate(const Arguments& arguments);

}  // namespace panoptes
