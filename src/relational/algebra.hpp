// SPDX-License-Identifier: Apache-2.0
// The operators of the relational algebra, each as the SQL it is.
//
// Idea: a relation is a SELECT and the names of its columns; an operator makes one relation of one
// or two. Nothing is computed until a database is given the text, and its optimiser sees the whole
// expression. Both databases take the same SQL here. Beside the text a relation remembers what it
// was made by, for engines that are no database (relation_engine.hpp) and compute one operator
// after the other. Single-scan operators look at each row by itself; multiscan ones compare rows
// with each other. Source: Frieder and Herman, Protocol Verification Using Database Technology,
// section II; Date, An Introduction to Database Systems.
//
// How it can be wrong: a relation is a set. Where an operator could make two rows equal and does
// not look for them, it says so in its REQUIRES. Thread safety: plain functions on plain data.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace panoptes::algebra {

using Names = std::vector<std::string>;

// A new name and what it stands for: another column, or an expression.
using Terms = std::vector<std::pair<std::string, std::string>>;

struct Operation;

struct Relation {
  Names columns;
  std::string sql;                                // a SELECT
  std::shared_ptr<const Operation> made_by = {};  // none: only a database knows
};

// An operator and what it was applied to.
struct Operation {
  enum class Kind : std::uint8_t {
    table,
    row,
    select,
    rename,
    substitute,
    append,
    arrange,
    unite_disjoint,
    project,
    join,
    unite,
    minus,
  };
  Kind kind;
  std::vector<Relation> of = {};
  std::string text = {};  // the name of a table; a condition
  Terms terms = {};       // of row, substitute and append
};

Relation table(const std::string& name, Names columns);
// One row: (column, value).
Relation row(const Terms& values);

// ---- single-scan ---------------------------------------------------------------------------

// The rows of which `condition` is true.
Relation select(const Relation& r, const std::string& condition);
// Columns under other names: (old, new).
Relation rename(const Relation& r, const Terms& names);
// Columns with other values: (column, expression). REQUIRES: no two rows become equal.
Relation substitute(const Relation& r, const Terms& values);
// More columns: (name, expression).
Relation append(const Relation& r, const Terms& values);
// Only these columns, in this order. REQUIRES: no two rows become equal.
Relation arrange(const Relation& r, const Names& columns);
// The rows of both. REQUIRES: the same columns, and no row in both.
Relation unite_disjoint(const Relation& r, const Relation& s);

// ---- multiscan -----------------------------------------------------------------------------

// Only these columns, and of equal rows one.
Relation project(const Relation& r, const Names& columns);
// Every row of `r` with every row of `s`. REQUIRES: no column of both.
Relation times(const Relation& r, const Relation& s);
// Every row of `r` with every row of `s` that has the same values in the columns of both (the
// equi-join), where `condition` is true (the theta-join).
Relation join(const Relation& r, const Relation& s, const std::string& condition = {});
// The rows of either. REQUIRES: the same columns.
Relation unite(const Relation& r, const Relation& s);
// The rows of `r` that are not in `s`. REQUIRES: the same columns.
Relation minus(const Relation& r, const Relation& s);

}  // namespace panoptes::algebra
