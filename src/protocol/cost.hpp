// SPDX-License-Identifier: Apache-2.0
// An expression over the whole system: a number for every state of it. The user's cost of a state
// is one, and so is a predicate, which holds where it is not 0.
#pragma once

#include "protocol/protocol.hpp"

namespace panoptes {

struct CostExpression {
  // Variables of the pool are those of the protocol, and the depth.
  static constexpr VariableId depth = none - 1;

  Expressions pool;
  ExpressionId root = none;
};

}  // namespace panoptes
