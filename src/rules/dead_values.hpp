// SPDX-License-Identifier: Apache-2.0
// Values that nobody will read are forgotten: states that differ in nothing else become one.
//
// Idea: a variable that only one process touches is *live* at a control state of that process if
// some way from there reads it before it is written. Where it is not, its value makes no difference
// to anything that follows, so the step that leads there sets it to its initial value. This is
// liveness analysis, backwards along the automaton: what a rule reads in conditions, values,
// indexes and checks is live before it; what it writes is not, unless it is read as well. What goes
// into an assignment counts only where the variable assigned to is live, or the value may fail to
// be there; so a counter that nobody asks is dead, although it is read to be increased.
//
// Why nothing is lost: two states that differ in dead values alone enable the same rules, which
// fail or not alike and lead to such states again, and no error looks at them: a bisimulation. So
// errors, their groups and the lengths of the shortest trails are the same, and what is dead code
// is.
//
// What is live everywhere: what several processes touch; what an invariant, a question or any other
// predicate on whole states reads; what `watched` says. All variables of a process are, at its
// states on a round inside an indivisible sequence: whether the sequence has come back to where it
// was (endless_atomic) must be decided by the values as written.
//
// The initial value, since the initial state need not be another one then; a trail found so is
// replayed on the program as written, rule by rule.
//
// Cost: a few passes over the rules before the search; then an assignment of a constant to a step.
// A. V. Aho, M. S. Lam, R. Sethi, J. D. Ullman, Compilers (2006), section 9.2, for live variables;
// R. Giegerich, U. Moencke, R. Wilhelm, Invariance of approximate semantics with respect to program
// transformations (1981), for those that are read only to compute what is dead.
#pragma once

#include <optional>
#include <vector>

#include "rules/program.hpp"

namespace panoptes {

// By process and control state, and by variable: whether it is live there, of those that the
// process owns (owners.hpp) and of those that are live everywhere.
using LiveVariables = std::vector<std::vector<std::vector<bool>>>;
LiveVariables live_variables(const Program& program, const std::vector<VariableId>& watched = {});

// The program with dead values reset: rule by rule the same, in the same layout, but for values of
// assignments and for more of them. Nothing where that would change nothing.
std::optional<Program> with_dead_values_reset(const Program& program,
                                              const std::vector<VariableId>& watched = {});

}  // namespace panoptes
