// SPDX-License-Identifier: Apache-2.0
// The whole verifier in a database: every reachable state, every transition, every error, and the
// way back from the errors to the initial state, set at a time.
//
// Idea (Lee and Lai; Frieder and Herman 1989, extended as they propose to variables and to any
// number of processes): a state is a row, a rule is SELECT action WHERE predicate, and the
// reachable states are the fixpoint of their union, one recursive query. Transitions are the same
// union over all of them. Errors are queries, and the way back is a chain of joins with the
// predecessors.
//
// Tables, all temporary: they go with the connection, or when relate() is called again. They are
// not made in one transaction: DuckDB knows nothing of how large a table is that is not committed
// yet, and then joins it the wrong way round.
//   reached(id, depth, w0, ...)         states, numbered level by level; id 1 is the initial one
//   firings(source, rule, target)       every firing that has a successor
//   failures(source, rule, kind, assertion)      every firing that has none
//   findings(state, rule, kind, process, channel, tag, assertion, p0, ...)  errors, one by one;
//                                       p0, ...: the words, less what does not make it another
//                                       error
//   stuck(id)                           states in which nothing can happen
//   parents(state, source, rule)        for every state but the first, one step of a shortest way
//   faulty(state)                       states from which an error can be reached
//
// Cost: about a second for a million states and four million transitions in DuckDB, of which the
// recursive query takes a quarter. Depths are not part of it: a recursive query tells rows apart by
// all their columns, and a state met again at a greater depth would be another one. DuckDB has
// recursive queries with keys; they took eight times as long. But new rows come level by level, so
// numbers in their order are enough to find the levels afterwards.
//
// How it can be wrong: if an engine did not deliver rows in that order, depths and trails would be
// wrong. So it is checked, for every state, and is a failure.
//
// Thread safety: one thread; cancel() of the database from any other.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/batch.hpp"
#include "relational/database.hpp"
#include "relational/dialect.hpp"
#include "rules/finding.hpp"

namespace panoptes {

struct RelateOptions {
  ReceptionPolicy receptions = ReceptionPolicy::blocked;
  bool unread_messages_are_errors = false;
  // Told what is done next; may be empty.
  std::function<void(const std::string&)> progress;
};

// Findings that are the same but for the state they were made in.
struct RelatedError {
  Finding finding;
  StateWords state;  // one of the least depth
  std::uint64_t count = 0;
  std::uint64_t depth = 0;   // of that state
  std::vector<RuleId> path;  // a shortest way there
};

struct Related {
  std::uint64_t states = 0;
  std::uint64_t transitions = 0;  // those that fail included
  std::uint64_t depth = 0;
  std::uint64_t faulty_states = 0;  // from which an error can be reached
  std::vector<bool> fired;          // by rule: it was executed, whether it failed or not ...
  std::vector<bool> passed;         // ... and it was, with a state behind it
  std::vector<RelatedError> errors;
  double search_seconds = 0.0;  // of the recursive query
};

// SQL that drops all those tables, where they are.
std::string drop_relate_tables(const Dialect& dialect);

DatabaseResult<Related> relate(const Program& program, Database& database, const Dialect& dialect,
                               const RelateOptions& options);

}  // namespace panoptes
