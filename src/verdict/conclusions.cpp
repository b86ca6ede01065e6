// SPDX-License-Identifier: Apache-2.0
#include "verdict/conclusions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "step/examine.hpp"
#include "step/interpreter.hpp"

namespace panoptes {

std::optional<ErrorReport> report_error(const Program& program, const Finding& finding,
                                        StateView state, const std::vector<RuleId>& rules,
                                        const Strictness& strictness, const SourceSet& sources,
                                        std::string& problem, const Deadline& deadline) {
  ErrorReport result;
  result.key = key_of(program, finding, state);
  result.finding = finding;
  result.is_warning = is_warning(finding.kind, strictness);
  auto trail =
      replay(program, rules, finding, result.key, strictness.receptions, problem, deadline);
  if (!trail) return {};
  result.trail = std::move(*trail);
  describe_end(program, result, strictness.receptions, sources);
  return result;
}

ErrorReport report_without_trail(const Program& program, const Finding& finding, StateView state,
                                 const Strictness& strictness, const SourceSet& sources,
                                 TrailGap gap) {
  ErrorReport result;
  result.key = key_of(program, finding, state);
  result.finding = finding;
  result.is_warning = is_warning(finding.kind, strictness);
  result.gap = gap;
  result.trail.last.assign(state.begin(), state.end());
  result.trail.ends_in_failure = finding.rule != none;
  if (gap == TrailGap::time)  // nor is there any to look for causes
    result.description = describe(program, finding, state, sources);
  else
    describe_end(program, result, strictness.receptions, sources);
  return result;
}

void describe_end(const Program& program, ErrorReport& error, ReceptionPolicy receptions,
                  const SourceSet& sources) {
  const ErrorKind kind = error.finding.kind;
  if (kind != ErrorKind::livelock)
    error.description =
        describe(program, error.finding, error.trail.last, sources, error.trail.whereabouts);
  if (kind == ErrorKind::deadlock || kind == ErrorKind::livelock)
    error.cause = cause_of(program, error, receptions, sources);
}

const Finding* worst_of(const std::vector<Finding>& findings, const Strictness& strictness) {
  const auto rank = [&](const Finding& finding) {
    if (is_warning(finding.kind, strictness)) return 2;
    return finding.kind == ErrorKind::deadlock ? 1 : 0;
  };
  const auto worst =
      std::min_element(findings.begin(), findings.end(),
                       [&](const Finding& a, const Finding& b) { return rank(a) < rank(b); });
  return worst == findings.end() ? nullptr : &*worst;
}

bool is_warning(ErrorKind kind, const Strictness& strictness) {
  return needs_strictness(kind) && !strictness.unread_messages_are_errors;
}

std::string cause_of(const Program& program, const ErrorReport& deadlock,
                     ReceptionPolicy receptions, const SourceSet& sources) {
  // Where nobody moves, nobody who reads a channel will ever do something else.
  if (deadlock.finding.kind == ErrorKind::deadlock)
    receptions = std::max(receptions, ReceptionPolicy::reading);
  Interpreter interpreter(program);
  const StateBatch batch{program.layout.words, deadlock.trail.last};
  SuccessorBatch successors;
  std::vector<Finding> findings;
  interpreter.expand(batch, successors, findings);
  examine(program, batch, successors, receptions, findings);
  std::string cause;
  for (const Finding& finding : findings)
    if (finding.kind == ErrorKind::unspecified_reception) {
      const ErrorDescription d =
          describe(program, finding, batch[0], sources, deadlock.trail.whereabouts);
      const auto at = static_cast<StateId>(read(program.layout.control[finding.process], batch[0]));
      cause += fmt::format(
          "{}{} at {} cannot receive {}", cause.empty() ? "" : "; ", d.process,
          position_words(program, finding.process, at,
                         places_of(deadlock.trail.whereabouts, finding.process), sources),
          d.refused);
    }
  return cause;
}

namespace {

// In the order of the text.
template <typename Dead>
void sort_by_place(const Program& program, std::vector<Dead>& dead) {
  const auto& statements = program.protocol.statements;
  std::sort(dead.begin(), dead.end(), [&](const Dead& a, const Dead& b) {
    return std::pair(statements[a.statement].place, a.statement) <
           std::pair(statements[b.statement].place, b.statement);
  });
}

bool can_never_hold(const Program& program, const Transition& t) {
  const Expressions& pool = program.protocol.expressions;
  return std::any_of(t.conditions.begin(), t.conditions.end(), [&](ExpressionId condition) {
    return pool.is_constant(condition) && pool[condition].value == 0;
  });
}

}  // namespace

std::vector<DeadInMembers> dead_in_members(const Program& program, const std::vector<bool>& fired) {
  if (!program.families.has_several) return {};
  // By family and statement: members that execute it, and those that have it and do not.
  struct Use {
    std::set<ProcessId> alive, dead;
  };
  std::map<std::pair<ProcessId, StatementId>, Use> uses;
  const auto use = [&](ProcessId p, StatementId s) -> Use& {
    return uses[{program.families.process[p], s}];
  };
  for (RuleId id = 0; id < program.rules.size(); ++id) {
    if (!fired[id]) continue;
    const Rule& rule = program.rules[id];
    for (const StatementId s : rule.statements)
      use(rule.owner().process, s).alive.insert(rule.owner().process);
    if (!rule.partner) continue;
    for (const StatementId s : rule.partner->statements)
      use(rule.moves[1].process, s).alive.insert(rule.moves[1].process);
  }
  for (ProcessId p = 0; p < program.protocol.processes.size(); ++p)
    for (const ControlState& state : program.protocol.processes[p].automaton.states)
      for (const Transition& t : state.transitions)
        for (const StatementId s : t.statements)
          if (!use(p, s).alive.contains(p) && !can_never_hold(program, t)) use(p, s).dead.insert(p);
  std::vector<DeadInMembers> result;
  for (const auto& [key, found] : uses)
    if (!found.alive.empty() && !found.dead.empty())
      result.push_back({key.second, {found.dead.begin(), found.dead.end()}});
  sort_by_place(program, result);
  return result;
}

std::vector<DeadStatement> dead_code(const Program& program, const std::vector<bool>& fired) {
  std::set<StatementId> alive, seen;
  for (RuleId id = 0; id < program.rules.size(); ++id) {
    if (!fired[id]) continue;
    const Rule& rule = program.rules[id];
    alive.insert(rule.statements.begin(), rule.statements.end());
    if (rule.partner)
      alive.insert(rule.partner->statements.begin(), rule.partner->statements.end());
  }
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
  sort_by_place(program, result);
  return result;
}

}  // namespace panoptes
