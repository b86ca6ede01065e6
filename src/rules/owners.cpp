// SPDX-License-Identifier: Apache-2.0
#include "rules/owners.hpp"

#include <algorithm>

namespace panoptes {
namespace {

// Who may own each variable: those that everything so far agrees on.
class Candidates {
 public:
  explicit Candidates(const Program& program)
      : program_(program), of_(program.protocol.variables.size()), is_touched_(of_.size()) {}

  // Something touches the variable that cannot be without any of `processes`.
  void touch(VariableId variable, const std::vector<ProcessId>& processes) {
    std::vector<ProcessId>& left = of_[variable];
    if (!is_touched_[variable]) left = processes;
    is_touched_[variable] = true;
    std::erase_if(left, [&](ProcessId p) { return std::ranges::count(processes, p) == 0; });
  }
  void touch_all(ExpressionId id, const std::vector<ProcessId>& processes) {
    for_each_variable_read(program_.protocol.expressions, id,
                           [&](VariableId v) { touch(v, processes); });
  }

  std::vector<ProcessId> owners() const {
    std::vector<ProcessId> result;
    for (VariableId v = 0; v < of_.size(); ++v) {
      const ProcessId declared = program_.protocol.variables[v].process;
      const bool is_its_own = std::ranges::count(of_[v], declared) > 0;
      result.push_back(of_[v].empty() ? none : is_its_own ? declared : of_[v].front());
    }
    return result;
  }

 private:
  const Program& program_;
  std::vector<std::vector<ProcessId>> of_;
  std::vector<bool> is_touched_;
};

}  // namespace

std::vector<ProcessId> owners(const Program& program) {
  Candidates candidates(program);
  for (const Rule& rule : program.rules) {
    std::vector<ProcessId> moved;
    for (const ProcessMove& move : rule.moves) moved.push_back(move.process);
    const Footprint foot = footprint(program, rule);
    for (const VariableId v : foot.reads) candidates.touch(v, moved);
    for (const VariableId v : foot.writes) candidates.touch(v, moved);
  }
  // A receive without a rule, of a message nobody sends, still has conditions that are looked at.
  for (ProcessId p = 0; p < program.control.size(); ++p)
    for (const ControlInfo& info : program.control[p])
      for (const Reception& reception : info.receptions)
        for (const auto* list : {&reception.conditions, &reception.guards})
          for (const ExpressionId id : *list) candidates.touch_all(id, {p});
  // What makes a state wrong is looked at in every state, by nobody in particular where it is about
  // no process.
  for_each_watching_predicate(program, [&](const StateError& row, ExpressionId id) {
    candidates.touch_all(id,
                         row.process == none ? std::vector<ProcessId>{} : std::vector{row.process});
  });
  return candidates.owners();
}

}  // namespace panoptes
