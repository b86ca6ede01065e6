// SPDX-License-Identifier: Apache-2.0
// From a text and options to a program: every model comes in by this door.
//
// Thread safety: a function of its arguments, and of what `read_file` does.
#pragma once

#include <optional>
#include <string>

#include "base/diagnostic.hpp"
#include "options/values.hpp"
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

// The model `path`, and whatever it includes, with the texts that `read_file` has. The language is
// chosen by its name; `-` is `standard_input`. REQUIRES: the values make sense (options/parse.hpp,
// options/clashes.hpp).
Loaded load(const std::string& path, const OptionValues& values, const ReadFile& read_file);

}  // namespace panoptes
