// SPDX-License-Identifier: Apache-2.0
// The five steps: a protocol of two processes verified with joins, projections, unions and
// differences, and nothing else.
//
//   1  H-A, R-A, H-B, R-B   what each process transmits and receives; I-A, T-A, I-B, T-B, what else
//                           extended automata do
//   2  Z, P, J              the steady system, one message at a time: possible transitions,
//                           pairs of states that are reached, transitions between those
//   3  steady G             each of those as a transmission and a reception, with channels
//   4  S, G                 any number of messages that the channels hold: all states that are
//                           reached, all transitions out of them
//   5  deadlocks, unspecified receptions, failures, nonexecutable interactions, as differences
//
// Idea: tables of numbers (raw_g, ...), filled by the expressions in five_steps.cpp, whoever
// computes them: a database, or a hypercube. One expression is all there is of a move: a join of
// states with what a process can do, by its control state, its channels and, where automata are
// extended, the procedure of the row; and the columns it changes. P and S are fixpoints: each round
// joins only what the round before has found. Z may have as many rows as the product of its
// processes, of which few are reachable: it is built only where it has no more than
// FiveSteps::most_built_rows, and nothing else needs it, since P and J join H and R from the pairs
// that are reached. Its rows are counted by message instead. Source: Frieder and Herman, Protocol
// Verification Using Database Technology, section II, with two corrections: step 4 goes on to the
// fixpoint, not for N rounds, and a deadlock is a state with its channels. A state in which both
// processes may stop is no deadlock, and one that has ended lacks no reception, as everywhere in
// Panoptes.
//
// Cost: S and G are as large as the state graph. How it can be wrong: only by what the engine says.
// Thread safety: that of the engine.
#pragma once

#include <string>
#include <vector>

#include "relational/procedure_sql.hpp"
#include "relational/step_tables.hpp"

namespace panoptes {

class FiveSteps {
 public:
  static constexpr std::uint64_t most_built_rows = 1'000'000;  // of Z

  // `program`, of which `protocol` was made, and `protocol` outlive it.
  FiveSteps(RelationEngine& engine, const TwoProcess& protocol, const Program& program,
            Dialect dialect);

  const TwoProcess& protocol() const { return protocol_; }
  const StepColumns& columns() const { return columns_; }

  // All five steps. REQUIRES: no other run on the same engine, whose tables these are.
  DatabaseResult<> run();

  // In the order in which they are found. Valid after run(), as all that follows.
  StepTables& tables() { return tables_; }
  const std::vector<StepRelation>& relations() const { return tables_.all(); }

  // The states of S that something is wrong with: `error`, 1 + ErrorKind, and `process`, whose
  // reception or failure it is, before the columns of S.
  algebra::Relation unsafe() const;
  // That a row of S is the initial state.
  std::string is_initial() const;

 private:
  enum class Doing { transmission, reception, internal, timeout };
  struct Rules;

  DatabaseResult<> load();
  DatabaseResult<> load_rows(const SideView& side, const Rules& rules);
  DatabaseResult<> steady();
  DatabaseResult<> make_z();
  DatabaseResult<> expand();
  DatabaseResult<> find_failures();
  DatabaseResult<> find_errors();
  DatabaseResult<> find_unused();

  algebra::Terms initial_pair() const;
  algebra::Relation raw(const std::string& table) const { return tables_.raw(table); }
  SideView other_side(const SideView& side) const;
  bool does(Doing doing) const;  // either process
  algebra::Relation match(const algebra::Relation& states, const SideView& side, Doing doing) const;
  algebra::Relation idle(const algebra::Relation& states) const;
  algebra::Relation moved(const algebra::Relation& states, const SideView& side, Doing doing) const;
  std::vector<algebra::Relation> moves(const algebra::Relation& states,
                                       const std::vector<Doing>& doings) const;
  algebra::Relation emptied(const algebra::Relation& pairs) const;
  algebra::Relation exchanges(const algebra::Relation& pairs, const SideView& sender) const;
  algebra::Relation steady_transitions(const algebra::Relation& pairs) const;
  algebra::Relation steady_rows() const;
  algebra::Relation transitions(const algebra::Relation& states) const;
  std::vector<algebra::Relation> failing(const SideView& side) const;
  algebra::Relation not_received(const SideView& side) const;

  const TwoProcess& protocol_;
  StepColumns columns_;
  ProcedureSql procedures_;
  StepTables tables_;
};

}  // namespace panoptes
