// SPDX-License-Identifier: Apache-2.0
// The steps into a claim, by rule. Where the states before one are few claims there is a step for
// each of them; where they are too many it is one step, or few, with demands that are left open
// (demands.hpp).
//
// How it can be wrong: not; together the steps are all states before, and no others.
// Thread safety: one thread.
#pragma once

#include <functional>
#include <vector>

#include "backward/demands.hpp"
#include "backward/limits.hpp"
#include "backward/predecessors.hpp"

namespace panoptes {

struct StepInto {
  RuleId rule;        // none where nobody moves
  Claim before;       // of these states, ...
  Demands::Ids open;  // ... those in which all of this is met
};

class StepsInto {
 public:
  // All outlive it.
  StepsInto(const Program& program, ClaimSpace& space, Solver& solver, Predecessors& predecessors)
      : demands(space, solver),
        program_(program),
        solver_(solver),
        predecessors_(predecessors),
        has_many_(program.rules.size() + program.control.size()) {}

  // Of the rules for which it `counts`, or all of them.
  // Throws TooMuchWork where time ends, or there are too many ways to undo assignments to elements
  // of arrays.
  using Counts = std::function<bool(const Rule&)>;
  std::vector<StepInto> of(const Claim& claim, const BackwardLimits& limits,
                           const Counts& counts = {});

  Demands demands;

 private:
  // `way`: one of the rules, or behind them that of a process that waits.
  std::vector<Claim> before(const Claim& claim, std::size_t way);
  std::vector<Predecessors::Draft> drafts_before(const Claim& claim, std::size_t way);
  void add(const Claim& claim, std::size_t way, const BackwardLimits& limits,
           std::vector<StepInto>& steps);

  const Program& program_;
  Solver& solver_;
  Predecessors& predecessors_;
  std::vector<bool> has_many_;  // by way: it had too many claims before it once
};

}  // namespace panoptes
