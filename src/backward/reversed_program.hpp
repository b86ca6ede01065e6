// SPDX-License-Identifier: Apache-2.0
// A program and everything that is needed to go through it backwards: what its rules ask of
// states, claims on states, and the rules fired backwards on claims. Both searches stand on one.
//
// Thread safety: one thread.
#pragma once

#include <string>
#include <vector>

#include "backward/limits.hpp"
#include "backward/steps_into.hpp"
#include "backward/targets.hpp"
#include "base/result.hpp"

namespace panoptes {

enum class Reachability : std::uint8_t { reachable, unreachable, unknown };

struct BackwardAnswer {
  Reachability reachability = Reachability::unknown;
  // Reachable: the rules from the initial state to one in which it is wrong; of deadlocks that are
  // one target, one way for each place where everybody is.
  std::vector<std::vector<RuleId>> ways = {};
  std::string reason = {};   // unknown, or not known whether there are other ways: why
  std::uint64_t claims = 0;  // met, or questions asked, until it was known
};

struct ReversedProgram {
  // Keeps a copy of the program.
  explicit ReversedProgram(const Program& given)
      : program(given),
        conditions(program),
        space(program),
        solver(space, program.protocol.expressions),
        predecessors(program, conditions, space, solver),
        steps(program, space, solver, predecessors) {}
  ReversedProgram(const ReversedProgram&) = delete;
  ReversedProgram& operator=(const ReversedProgram&) = delete;

  // What may go wrong, as far as each state for itself tells; or what there was too little of.
  Result<std::vector<Targets::Candidate>, std::string> candidates(ReceptionPolicy receptions,
                                                                  const BackwardLimits& limits);

  // Those by the product of wait states, or what there was too little of: `work` also where there
  // are more than can be made.
  Result<std::vector<Targets::Candidate>, std::string> potential_deadlocks(
      const BackwardLimits& limits);

  Program program;
  RuleConditions conditions;
  ClaimSpace space;
  Solver solver;
  Predecessors predecessors;
  StepsInto steps;

 private:
  using Found = Result<std::vector<Targets::Candidate>, std::string>;
  template <typename Ask>
  Found within(const BackwardLimits& limits, Ask ask);
};

}  // namespace panoptes
