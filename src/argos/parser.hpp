// SPDX-License-Identifier: Apache-2.0
// Tokens to syntax tree; see parser.cpp.
#pragma once

#include "argos/preprocessor.hpp"
#include "argos/syntax.hpp"
#include "base/diagnostic.hpp"

namespace panoptes::argos {

// Reads the whole model from `preprocessor`. Never fails: what is wrong is reported to
// `diagnostics`.
Model parse_model(Preprocessor& preprocessor, const SourceSet& sources, Diagnostics& diagnostics);

// Reads one expression, with names of the parts of processes, and nothing else.
ExpressionPtr parse_cost(Preprocessor& preprocessor, const SourceSet& sources,
                         Diagnostics& diagnostics);

}  // namespace panoptes::argos
