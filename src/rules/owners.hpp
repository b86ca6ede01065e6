// SPDX-License-Identifier: Apache-2.0
// Whose a variable is: what only one process touches belongs to it, wherever it was declared.
#pragma once

#include <vector>

#include "rules/program.hpp"

namespace panoptes {

// By variable: a process without which nothing reads or writes it, since every rule that does moves
// that process, and whatever else looks at it (a reception, a predicate of a process) does so for
// that process alone. None where there is no such process.
//
// Predicates that are only looked at where nobody can move count for nothing here.
std::vector<ProcessId> owners(const Program& program);

// Calls `use` for every variable that an expression reads; of an array, for all elements.
template <typename Use>
void for_each_variable_read(const Expressions& pool, ExpressionId id, Use use) {
  pool.visit(id, [&](const ExpressionNode& node) {
    if (node.op == Op::variable) use(node.a);
    if (node.op == Op::element)
      for (VariableId i = 0; i < node.value; ++i) use(node.b + i);
  });
}

// Calls `use` for every predicate of a row about states that is looked at while somebody may still
// move.
template <typename Use>
void for_each_watching_predicate(const Program& program, Use use) {
  for (const StateError& row : program.errors.states) {
    if (row.idle == Idle::everybody) continue;
    if (row.predicate != none) use(row, row.predicate);
    for (const auto& [state, predicate] : row.at) use(row, predicate);
  }
}

}  // namespace panoptes
