// SPDX-License-Identifier: Apache-2.0
// Syntax tree to Argos text.
//
// The text of a model parses again to an equal tree, places apart, and a second round gives the
// same text. Random models are made as trees and shrunk as trees; this is how they get into files.
#pragma once

#include <string>

#include "argos/syntax.hpp"

namespace panoptes::argos {

// One statement to a line, indented. REQUIRES: the tree is complete: no pointer is null that its
// declaration does not allow to be, and no option is empty.
std::string unparse(const Model& model);
std::string unparse(const Statement& statement);
std::string unparse(const Expression& expression);
std::string unparse(const VariableUse& use);
std::string unparse(const TemporalFormula& formula);

}  // namespace panoptes::argos
