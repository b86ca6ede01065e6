// SPDX-License-Identifier: Apache-2.0
#include "backward/sat_solver.hpp"

#include <fmt/format.h>

#include <cstdlib>

#include "base/module.hpp"
#include "step/interpreter.hpp"

namespace panoptes {
namespace {

// Looked for once, when somebody asks first.
const Result<void*, std::string>& engine_module() {
  static const Result<void*, std::string> found =
      find_in_module("cadical", "panoptes_make_sat_engine");
  return found;
}

std::unique_ptr<SatEngine> make_engine(bool writes_proof) {
  if (!engine_module()) throw InternalFault(why_no_sat_solver());
  std::unique_ptr<SatEngine> engine;
  reinterpret_cast<MakeSatEngine*> (*engine_module())(writes_proof, engine);
  return engine;
}

// Appends a literal, and makes room for the value of its variable.
void append(Literal literal, std::vector<Literal>& literals, std::vector<bool>& values) {
  literals.push_back(literal);
  const auto variable = static_cast<std::size_t>(std::abs(literal));
  if (variable >= values.size()) values.resize(variable + 1);
}

void append(std::span<const Literal> clause, std::vector<Literal>& clauses,
            std::vector<bool>& values) {
  for (const Literal literal : clause) append(literal, clauses, values);
  clauses.push_back(0);
}

}  // namespace

std::string why_no_sat_solver() {
  if (engine_module()) return {};
  return fmt::format("CaDiCaL is not there: {}\ninstall libcadical-dev and build again",
                     engine_module().failure());
}

SatSolver::SatSolver() : engine_(make_engine(false)) {}

void SatSolver::add(std::span<const Literal> clause) { append(clause, clauses_, values_); }

void SatSolver::assume(Literal literal) { append(literal, assumed_, values_); }

SatAnswer SatSolver::ask(const Deadline& deadline) {
  const SatAnswer answer =
      engine_->ask(clauses_, assumed_, [&deadline] { return deadline.has_passed(); });
  clauses_.clear();
  assumed_.clear();
  if (answer == Answer::possible) engine_->read_model(values_);
  return answer;
}

bool SatSolver::is_true(Literal literal) const {
  const auto variable = static_cast<std::size_t>(std::abs(literal));
  return (variable < values_.size() && values_[variable]) == (literal > 0);
}

ProvedAnswer ask_for_proof(const std::vector<std::vector<Literal>>& clauses,
                           const Deadline& deadline) {
  const std::unique_ptr<SatEngine> engine = make_engine(true);
  ProvedAnswer answer;
  std::vector<Literal> all;
  std::vector<bool> values{false};
  for (const std::vector<Literal>& clause : clauses) append(clause, all, values);
  answer.answer = engine->ask(all, {}, [&deadline] { return deadline.has_passed(); });
  if (answer.answer == SatAnswer::impossible) answer.proof = engine->proof();
  if (answer.answer == SatAnswer::possible) {
    engine->read_model(values);
    answer.values = std::move(values);
  }
  return answer;
}

}  // namespace panoptes
