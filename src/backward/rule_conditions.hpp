// SPDX-License-Identifier: Apache-2.0
// What the rules of a program ask of a state, as expressions: in which states each of them is
// enabled, in which it has a successor, and in which it fires into which error. They say what
// step/interpreter.cpp does, in the pool that everything else is in; whoever reasons about states
// without having one needs no other description of a rule than these and its effect.
//
// What rules wait for that are of a later class is no part of it: see `waits_for`.
#pragma once

#include <vector>

#include "rules/program.hpp"

namespace panoptes {

class RuleConditions {
 public:
  // Adds expressions to the pool of `program`, which outlives it.
  explicit RuleConditions(Program& program);

  // That the rule fires, be it into an error. Always has a value.
  ExpressionId enabled(RuleId rule) const { return rules_[rule].enabled; }
  // That it fires and has a successor.
  ExpressionId succeeds(RuleId rule) const { return rules_[rule].succeeds; }
  // That it fires into an error.
  struct Failure {
    const StepCheck* check;  // of the rule, that does not hold; null: some expression has no value
    ExpressionId condition;
  };
  // For every check of the rule, and behind them for expressions without a value.
  const std::vector<Failure>& failures(RuleId rule) const { return rules_[rule].failures; }

 private:
  struct Conditions {
    ExpressionId enabled, succeeds;
    std::vector<Failure> failures;
  };
  Conditions conditions_of(RuleId rule);
  ExpressionId all(const std::vector<ExpressionId>& parts);
  ExpressionId negated(ExpressionId id);
  ExpressionId is_tried(const Rule& rule);
  ExpressionId may_fire(const Rule& rule, ExpressionId room);
  ExpressionId has_values(const Rule& rule);

  Program& program_;
  Expressions& pool_;
  std::vector<Conditions> rules_;
};

// Whether `rule` can only fire where `other` is not enabled.
bool waits_for(const Program& program, RuleId rule, RuleId other);

// Who moves alone (step/turn.hpp), as a number: 0 where anybody may.
inline std::int64_t number_of_loner(ProcessId process) {
  return process == none ? 0 : std::int64_t{process} + 1;
}
// Who can come to move alone.
std::vector<ProcessId> loners_of(const Program& program);

}  // namespace panoptes
