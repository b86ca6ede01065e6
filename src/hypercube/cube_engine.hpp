// SPDX-License-Identifier: Apache-2.0
// The paper's own machine as an engine of the five steps: tables spread over a hypercube, and an
// expression of the algebra computed operator by operator.
//
// Idea: every node has a CubeEngine and runs the same program on its parts of all tables, so each
// call below is made by all of them at the same time, with the same arguments. What a call returns
// is the same at all nodes, but for the rows of first_rows(), which are at node 0. Tables are
// loaded at node 0, as the paper assumes, and move when an operator balances them.
//
// How it can fail: a rank is gone; a condition that scalar.hpp cannot read, which is a bug.
// Thread safety: that of the cube.
#pragma once

#include <functional>
#include <map>

#include "hypercube/operators.hpp"
#include "relational/relation_engine.hpp"

namespace panoptes {

class CubeEngine final : public RelationEngine {
 public:
  // The cube outlives it. Before each expression all nodes ask `is_over`, if there is one, and give
  // up together where one says so.
  explicit CubeEngine(Cube& cube, std::function<bool()> is_over = {})
      : cube_(cube), is_over_(std::move(is_over)) {}

  DatabaseResult<> load(const std::string& table, const algebra::Names& columns,
                        const std::vector<NumberRow>& rows) override;
  DatabaseResult<std::uint64_t> make(const std::string& table,
                                     const algebra::Relation& rows) override;
  DatabaseResult<> add(const std::string& table, const std::string& from) override;
  DatabaseResult<> drop(const std::string& table) override;
  DatabaseResult<std::vector<NumberRow>> first_rows(const std::string& table,
                                                    const algebra::Names& columns,
                                                    const algebra::Names& by,
                                                    std::uint64_t most) override;

 private:
  struct Table {
    algebra::Names columns;
    Tuples rows;
  };
  // Columns are those of the relation, in its order.
  DatabaseResult<Tuples> evaluate(const algebra::Relation& relation) const;
  DatabaseResult<Tuples> evaluate_row(const algebra::Relation& relation) const;
  DatabaseResult<Tuples> evaluate_table(const algebra::Relation& relation) const;
  DatabaseResult<Tuples> evaluate_select(const algebra::Relation& relation) const;
  DatabaseResult<Tuples> evaluate_terms(const algebra::Relation& relation) const;
  DatabaseResult<Tuples> evaluate_columns(const algebra::Relation& relation) const;
  DatabaseResult<Tuples> evaluate_join(const algebra::Relation& relation) const;
  DatabaseResult<Tuples> evaluate_set(const algebra::Relation& relation) const;
  DatabaseResult<> outcome() const;

  Cube& cube_;
  std::function<bool()> is_over_;
  std::map<std::string, Table> tables_;
};

}  // namespace panoptes
