// SPDX-License-Identifier: Apache-2.0
// A state space as relations that people can read.
//
// Idea: a search leaves packed states and numbered transitions, and the views below unpack them
// where somebody looks. What a protocol consists of (rules, processes, channels, ...) are small
// tables beside them.
//
// Cost: unpacking is a shift and a mask for a number and a look into a constant list for a name; a
// list of messages costs most. To make the readable columns once, as a table, takes as long as
// searching and loading together, and pays after half a dozen queries on lists: docs/relational.md
// has the figures.
//
// How it can be wrong: views and steppers share only the layout of a state, and the tests compare
// both.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "base/source.hpp"
#include "relational/dialect.hpp"
#include "rules/program.hpp"

namespace panoptes {

// Where everything is kept, in any database.
inline constexpr const char* space_schema = "panoptes";

// NULL, a number or truth value, a text.
using Cell = std::variant<std::monostate, std::int64_t, std::string>;
inline Cell number_cell(std::uint64_t value) { return static_cast<std::int64_t>(value); }
inline Cell text_or_null(const std::string& text) { return text.empty() ? Cell{} : Cell{text}; }

struct RelationColumn {
  std::string name;
  std::string type;      // BIGINT, BOOLEAN, TEXT or TEXT[]
  std::string sentence;  // what it is
};

// A view or a small table, to those who ask one and the same.
struct Relation {
  std::string name;
  std::string sentence;
  std::vector<RelationColumn> columns;
  std::string query;                    // of a view; "" for a table,
  std::vector<std::vector<Cell>> rows;  // which has these rows
};

// What a query can ask for, each relation after those it is made of. Beside them there is the
// function path_to.
std::vector<Relation> space_relations(const Program& program, const SourceSet& sources,
                                      const Dialect& dialect);

// What is printed by `--schema`.
std::string describe_relations(const std::vector<Relation>& relations);

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
