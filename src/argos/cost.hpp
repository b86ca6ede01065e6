// SPDX-License-Identifier: Apache-2.0
// An expression over the whole system, as Argos has it.
//
// It is an expression of the language, read from outside of all processes: shared variables by
// their name; those of a process as `sender.retries`, or `retries` alone where only one process has
// such a variable; len(c), full(c), empty(c); `sender@wait`, which is 1 while that process is at
// the state with that label or name and 0 otherwise; `depth`, the number of steps from the start,
// unless a variable is called so. A member of a family is written `node[2].x`, `node[2]@wait`.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "argos/syntax.hpp"
#include "base/diagnostic.hpp"
#include "protocol/cost.hpp"

namespace panoptes {

// The names of control states in it, which must not be merged with others for it to have a meaning.
std::set<std::string> asked_names(const argos::Expression& expression);

// Nothing where a name has no meaning, which is reported.
std::optional<CostExpression> resolve_cost(const argos::Expression& expression,
                                           const Protocol& protocol, Diagnostics& diagnostics);

}  // namespace panoptes
