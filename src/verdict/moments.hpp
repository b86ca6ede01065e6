// SPDX-License-Identifier: Apache-2.0
// The moments of a run: which atoms of a temporal property hold at each.
//
// A moment is a state that a search sees, and the step that led to it. An indivisible sequence is
// one step, and all that was sent and received in it has happened right before the state behind it.
// An atom about a state that has no value there, since it divides by zero or asks for a member that
// is not there, does not hold.
//
// Thread safety: functions of their arguments.
#pragma once

#include <vector>

#include "step/interpreter.hpp"
#include "verdict/trail.hpp"

namespace panoptes {

class Moments {
 public:
  // Both outlive it.
  Moments(const Program& program, const TemporalProperty& property);

  // Atoms about a state; whether the run has ended there is not for a state to say.
  Valuation of_state(StateView state) const;
  std::size_t atoms() const { return property_.atoms.size(); }
  // What a step has sent and received.
  Valuation of_rule(RuleId rule) const { return events_[rule]; }
  // Where the run has ended.
  Valuation of_end() const { return ended_; }

  // Those behind the steps of a trail, which begins at a moment.
  std::vector<Valuation> of_trail(const Trail& trail) const;

 private:
  Interpreter interpreter_;
  const TemporalProperty& property_;
  std::vector<Valuation> events_;  // by rule
  Valuation ended_ = 0;
};

}  // namespace panoptes
