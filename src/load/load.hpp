// SPDX-License-Identifier: Apache-2.0
// From a text to a program: every model comes in by this door.
//
// Thread safety: a function of its arguments, and of what `read_file` does.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "protocol/build_options.hpp"
#include "protocol/cost.hpp"
#include "rules/program.hpp"
#include "rules/symmetry.hpp"

namespace panoptes {

// What is asked of a model.
// Whether to look for members that are alike, and whether it is an error that there are none.
enum class SymmetryWish : std::uint8_t { unasked, welcome, required };

struct ModelRequest {
  std::vector<Definition> definitions = {};
  BuildOptions build = {};  // labels and what expressions name are added to what is asked there
  RuleOptions rules = {};
  std::string faults = "declared";      // as --faults has them
  std::string labels = "none";          // as --labels has them
  std::string cost = {};                // an expression; "": none
  std::vector<std::string> never = {};  // expressions
  std::vector<std::string> ltl = {};    // formulas
  std::string fair = "declared";        // as --fair has it
  bool progress = false;                // whoever goes on for ever passes a progress label
  bool acceptance = false;              // ... and no accept label again and again
  std::string reach = {};               // an expression; "": none
  std::vector<std::string> folds = {};
  SymmetryWish symmetry = SymmetryWish::unasked;
};

struct Loaded {
  SourceSet sources;
  Diagnostics diagnostics;
  std::optional<CostExpression> cost;        // of --cost
  std::string labels;                        // that were asked for, as --labels has them
  StateWords folded;                         // bits of --fold
  std::shared_ptr<const Symmetry> symmetry;  // where it is asked for
  bool are_members_compared = true;  // false: it would have taken long, and was not asked for
  std::optional<Program> program;    // nothing where there are errors
};

// The model `path`, and whatever it includes, with the texts that `read_file` has. The language is
// chosen by its name.
Loaded load(const std::string& path, const ModelRequest& request, const ReadFile& read_file);

}  // namespace panoptes
