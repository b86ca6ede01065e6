// SPDX-License-Identifier: Apache-2.0
// A SAT solver that is asked many questions about the same clauses, and one that is asked once and
// proves what it says. Either is a module's (sat_engine.hpp), CaDiCaL's.
// Thread safety: one thread for each.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "backward/sat_engine.hpp"
#include "base/deadline.hpp"

namespace panoptes {

// What is missing where there is no SAT solver, and how to get it; "" where there is one. Who needs
// one asks first.
std::string why_no_sat_solver();

// REQUIRES, as for what is below: there is one.
class SatSolver {
 public:
  using Answer = SatAnswer;
  SatSolver();

  void add(std::span<const Literal> clause);
  // For the next question only: it is true.
  void assume(Literal literal);

  Answer ask(const Deadline& deadline);
  // Behind `possible`. What nobody has asked about is false.
  bool is_true(Literal literal) const;

 private:
  std::unique_ptr<SatEngine> engine_;
  std::vector<Literal> clauses_, assumed_;  // since the last question
  std::vector<bool> values_{false};         // by variable, of the last answer that was possible
};

// What a solver that is asked once says of clauses: that they contradict each other, with a proof
// in the text form of DRAT, or that they do not.
struct ProvedAnswer {
  SatAnswer answer = SatAnswer::given_up;
  std::string proof = {};         // impossible
  std::vector<bool> values = {};  // possible: by variable; [0] is none
};
ProvedAnswer ask_for_proof(const std::vector<std::vector<Literal>>& clauses,
                           const Deadline& deadline);

}  // namespace panoptes
