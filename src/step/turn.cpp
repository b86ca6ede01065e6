// SPDX-License-Identifier: Apache-2.0
#include "step/turn.hpp"

namespace panoptes {

void Turn::expand(const StateBatch& state, SuccessorBatch& out, std::vector<Finding>& findings) {
  has_looked_ = true;
  if (alone_ != none) {
    const std::size_t before = findings.size();
    interpreter_.expand_alone(alone_, state, out, findings);
    if (out.size() > 0 || findings.size() > before) return fail_steps_back(out, findings);
    restart();
  }
  interpreter_.expand(state, out, findings);
}

void Turn::fail_steps_back(SuccessorBatch& out, std::vector<Finding>& findings) {
  const auto leads_back = [&](std::size_t i) {
    const ProcessId alone = alone_after(interpreter_.program().rules[out.rules[i]]);
    const StateView next = out.states[i];
    return alone != none && been_.contains({alone, StateWords(next.begin(), next.end())});
  };
  SuccessorBatch kept;
  kept.clear(out.states.width);
  std::uint32_t failed = out.failed[0];
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (leads_back(i)) {
      Finding finding;
      finding.kind = ErrorKind::endless_atomic;
      finding.rule = out.rules[i];
      findings.push_back(finding);
      ++failed;
    } else {
      kept.states.push_back(out.states[i]);
      kept.rules.push_back(out.rules[i]);
    }
  }
  kept.close_state(failed);
  out = std::move(kept);
}

void Turn::take(RuleId rule, StateView state, StateView next) {
  if (alone_ != none && !has_looked_) {
    StateBatch batch{state.size(), {}};
    SuccessorBatch successors;
    std::vector<Finding> findings;
    batch.assign(state);
    expand(batch, successors, findings);
  }
  has_looked_ = false;
  alone_ = alone_after(interpreter_.program().rules[rule]);
  if (alone_ == none)
    been_.clear();
  else
    been_.emplace(alone_, StateWords(next.begin(), next.end()));
}

void Turn::restart() {
  alone_ = none;
  has_looked_ = false;
  been_.clear();
}

}  // namespace panoptes
