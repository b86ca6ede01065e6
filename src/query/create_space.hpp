// SPDX-License-Identifier: Apache-2.0
// A state space as a schema of a database: the SQL that makes its tables, its views and path_to.
#pragma once

#include <string>
#include <vector>

#include "query/relation.hpp"
#include "relational/dialect.hpp"
#include "rules/program.hpp"

namespace panoptes {

// Where everything is kept, in any database.
inline constexpr const char* space_schema = "panoptes";

// The tables a search fills, without those of space_relations():
//   packed_states(state, depth, parent, rule, w0, ...)  parent and rule: a step of a shortest way
//   plain_transitions(source, rule, target)             every firing that has a successor
//   error_groups(number, error, kind, ..., is_warning)  errors of the same members of families;
//                                                       `error` is one for what `check` counts once
//   findings(number, state, rule)                       and each time one was found
// and `failures` of the relations. SQL that creates them.
std::string create_space_tables(const Program& program, const Dialect& dialect);

// SQL that creates the relations and path_to, and what the engine needs to find rows quickly.
// REQUIRES: the tables are there.
std::string create_space_views(const Program& program, const std::vector<Relation>& relations,
                               const Dialect& dialect);

}  // namespace panoptes
