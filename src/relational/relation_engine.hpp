// SPDX-License-Identifier: Apache-2.0
// A RelationEngine keeps tables of numbers and fills them by expressions of the algebra: all that
// the five steps need of a machine.
//
// There are SqlEngine, a database, and CubeEngine (hypercube/cube_engine.hpp), the paper's own
// machine. Tables are called as they are given, columns as the relations say; a value is a whole
// number of 64 bits, and never NULL.
//
// How it can fail: every call says so by its result. Thread safety: one thread at a time.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "relational/algebra.hpp"
#include "relational/database.hpp"

namespace panoptes {

using NumberRow = std::vector<std::int64_t>;

class RelationEngine {
 public:
  virtual ~RelationEngine() = default;

  // A new table of these rows.
  virtual DatabaseResult<> load(const std::string& table, const algebra::Names& columns,
                                const std::vector<NumberRow>& rows) = 0;
  // A new table of what an expression is, and how many rows it has.
  virtual DatabaseResult<std::uint64_t> make(const std::string& table,
                                             const algebra::Relation& rows) = 0;
  // Adds all rows of one table to another, which has the same columns.
  virtual DatabaseResult<> add(const std::string& table, const std::string& from) = 0;
  virtual DatabaseResult<> drop(const std::string& table) = 0;

  // The first `most` rows of a table of these columns, in the order of `by`: columns, or `abs` of
  // one in parentheses.
  virtual DatabaseResult<std::vector<NumberRow>> first_rows(const std::string& table,
                                                            const algebra::Names& columns,
                                                            const algebra::Names& by,
                                                            std::uint64_t most) = 0;
};

// A database as such an engine; the tables are temporary ones of its connection. It outlives this.
class SqlEngine final : public RelationEngine {
 public:
  explicit SqlEngine(Database& database) : database_(database) {}

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
  Database& database_;
};

}  // namespace panoptes
