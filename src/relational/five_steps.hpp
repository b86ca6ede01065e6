// SPDX-License-Identifier: Apache-2.0
// The five steps: a protocol of two processes verified with joins, projections, unions and
// differences, and nothing else.
//
//   1  H-A, R-A, H-B, R-B   what each process transmits and receives
//   2  Z, P, J              the steady system, one message at a time: possible transitions,
//                           pairs of states that are reached, transitions between those
//   3  steady G             each of those as a transmission and a reception, with channels
//   4  S, G                 any number of messages that the channels hold: all states that are
//                           reached, all transitions out of them
//   5  deadlocks, unspecified receptions, nonexecutable interactions, as differences
//
// Idea: tables of numbers in a database (raw_g, ...), filled by the expressions in five_steps.cpp.
// P and S are fixpoints: each round joins only what the round before has found. Z may have as many
// rows as the product of its processes, of which few are reachable: it is built only where it has
// no more than FiveSteps::most_built_rows, and nothing else needs it, since P and J join H and R
// from the pairs that are reached. Its rows are counted by message instead.
// Source: Frieder and Herman, Protocol Verification Using Database Technology, section II, with two
// corrections: step 4 goes on to the fixpoint, not for N rounds, and a deadlock is a state with its
// channels. A state in which both processes may stop is no deadlock, and one that has ended lacks
// no reception, as everywhere in Panoptes.
//
// Cost: S and G are as large as the state graph. How it can be wrong: only by what the database
// says. Thread safety: that of the database.
#pragma once

#include <string>
#include <vector>

#include "relational/step_relation.hpp"
#include "relational/two_process.hpp"

namespace panoptes {

class FiveSteps {
 public:
  static constexpr std::uint64_t most_built_rows = 1'000'000;  // of Z
  static constexpr std::uint32_t most_capacity = 64;           // of a channel

  FiveSteps(Database& database, const TwoProcess& protocol);

  const TwoProcess& protocol() const { return protocol_; }

  // All five steps. REQUIRES: no other run on the same connection, whose temporary tables these
  // are.
  DatabaseResult<> run();

  // In the order in which they are found. Valid after run(), as all that follows.
  const std::vector<StepRelation>& relations() const { return relations_; }
  const StepRelation& relation(const std::string& table) const;

 private:
  DatabaseResult<> load();
  DatabaseResult<> load_rows(const std::string& table, const std::set<TwoProcess::Row>& rows);
  DatabaseResult<> steady();
  DatabaseResult<> count_z();
  DatabaseResult<> expand();
  DatabaseResult<> find_errors();

  // Fills the table of a relation, and notes its size and time.
  DatabaseResult<> make(StepRelation relation, const algebra::Relation& rows);
  // The least relation that contains `start` and all that `next` makes of a table of its rows.
  DatabaseResult<> make_fixpoint(StepRelation relation, const algebra::Relation& start,
                                 algebra::Relation (FiveSteps::*next)(const std::string&) const);

  algebra::Relation raw(const std::string& table) const;
  algebra::Relation steady_transitions(const algebra::Relation& pairs) const;
  algebra::Relation next_pairs(const std::string& table) const;
  algebra::Relation next_states(const std::string& table) const;
  algebra::Relation transitions(const algebra::Relation& states) const;
  algebra::Relation steady_rows() const;
  algebra::Names state_columns() const;       // of S
  algebra::Names transition_columns() const;  // of G

  Database& database_;
  const TwoProcess& protocol_;
  std::vector<StepRelation> relations_;
};

}  // namespace panoptes
