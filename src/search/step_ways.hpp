// SPDX-License-Identifier: Apache-2.0
// What happens in the steps of a protocol, as runs see them: an effect.
//
// Idea: there are few effects, one for each rule. An indivisible sequence is one step, and several
// ways through it may lead to the same state while other things happen; they are followed, and each
// end of the sequence is told once for every effect.
//
// Thread safety: functions of their arguments.
#pragma once

#include <vector>

#include "verdict/moments.hpp"

namespace panoptes {

struct StepEffect {
  Valuation events = 0;
  std::vector<ProcessId> moved;          // sorted, as the others are
  std::vector<ChannelId> lost, carried;  // by lossy lines
  friend auto operator<=>(const StepEffect&, const StepEffect&) = default;
};

// A way through an indivisible sequence, or a single step.
struct StepWay {
  std::vector<RuleId> rules;
  StateWords target;
  StepEffect effect;
};

class StepWays {
 public:
  // Both outlive it.
  StepWays(const Program& program, const Moments& moments);

  // Of a rule alone.
  const StepEffect& effect(RuleId rule) const { return effects_[rule]; }
  // Whether a step by this rule may go on without others.
  bool begins_sequence(RuleId rule) const { return begins_sequence_[rule]; }
  std::vector<StepWay> from(StateView state) const;

 private:
  void follow(StepWay first, std::vector<StepWay>& ways) const;

  const Program& program_;
  std::vector<StepEffect> effects_;  // by rule
  std::vector<bool> begins_sequence_;
};

}  // namespace panoptes
