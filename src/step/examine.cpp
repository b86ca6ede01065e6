// SPDX-License-Identifier: Apache-2.0
#include "step/examine.hpp"

#include <algorithm>

#include "step/interpreter.hpp"

namespace panoptes {
namespace {

class Examination {
 public:
  Examination(const Program& program, const SuccessorBatch& successors, ReceptionPolicy receptions,
              std::vector<Finding>& findings)
      : program_(program),
        interpreter_(program),
        successors_(successors),
        receptions_(receptions),
        findings_(findings),
        failures_(findings.size()) {}

  void state(StateView state, std::uint32_t source) {
    const bool is_stuck = successors_.first[source] == successors_.first[source + 1] &&
                          successors_.failed[source] == 0;
    for (const StateError& row : program_.errors.states) {
      if (!row.counts_under(receptions_) || (row.idle == Idle::everybody && !is_stuck)) continue;
      Finding finding;
      if (row.channel != none) {
        const std::uint32_t tag = head_tag(program_.layout.channels[row.channel], state);
        if (tag == 0) continue;
        if (row.names_message) finding.tag = tag;
      }
      if (!holds(row, state)) continue;
      if (row.idle == Idle::process && moves(row.process, source)) continue;
      finding.kind = row.kind;
      finding.source = source;
      finding.process = row.process;
      finding.channel = row.channel;
      finding.assertion = row.assertion;
      findings_.push_back(finding);
    }
  }

 private:
  bool holds(const StateError& row, StateView state) const {
    const ExpressionId predicate = row.at.empty()
                                       ? row.predicate
                                       : row.predicate_at(static_cast<StateId>(
                                             read(program_.layout.control[row.process], state)));
    if (predicate == none) return false;
    const Evaluation result = interpreter_.value(predicate, state);
    return result.fault == Fault::absent && result.value != 0;
  }

  // Whether a rule that moves the process is enabled.
  bool moves(ProcessId process, std::uint32_t source) const {
    const auto is_own = [&](RuleId rule) { return program_.rules[rule].moves_process(process); };
    const auto rules = successors_.rules.begin();
    const auto failures = findings_.begin();
    return std::any_of(rules + successors_.first[source], rules + successors_.first[source + 1],
                       is_own) ||
           std::any_of(failures, failures + static_cast<std::ptrdiff_t>(failures_),
                       [&](const Finding& finding) {
                         return finding.source == source && finding.rule != none &&
                                is_own(finding.rule);
                       });
  }

  const Program& program_;
  const Interpreter interpreter_;
  const SuccessorBatch& successors_;
  ReceptionPolicy receptions_;
  std::vector<Finding>& findings_;
  std::size_t failures_;  // the first of the findings, with all that concern steps
};

}  // namespace

void examine(const Program& program, const StateBatch& batch, const SuccessorBatch& successors,
             ReceptionPolicy receptions, std::vector<Finding>& findings) {
  const bool is_told = successors.has_suspects && receptions == ReceptionPolicy::blocked;
  if (is_told && successors.suspects.empty()) return;
  Examination examination(program, successors, receptions, findings);
  if (is_told) {
    for (const std::uint32_t i : successors.suspects) examination.state(batch[i], i);
    return;
  }
  for (std::uint32_t i = 0; i < batch.size(); ++i) examination.state(batch[i], i);
}

}  // namespace panoptes
