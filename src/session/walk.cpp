// SPDX-License-Identifier: Apache-2.0
#include "session/walk.hpp"

#include <algorithm>
#include <cassert>
#include <iterator>

#include "step/examine.hpp"

namespace panoptes {

Walk::Walk(const Program& program, ReceptionPolicy receptions)
    : program_(program), turn_(program), receptions_(receptions), positions_(program) {
  restart();
}

void Walk::restart() {
  states_.assign(1, program_.initial);
  rules_.clear();
  at_ = 0;
  positions_ = Positions(program_);
  last_statements_.clear();
  turn_.restart();
  look_around();
}

// The step at `at`.
void Walk::follow(std::size_t at) {
  last_statements_ = positions_.statements(rules_[at]);
  positions_.take(rules_[at]);
  turn_.take(rules_[at], states_[at], states_[at + 1]);
}

void Walk::look_around() {
  const StateBatch batch{program_.layout.words, states_[at_]};
  SuccessorBatch successors;
  findings_.clear();
  enabled_.clear();
  turn_.expand(batch, successors, findings_);
  for (std::size_t i = 0; i < successors.size(); ++i) {
    const StateView next = successors.states[i];
    enabled_.push_back({successors.rules[i], {next.begin(), next.end()}, {}});
  }
  for (const Finding& finding : findings_) {
    const auto known = std::find_if(enabled_.begin(), enabled_.end(), [&](const EnabledStep& step) {
      return step.rule == finding.rule;
    });
    if (known != enabled_.end())
      known->failures.push_back(finding);
    else
      enabled_.push_back({finding.rule, {}, {finding}});
  }
  std::sort(enabled_.begin(), enabled_.end(),
            [](const EnabledStep& a, const EnabledStep& b) { return a.rule < b.rule; });
  if (turn_.is_outside()) examine(program_, batch, successors, receptions_, findings_);
  std::erase_if(findings_, [](const Finding& finding) { return finding.rule != none; });
}

void Walk::take(std::size_t choice) {
  const EnabledStep& step = enabled_[choice];
  assert(!step.fails() && at_ < most_steps);
  if (at_ == length() || rules_[at_] != step.rule) {
    rules_.resize(at_);
    states_.resize(at_ + 1);
    states_.push_back(step.next);  // first: without memory, no rule is without its state
    rules_.push_back(step.rule);
  }
  follow(at_);
  ++at_;
  look_around();
}

bool Walk::take_rule(RuleId rule) {
  const auto found = std::find_if(enabled_.begin(), enabled_.end(), [&](const EnabledStep& step) {
    return step.rule == rule && !step.fails();
  });
  if (found == enabled_.end() || at_ == most_steps) return false;
  take(static_cast<std::size_t>(found - enabled_.begin()));
  return true;
}

void Walk::go_to(std::size_t step) {
  assert(step <= length());
  at_ = step;
  positions_ = Positions(program_);
  last_statements_.clear();
  turn_.restart();
  for (std::size_t i = 0; i < at_; ++i) follow(i);
  look_around();
}

}  // namespace panoptes
