// SPDX-License-Identifier: Apache-2.0
#include "verdict/conclusions.hpp"

#include <fmt/format.h>

#include <set>

#include "step/interpreter.hpp"

namespace panoptes {

std::optional<ErrorReport> report_error(const Program& program, const Finding& finding,
                                        StateView state, const std::vector<RuleId>& rules,
                                        const Strictness& strictness, const SourceSet& sources,
                                        std::string& problem) {
  ErrorReport result;
  result.key = key_of(program, finding, state);
  result.description = describe(program, finding, state, sources);
  result.finding = finding;
  result.is_warning =
      finding.kind == ErrorKind::unread_messages && !strictness.unread_messages_are_errors;
  auto trail = replay(program, rules, finding, result.key, strictness.receptions, problem);
  if (!trail) return {};
  result.trail = std::move(*trail);
  if (finding.kind == ErrorKind::deadlock)
    result.cause = cause_of(program, result, strictness.receptions, sources);
  return result;
}

std::string cause_of(const Program& program, const ErrorReport& deadlock,
                     ReceptionPolicy receptions, const SourceSet& sources) {
  Interpreter interpreter(program);
  const StateBatch batch{program.layout.words, deadlock.trail.last};
  SuccessorBatch successors;
  std::vector<Finding> findings;
  interpreter.expand(batch, successors, findings);
  interpreter.examine(batch, successors, receptions, findings);
  std::string cause;
  for (const Finding& finding : findings)
    if (finding.kind == ErrorKind::unspecified_reception) {
      const ErrorDescription d = describe(program, finding, batch[0], sources);
      cause += fmt::format("{}{} at {} cannot receive {}", cause.empty() ? "" : "; ", d.process,
                           d.state, d.message);
    }
  return cause;
}

std::vector<DeadStatement> dead_code(const Program& program, const std::vector<bool>& fired) {
  std::set<StatementId> alive, seen;
  for (RuleId id = 0; id < program.rules.size(); ++id)
    if (fired[id])
      alive.insert(program.rules[id].statements.begin(), program.rules[id].statements.end());
  std::vector<DeadStatement> result;
  for (const Process& process : program.protocol.processes)
    for (const ControlState& state : process.automaton.states)
      for (const Transition& t : state.transitions)
        for (const StatementId s : t.statements) {
          if (alive.contains(s) || !seen.insert(s).second) continue;
          DeadStatement dead{s, {}};
          for (const StatementId other : t.statements)
            if (other != s) dead.merged_with.push_back(other);
          result.push_back(std::move(dead));
        }
  return result;
}

}  // namespace panoptes
