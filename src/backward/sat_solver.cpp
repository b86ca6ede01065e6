// SPDX-License-Identifier: Apache-2.0
#include "backward/sat_solver.hpp"

#include <algorithm>
#include <cadical.hpp>
#include <cstdio>
#include <cstdlib>
#include <new>

namespace panoptes {

struct SatSolver::Implementation : CaDiCaL::Terminator {
  CaDiCaL::Solver solver;
  const Deadline* deadline = nullptr;
  unsigned looks = 0;

  // It asks often, and a clock is slow.
  bool terminate() override { return ++looks % 64 == 0 && deadline && deadline->has_passed(); }
};

namespace {

SatSolver::Answer answer_of(int status) {
  return status == 10   ? SatSolver::Answer::possible
         : status == 20 ? SatSolver::Answer::impossible
                        : SatSolver::Answer::given_up;
}

}  // namespace

SatSolver::SatSolver() : solver_(std::make_unique<Implementation>()) {
  // Questions are many and short: what prepares for long ones takes more than it gives.
  solver_->solver.configure("plain");
  solver_->solver.set("profile", 0);
  solver_->solver.connect_terminator(solver_.get());
}

SatSolver::~SatSolver() { solver_->solver.disconnect_terminator(); }

void SatSolver::add(std::span<const Literal> clause) {
  for (const Literal literal : clause) solver_->solver.add(literal);
  solver_->solver.add(0);
}

void SatSolver::assume(Literal literal) { solver_->solver.assume(literal); }

void SatSolver::forget_assumptions() { solver_->solver.reset_assumptions(); }

SatSolver::Answer SatSolver::ask(const Deadline& deadline) {
  solver_->deadline = &deadline;
  const int found = solver_->solver.solve();
  solver_->deadline = nullptr;
  if (answer_of(found) == Answer::given_up) forget_assumptions();
  return answer_of(found);
}

// Of a negative literal, versions of CaDiCaL differ in what they say.
bool SatSolver::is_true(Literal literal) const {
  return (solver_->solver.val(std::abs(literal)) > 0) == (literal > 0);
}

ProvedAnswer ask_for_proof(const std::vector<std::vector<Literal>>& clauses,
                           const Deadline& deadline) {
  char* text = nullptr;
  std::size_t size = 0;
  std::FILE* const file = open_memstream(&text, &size);
  if (file == nullptr) throw std::bad_alloc();
  ProvedAnswer answer;
  {
    SatSolver::Implementation asked;
    asked.deadline = &deadline;
    asked.solver.set("quiet", 1);
    asked.solver.set("binary", 0);
    asked.solver.trace_proof(file, "proof");
    asked.solver.connect_terminator(&asked);
    int variables = 0;
    for (const std::vector<Literal>& clause : clauses) {
      for (const Literal literal : clause) {
        asked.solver.add(literal);
        variables = std::max(variables, std::abs(literal));
      }
      asked.solver.add(0);
    }
    answer.answer = answer_of(asked.solver.solve());
    if (answer.answer == SatSolver::Answer::possible)
      for (int v = 0; v <= variables; ++v)
        answer.values.push_back(v > 0 && asked.solver.val(v) > 0);
    asked.solver.disconnect_terminator();
    asked.solver.close_proof_trace();
  }
  std::fclose(file);
  const std::unique_ptr<char, decltype(&std::free)> owner(text, &std::free);
  if (answer.answer == SatSolver::Answer::impossible) answer.proof.assign(text, size);
  return answer;
}

}  // namespace panoptes
