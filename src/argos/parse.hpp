// SPDX-License-Identifier: Apache-2.0
// Argos text to syntax tree.
//
// Any bytes are accepted as input: what is no model gives diagnostics, in time and memory linear in
// the text, bounded by Limits whatever the text contains.
#pragma once

#include <string>
#include <vector>

#include "argos/input.hpp"
#include "argos/syntax.hpp"
#include "base/diagnostic.hpp"
#include "base/source.hpp"

namespace panoptes::argos {

// Parses the model in `path`, read through `read_file`. Texts are added to `sources`. The tree is
// complete where there are no errors; with errors it holds what could be recovered.
Model parse(const std::string& path, const ReadFile& read_file,
            const std::vector<Definition>& definitions, SourceSet& sources,
            Diagnostics& diagnostics);

// The same for a text at hand, without includes.
Model parse_text(std::string name, std::string text, SourceSet& sources, Diagnostics& diagnostics);

// An expression over the whole system, as given with --cost: `text`, called `name` in diagnostics.
// Names may be those of the parts of a process: `sender.retries`, `sender@wait`, `node[2].x`. Null
// where it is none.
ExpressionPtr parse_cost(std::string name, std::string text, SourceSet& sources,
                         Diagnostics& diagnostics);

// A formula over the whole system, as given with --ltl, likewise.
FormulaPtr parse_formula(std::string name, std::string text, SourceSet& sources,
                         Diagnostics& diagnostics);

}  // namespace panoptes::argos
