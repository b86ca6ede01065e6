// SPDX-License-Identifier: Apache-2.0
// Claims as literals of a SAT solver: which states there are, and what a claim says of one.
//
// A number that can have few values has a variable for each of them, of which one is true. Of
// others there are variables for "at most so much", made when a claim asks for one. So has the tag
// of every place of a channel, 0 being that there is no message, and every value that a message
// with that tag has there. That a number is in a set is a literal, too, made when it is asked for.
//
// Rules are no part of it: a step is asked about by what it asks of the state before it
// (predecessors.hpp), so the solver never sees more than a state.
//
// Thread safety: one thread.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "backward/claims.hpp"
#include "backward/sat_solver.hpp"

namespace panoptes {

class ClaimLiterals {
 public:
  // Both outlive it. Adds what makes a state one to the solver.
  ClaimLiterals(ClaimSpace& space, SatSolver& solver);
  ClaimLiterals(const ClaimLiterals&) = delete;
  ClaimLiterals& operator=(const ClaimLiterals&) = delete;

  Literal fresh() { return ++variables_; }

  // What the claim says; together, that a state is in it.
  const std::vector<Literal>& parts_of(const Claim& claim);
  // Assumes, for the next question, that the state is in the claim.
  void assume(const Claim& claim);
  // From now on no state is in the claim; or, where `unless` is not 0, that is true.
  void exclude(const Claim& claim, Literal unless = 0);

  // The state of the solver's model, as a claim; where several are alike to all that was ever
  // asked for, one of them.
  Claim point_of_model();

 private:
  struct Field {
    std::int64_t low = 0, high = 0;
    Literal first = 0;                                       // of a variable for each value, or 0
    std::map<std::int64_t, Literal> at_most;                 // else
    std::map<std::vector<std::int64_t>, Literal> sets = {};  // by bounds of their parts
  };
  struct Slot {
    Field tag;
    std::vector<std::vector<Field>> values;  // by tag - 1
  };

  Field field_of(std::int64_t low, std::int64_t high, std::int64_t most_single);
  Literal in(Field& field, const ValueSet& set);
  Literal defined(Field& field, const ValueSet& set);
  Literal at_most(Field& field, std::int64_t value);
  std::int64_t value_of_model(const Field& field) const;
  void add(std::initializer_list<Literal> clause) {
    solver_.add(std::span(clause.begin(), clause.size()));
  }

  ClaimSpace& space_;
  SatSolver& solver_;
  int variables_ = 0;
  Literal yes_;
  std::vector<Field> numbers_;
  std::vector<std::vector<Slot>> channels_;
  std::vector<Literal> parts_;  // of the claim that was asked for last
};

}  // namespace panoptes
