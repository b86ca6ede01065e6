// SPDX-License-Identifier: Apache-2.0
#include "backward/sat_solver.hpp"

#include <cadical.hpp>

namespace panoptes {

struct SatSolver::Implementation : CaDiCaL::Terminator {
  CaDiCaL::Solver solver;
  const Deadline* deadline = nullptr;
  int looks = 0;

  // It asks often, and a clock is slow.
  bool terminate() override { return ++looks % 64 == 0 && deadline && deadline->has_passed(); }
};

SatSolver::SatSolver() : solver_(std::make_unique<Implementation>()) {
  // Questions are many and short: what prepares for long ones takes more than it gives.
  solver_->solver.configure("plain");
  solver_->solver.connect_terminator(solver_.get());
}

SatSolver::~SatSolver() { solver_->solver.disconnect_terminator(); }

void SatSolver::add(std::span<const Literal> clause) {
  for (const Literal literal : clause) solver_->solver.add(literal);
  solver_->solver.add(0);
}

void SatSolver::assume(Literal literal) { solver_->solver.assume(literal); }

void SatSolver::constrain(std::span<const Literal> clause) {
  for (const Literal literal : clause) solver_->solver.constrain(literal);
  solver_->solver.constrain(0);
}

void SatSolver::forget_assumptions() {
  solver_->solver.reset_assumptions();
  solver_->solver.reset_constraint();
}

SatSolver::Answer SatSolver::ask(const Deadline& deadline) {
  solver_->deadline = &deadline;
  const int found = solver_->solver.solve();
  solver_->deadline = nullptr;
  return found == 10 ? Answer::possible : found == 20 ? Answer::impossible : Answer::given_up;
}

bool SatSolver::is_true(Literal literal) const { return solver_->solver.val(literal) > 0; }

bool SatSolver::was_needed(Literal assumption) const { return solver_->solver.failed(assumption); }

}  // namespace panoptes
