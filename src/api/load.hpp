// SPDX-License-Identifier: Apache-2.0
// From a text and options to a program: every model comes in by this door.
//
// Thread safety: a function of its arguments, and of what `read_file` does.
#pragma once

#include <optional>
#include <string>

#include "api/arguments.hpp"
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
};

// What complaints call a text that has no file. It has no folder either, so what it includes is
// looked for in the one the program was started in.
inline constexpr const char* standard_input = "<standard input>";

// The model `arguments.model`, and whatever it includes, with the texts that `read_file` has. The
// language is chosen by its name; `-` is `standard_input`. REQUIRES: the values of `arguments` make
// sense (api/option_values.hpp, api/option_clashes.hpp).
Loaded load(const Arguments& arguments, const ReadFile& read_file);

}  // namespace panoptes
