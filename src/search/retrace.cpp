// SPDX-License-Identifier: Apache-2.0
#include "search/retrace.hpp"

namespace panoptes {

std::optional<std::vector<RuleId>> retrace(std::span<const std::uint32_t> choices, Stepper& stepper,
                                           const Selector* selector, const Deadline& deadline) {
  std::vector<RuleId> rules;
  StateBatch state{stepper.program().layout.words, stepper.program().initial};
  SuccessorBatch successors;
  SelectorScratch scratch;
  std::vector<Finding> findings;
  for (const std::uint32_t choice : choices) {
    if (deadline.has_passed()) return {};
    findings.clear();
    stepper.expand(state, successors, findings);
    if (selector) selector->select(state, successors, rules.size(), scratch);
    rules.push_back(successors.rules[choice]);
    state.assign(successors.states[choice]);
  }
  return rules;
}

}  // namespace panoptes
