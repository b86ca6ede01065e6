// SPDX-License-Identifier: Apache-2.0
#include "report/executed.hpp"

#include <algorithm>

namespace panoptes {
namespace {

// Whether all that a rule was made of is this statement.
bool is_only(const std::vector<Origin>& origins, StatementId statement) {
  return std::ranges::all_of(origins, [&](const Origin& origin) {
    return std::ranges::find(origin.statements, statement) != origin.statements.end();
  });
}

}  // namespace

Executed::Executed(const Program& program, const Verdict& verdict)
    : program_(program), verdict_(verdict) {
  for (const Process& process : program.protocol.processes) {
    visited_.emplace_back(process.automaton.states.size());
    blocked_.emplace_back(process.automaton.states.size());
    visited_.back()[process.automaton.initial] = true;
  }
  find_moves();
  find_statements();
  find_blocked();
}

// Those of its owner, and of whoever receives in a rendezvous.
template <typename Use>
void Executed::for_each_move(RuleId rule, Use use) const {
  const Rule& all = program_.rules[rule];
  use(all.owner(), all.statements, all.origins);
  if (all.partner) use(all.moves[1], all.partner->statements, all.partner->origins);
}

void Executed::find_moves() {
  for (RuleId rule = 0; rule < verdict_.fired.size(); ++rule) {
    if (!verdict_.fired[rule]) continue;
    add_moves(rule, verdict_.passed[rule] ? taken_ : failed_);
    if (!verdict_.passed[rule]) continue;
    for (const ProcessMove& move : program_.rules[rule].moves)
      visited_[move.process][move.to] = true;
  }
  for (const ErrorReport& error : verdict_.errors)
    if (error.finding.rule != none) add_moves(error.finding.rule, failed_);
}

void Executed::add_moves(RuleId rule, std::set<Move>& moves) const {
  const bool is_bad = program_.rules[rule].kind == ActionKind::bad_index;
  for_each_move(rule, [&](const ProcessMove& move, const std::vector<StatementId>& statements,
                          const std::vector<Origin>&) {
    for (const StatementId s : statements)
      moves.insert({move.process, move.from, move.to, s, is_bad});
    if (statements.empty()) moves.insert({move.process, move.from, move.to, none, is_bad});
  });
}

void Executed::find_statements() {
  const Protocol& protocol = program_.protocol;
  statements_.assign(protocol.statements.size(), Execution::no_step);
  const Execution otherwise =
      verdict_.is_dead_code_certain ? Execution::never : Execution::not_reached;
  for (const Process& process : protocol.processes)
    for (const ControlState& state : process.automaton.states)
      for (const Transition& t : state.transitions)
        for (const StatementId s : t.statements) {
          statements_[s] = otherwise;
          for (const StatementId other : t.statements)
            if (other != s) merged_[s].insert(other);
        }
  for (RuleId rule = 0; rule < verdict_.fired.size(); ++rule) {
    if (!verdict_.fired[rule]) continue;
    for_each_move(rule, [&](const ProcessMove&, const std::vector<StatementId>& statements,
                            const std::vector<Origin>& origins) {
      for (const StatementId s : statements)
        statements_[s] =
            std::min(statements_[s], is_only(origins, s) ? Execution::executed : Execution::merged);
    });
  }
  for (const DeadInMembers& dead : verdict_.dead_in_members)
    statements_[dead.statement] = Execution::in_some;
}

void Executed::find_blocked() {
  for (const ErrorReport& error : verdict_.errors) {
    if (error.trail.ends_in_failure) continue;
    const ErrorKind kind = error.finding.kind;
    for (ProcessId p = 0; p < program_.control.size(); ++p) {
      const auto at = static_cast<StateId>(read(program_.layout.control[p], error.trail.last));
      const bool is_stuck = kind == ErrorKind::deadlock || kind == ErrorKind::livelock;
      if (error.finding.process == p || (is_stuck && !program_.at(p, at).may_stop))
        blocked_[p][at] = true;
    }
  }
}

std::vector<ProcessId> Executed::never_in(StatementId statement) const {
  const auto found =
      std::ranges::find(verdict_.dead_in_members, statement, &DeadInMembers::statement);
  return found == verdict_.dead_in_members.end() ? std::vector<ProcessId>{} : found->members;
}

std::vector<StatementId> Executed::merged_with(StatementId statement) const {
  const auto found = merged_.find(statement);
  if (found == merged_.end()) return {};
  return {found->second.begin(), found->second.end()};
}

bool Executed::has_taken(ProcessId process, StateId from, const Transition& t) const {
  const auto was_taken = [&](StatementId s) {
    return taken_.contains({process, from, t.target, s, t.kind == ActionKind::bad_index});
  };
  return t.statements.empty() ? was_taken(none) : std::ranges::any_of(t.statements, was_taken);
}

bool Executed::has_failed(ProcessId process, StateId from, const Transition& t) const {
  const auto failed = [&](StatementId s) {
    return failed_.contains({process, from, t.target, s, t.kind == ActionKind::bad_index});
  };
  return t.statements.empty() ? failed(none) : std::ranges::any_of(t.statements, failed);
}

Executed::Share Executed::statements_of(const std::vector<ProcessId>& processes) const {
  std::set<StatementId> all, executed;
  for (const ProcessId p : processes) {
    const auto& states = program_.protocol.processes[p].automaton.states;
    for (StateId from = 0; from < states.size(); ++from)
      for (const Transition& t : states[from].transitions) {
        all.insert(t.statements.begin(), t.statements.end());
        if (has_taken(p, from, t) || has_failed(p, from, t))
          executed.insert(t.statements.begin(), t.statements.end());
      }
  }
  return {executed.size(), all.size()};
}

Executed::Share Executed::states_of(const std::vector<ProcessId>& processes) const {
  const std::size_t all = visited_[processes.front()].size();
  std::size_t seen = 0;
  for (StateId state = 0; state < all; ++state)
    seen += std::ranges::any_of(processes, [&](ProcessId p) { return was_in(p, state); });
  return {seen, all};
}

}  // namespace panoptes
