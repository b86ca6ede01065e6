// SPDX-License-Identifier: Apache-2.0
// The user's cost of a state: an expression over the whole system.
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
#include <vector>

#include "base/diagnostic.hpp"
#include "protocol/protocol.hpp"

namespace panoptes::argos {
struct Expression;
}

namespace panoptes {

struct CostExpression {
  // Variables of the pool are those of the protocol; from there on, locations; and the depth.
  static constexpr VariableId depth = none - 1;
  struct Location {
    ProcessId process;
    std::vector<bool> states;  // by control state: whether the process is there
  };

  Expressions pool;
  ExpressionId root = none;
  std::vector<Location> locations;
};

// The names of control states in it, which must not be merged with others for it to have a meaning.
std::set<std::string> asked_names(const argos::Expression& expression);

// Nothing where a name has no meaning, which is reported.
std::optional<CostExpression> resolve_cost(const argos::Expression& expression,
                                           const Protocol& protocol, Diagnostics& diagnostics);

}  // namespace panoptes
