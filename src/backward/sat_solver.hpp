// SPDX-License-Identifier: Apache-2.0
// A SAT solver that is asked many questions about the same clauses: CaDiCaL.
// Thread safety: one thread.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "backward/circuit.hpp"
#include "base/deadline.hpp"

namespace panoptes {

class SatSolver {
 public:
  SatSolver();
  ~SatSolver();

  void add(std::span<const Literal> clause);
  // For the next question only: it is true.
  void assume(Literal literal);

  // As if nothing had been assumed.
  void forget_assumptions();

  enum class Answer { possible, impossible, given_up };
  Answer ask(const Deadline& deadline);
  // Behind `possible`.
  bool is_true(Literal literal) const;

  struct Implementation;

 private:
  std::unique_ptr<Implementation> solver_;
};

// What a solver that is asked once says of clauses: that they contradict each other, with a proof
// in the text form of DRAT, or that they do not.
struct ProvedAnswer {
  SatSolver::Answer answer = SatSolver::Answer::given_up;
  std::string proof = {};         // impossible
  std::vector<bool> values = {};  // possible: by variable; [0] is none
};
ProvedAnswer ask_for_proof(const std::vector<std::vector<Literal>>& clauses,
                           const Deadline& deadline);

}  // namespace panoptes
