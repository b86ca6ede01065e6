// SPDX-License-Identifier: Apache-2.0
// The relations of the five steps with the names of states and messages.
//
// Idea: the numbers of raw tables are joined with a table of names: in the program for the few rows
// that are shown, in the database for the tables that are kept. A transmission of M is -M, no
// message is 0, as in the paper. Procedures are as written; variables and values are numbers.
//
// How it can fail: as the database does. What is kept is kept whole, for it needs a transaction of
// the caller's. Only tables that an earlier run has noted in `panoptes_relations` are replaced;
// others of the same names are never touched, and the failure names them. Thread safety: that of
// the database.
#pragma once

#include <string>
#include <vector>

#include "relational/relation_engine.hpp"
#include "relational/step_relation.hpp"
#include "relational/two_process.hpp"

namespace panoptes {

using NamedRow = std::vector<std::string>;

class NamedSteps {
 public:
  explicit NamedSteps(const TwoProcess& protocol) : protocol_(protocol) {}

  // The first `most` rows of a relation, in the order of its columns.
  DatabaseResult<std::vector<NamedRow>> first_rows(const StepRelation& relation,
                                                   RelationEngine& engine,
                                                   std::uint64_t most) const;

  // Leaves every relation that was built as a table of `schema`, and their sizes as the table
  // `panoptes_relations`; those of an earlier run are replaced. REQUIRES: a transaction is open,
  // and the relations are tables of this database.
  DatabaseResult<> keep(Database& database, const std::vector<StepRelation>& relations,
                        const std::string& schema, const std::string& model) const;

 private:
  DatabaseResult<> load(Database& database) const;  // the table of names
  static DatabaseResult<algebra::Names> own_tables(Database& database, const algebra::Names& names,
                                                   const std::string& schema);
  // The statement that makes the schema; "" where it is there.
  static DatabaseResult<std::string> schema_statement(Database& database,
                                                      const std::string& schema);
  std::string name(const std::string& column, std::int64_t number, bool is_of_a) const;
  std::string message_name(std::int64_t number) const;
  std::string procedure_name(std::int64_t number) const;
  static std::string error_name(std::int64_t number);

  const TwoProcess& protocol_;
};

}  // namespace panoptes
