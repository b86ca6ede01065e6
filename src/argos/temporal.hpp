// SPDX-License-Identifier: Apache-2.0
// Temporal formulas, as Argos has them: expressions from outside of all processes
// (argos/outside.hpp) and events, put together.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "argos/names.hpp"
#include "argos/syntax.hpp"
#include "base/diagnostic.hpp"

namespace panoptes {

// The names of control states in it, which must not be merged with others.
std::set<std::string> asked_names(const argos::TemporalFormula& formula);

// Its meaning, called by its own text; nothing where a name has none, which is reported. What is
// left to the caller: name, place and index.
std::optional<TemporalProperty> resolve_formula(const argos::TemporalFormula& formula,
                                                Protocol& protocol, Diagnostics& diagnostics);

// The same while the protocol is built, as resolve_outside() has it.
std::optional<TemporalProperty> resolve_formula(const argos::TemporalFormula& formula,
                                                const Bindings& index, Protocol& protocol,
                                                Declarations& declarations,
                                                Diagnostics& diagnostics, bool is_trial);

}  // namespace panoptes
