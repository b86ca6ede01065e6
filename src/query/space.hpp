// SPDX-License-Identifier: Apache-2.0
// The state space of a model in a database: made once, then asked.
//
// Idea: everything is in the schema `panoptes`, and its table `space` says of what. Where that is
// the space that is wanted it is used as it is; another one is replaced, relation by relation, so
// that what others have put beside them stays. Making one is a single transaction, and asking
// happens in one that cannot write.
//
// How it can fail: as the database does. A schema `panoptes` that is no state space and not empty
// is left alone, and so is a space that something else in the database depends on; both are
// failures that are not Panoptes' own.
//
// Thread safety: one thread; cancel() of the database from any other.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "query/native_space.hpp"
#include "query/views.hpp"
#include "relational/database.hpp"

namespace panoptes {

struct SpaceRequest {
  std::string model;     // for people
  std::string identity;  // everything the space depends on, however long; kept as its hash
  std::string limits;    // what may have cut the search; a complete space fits any
  bool is_relational = false;
};

struct Space {
  SpaceFacts facts;
  bool is_reused = false;
  bool has_replaced = false;  // another one, which is gone
};

// How a space is made, where it is not there already.
struct SpaceMaker {
  // Before the transaction; may be empty. A search in the database belongs here: DuckDB plans badly
  // for tables that are not committed.
  std::function<DatabaseResult<>()> prepare;
  // Fills the tables, within the transaction.
  std::function<DatabaseResult<SpaceFacts>()> fill;
};

// Afterwards the space is there and committed; on failure the database is as it was. Where it
// is made, the rows of `relations` are taken.
DatabaseResult<Space> make_space(Database& database, const Dialect& dialect, const Program& program,
                                 std::vector<Relation>& relations, const SpaceRequest& request,
                                 const SpaceMaker& maker);

// Begins a transaction in which nothing can be written and relations go by their bare names.
DatabaseResult<> begin_asking(Database& database);

}  // namespace panoptes
