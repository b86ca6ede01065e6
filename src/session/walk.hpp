// SPDX-License-Identifier: Apache-2.0
// A walk through the states of a protocol, one step at a time, forwards and backwards.
//
// The walk remembers every state it was in. Going back keeps what lies ahead, and so does taking
// the same step again; another step drops it. Steps are those of the reference, one rule at a time:
// inside of an indivisible sequence only its process has any.
//
// Where a move throws, for want of memory, the steps that lead to where it began are still known:
// go_to() leads back there. Until then nothing else may be asked.
//
// Cost: one state for each step. Thread safety: one thread.
#pragma once

#include <vector>

#include "rules/positions.hpp"
#include "step/turn.hpp"
#include "verdict/trail.hpp"

namespace panoptes {

// A step that can be taken. One that fails leads nowhere.
struct EnabledStep {
  RuleId rule = none;
  StateWords next;                // empty where it fails
  std::vector<Finding> failures;  // what it violates

  bool fails() const { return !failures.empty(); }
};

class Walk {
 public:
  // A walk has at most this many steps.
  static constexpr std::size_t most_steps = 100'000;

  // At the initial state. REQUIRES: `program` outlives the walk.
  Walk(const Program& program, ReceptionPolicy receptions);

  StateView state() const { return states_[at_]; }
  StateView state(std::size_t step) const { return states_[step]; }
  std::size_t at() const { return at_; }                        // steps from the initial state
  std::size_t length() const { return rules_.size(); }          // steps known, those ahead included
  RuleId rule(std::size_t step) const { return rules_[step]; }  // the one taken in that state

  // Where everybody is in the text.
  const Positions& positions() const { return positions_; }
  // The statements that the step which led here has executed; none at the initial state.
  const std::vector<StatementId>& last_statements() const { return last_statements_; }

  // In the order of the rules.
  const std::vector<EnabledStep>& enabled() const { return enabled_; }
  // What is wrong with the state itself.
  const std::vector<Finding>& findings() const { return findings_; }

  // Takes a step of enabled(). REQUIRES: it does not fail, and there is room for it.
  void take(std::size_t choice);
  // Takes the step with this rule; false where none can be taken that does not fail.
  bool take_rule(RuleId rule);
  // REQUIRES: step <= length().
  void go_to(std::size_t step);
  void restart();

  // The rules that lead here.
  std::vector<RuleId> rules() const { return {rules_.begin(), rules_.begin() + offset()}; }

 private:
  std::ptrdiff_t offset() const { return static_cast<std::ptrdiff_t>(at_); }
  void follow(std::size_t at);
  void look_around();

  const Program& program_;
  Turn turn_;
  ReceptionPolicy receptions_;
  std::vector<StateWords> states_;  // one more than rules
  std::vector<RuleId> rules_;
  std::size_t at_ = 0;
  Positions positions_;
  std::vector<StatementId> last_statements_;
  std::vector<EnabledStep> enabled_;
  std::vector<Finding> findings_;
};

}  // namespace panoptes
