// SPDX-License-Identifier: Apache-2.0
#include "rules/dead_values.hpp"

#include <algorithm>

#include "rules/owners.hpp"

namespace panoptes {
namespace {

using VariableSet = std::vector<bool>;

// By variable: who owns it, and none where it is live everywhere.
std::vector<ProcessId> owners_of_mortal(const Program& program,
                                        const std::vector<VariableId>& watched) {
  std::vector<ProcessId> result = owners(program);
  const auto is_live = [&](VariableId v) { result[v] = none; };
  for (const VariableId v : watched) is_live(v);
  for (const StateError& row : program.errors.states) {
    const Expressions& pool = program.protocol.expressions;
    if (row.predicate != none) for_each_variable_read(pool, row.predicate, is_live);
    for (const auto& [state, predicate] : row.at)
      for_each_variable_read(pool, predicate, [&](VariableId v) {
        if (result[v] != row.process) is_live(v);
      });
  }
  return result;
}

// Whether one or more steps lead from one state to the other.
bool leads_to(const std::vector<std::vector<StateId>>& steps, StateId from, StateId to) {
  std::vector<bool> seen(steps.size());
  std::vector<StateId> waiting = steps[from];
  while (!waiting.empty() && !seen[to]) {
    const StateId s = waiting.back();
    waiting.pop_back();
    if (seen[s]) continue;
    seen[s] = true;
    waiting.insert(waiting.end(), steps[s].begin(), steps[s].end());
  }
  return seen[to];
}

// By process and control state: it lies on a round of steps inside an indivisible sequence.
std::vector<std::vector<bool>> rounds_inside(const Program& program) {
  std::vector<std::vector<std::vector<StateId>>> next;
  for (const auto& states : program.control) next.emplace_back(states.size());
  for (const Rule& rule : program.rules)
    for (const ProcessMove& move : rule.moves)
      if (rule.ends_inside) next[move.process][move.from].push_back(move.to);
  std::vector<std::vector<bool>> result;
  for (const auto& steps : next) {
    auto& on_round = result.emplace_back(steps.size());
    for (StateId s = 0; s < steps.size(); ++s) on_round[s] = leads_to(steps, s, s);
  }
  return result;
}

// Backwards along the automata, until nothing more is live.
class Liveness {
 public:
  Liveness(const Program& program, std::vector<ProcessId> owner)
      : program_(program), pool_(program.protocol.expressions), owner_(std::move(owner)) {
    const std::size_t variables = program.protocol.variables.size();
    const auto is_on_round = rounds_inside(program);
    for (ProcessId p = 0; p < program.control.size(); ++p) {
      auto& states = live_.emplace_back();
      for (StateId s = 0; s < program.control[p].size(); ++s) {
        VariableSet& here = states.emplace_back(variables);
        for (VariableId v = 0; v < variables; ++v)
          here[v] = owner_[v] == none || (owner_[v] == p && is_on_round[p][s]);
        add_receptions(p, s);
      }
    }
    add_predicates();
    for (const Rule& rule : program.rules) add_uses(rule);
  }

  LiveVariables run() {
    for (bool changes = true; changes;) {
      changes = false;
      for (auto rule = program_.rules.rbegin(); rule != program_.rules.rend(); ++rule)
        for (const ProcessMove& move : rule->moves) changes = pass(*rule, move) || changes;
    }
    return std::move(live_);
  }

 private:
  void use_all(ProcessId process, StateId state, ExpressionId id) {
    if (id == none) return;
    for_each_variable_read(pool_, id, [&](VariableId v) {
      if (owner_[v] == process) live_[process][state][v] = true;
    });
  }

  // All that may be assigned to.
  bool owns(ProcessId process, const Assignment& a) const {
    const auto first = owner_.begin() + a.variable;
    return std::all_of(first, first + a.length, [&](ProcessId p) { return p == process; });
  }

  // A receive of a message nobody sends has no rule, but is looked at.
  void add_receptions(ProcessId p, StateId s) {
    for (const Reception& reception : program_.at(p, s).receptions)
      for (const auto* list : {&reception.conditions, &reception.guards})
        for (const ExpressionId id : *list) use_all(p, s, id);
  }

  void add_predicates() {
    for (const StateError& row : program_.errors.states)
      for (const auto& [state, predicate] : row.at)
        if (row.process != none) use_all(row.process, state, predicate);
  }

  // What is read whatever is live behind the rule.
  void add_uses(const Rule& rule) {
    const auto id = static_cast<RuleId>(&rule - program_.rules.data());
    for (const ProcessMove& move : rule.moves) {
      const auto look = [&](ExpressionId e) { use_all(move.process, move.from, e); };
      for (const ExpressionId condition : rule.conditions) look(condition);
      for (const ExpressionId value : rule.values) look(value);
      look(rule.check);
      for (const StepCheck& check : program_.errors.checks_of(id)) look(check.holds);
      for (const Assignment& a : rule.assignments) {
        look(a.index);
        // What somebody else gets is read: no need to ask whether he will look at it.
        if (pool_.can_fail(a.value) || !owns(move.process, a)) look(a.value);
      }
    }
  }

  // What one process needs before a rule that moves it, given what it needs behind it.
  bool pass(const Rule& rule, const ProcessMove& move) {
    const VariableSet& behind = live_[move.process][move.to];
    VariableSet before = live_[move.process][move.from];
    VariableSet through = behind;  // what it does not write
    for (const Assignment& a : rule.assignments) {
      if (!owns(move.process, a)) continue;
      for (VariableId v = a.variable; v < a.variable + a.length; ++v)
        if (behind[v]) use_value(a, move.process, before);
      if (a.index == none) through[a.variable] = false;
    }
    for (VariableId v = 0; v < before.size(); ++v)
      if (through[v] && owner_[v] == move.process) before[v] = true;
    const bool changes = before != live_[move.process][move.from];
    if (changes) live_[move.process][move.from] = std::move(before);
    return changes;
  }

  void use_value(const Assignment& a, ProcessId process, VariableSet& before) const {
    for_each_variable_read(pool_, a.value, [&](VariableId v) {
      if (owner_[v] == process) before[v] = true;
    });
  }

  const Program& program_;
  const Expressions& pool_;
  std::vector<ProcessId> owner_;
  LiveVariables live_;
};

// Sets dead variables to their initial values, rule by rule.
class Reset {
 public:
  Reset(const Program& program, const std::vector<ProcessId>& owner, const LiveVariables& live)
      : program_(program), owner_(owner), live_(live), result_(program) {}

  std::optional<Program> run() {
    for (Rule& rule : result_.rules)
      for (const ProcessMove& move : rule.moves) reset(rule, move);
    return changes_ ? std::optional(std::move(result_)) : std::nullopt;
  }

 private:
  // Of a variable that was dead before and is not written, the value is the initial one already.
  void reset(Rule& rule, const ProcessMove& move) {
    const VariableSet& before = live_[move.process][move.from];
    const VariableSet& behind = live_[move.process][move.to];
    for (VariableId v = 0; v < owner_.size(); ++v) {
      if (owner_[v] != move.process || behind[v] || program_.layout.variables[v].bits == 0)
        continue;
      bool is_forgotten = !before[v];
      for (Assignment& a : rule.assignments) {
        if (v < a.variable || v >= a.variable + a.length) continue;
        if (a.index == none) forget(a);
        is_forgotten = a.index == none;
      }
      if (is_forgotten) continue;
      rule.assignments.push_back({v, initial(v)});  // the last one counts
      changes_ = true;
    }
  }

  // Where there may be no value, the step still fails.
  void forget(Assignment& a) {
    Expressions& pool = result_.protocol.expressions;
    const ExpressionId value = pool.can_fail(a.value)
                                   ? pool.binary(Op::after, a.value, initial(a.variable))
                                   : initial(a.variable);
    changes_ = changes_ || value != a.value;
    a.value = value;
  }

  ExpressionId initial(VariableId v) {
    return result_.protocol.expressions.constant(
        read(program_.layout.variables[v], program_.initial));
  }

  const Program& program_;
  const std::vector<ProcessId>& owner_;
  const LiveVariables& live_;
  Program result_;
  bool changes_ = false;
};

}  // namespace

LiveVariables live_variables(const Program& program, const std::vector<VariableId>& watched) {
  return Liveness(program, owners_of_mortal(program, watched)).run();
}

std::optional<Program> with_dead_values_reset(const Program& program,
                                              const std::vector<VariableId>& watched) {
  const std::vector<ProcessId> owner = owners_of_mortal(program, watched);
  const LiveVariables live = Liveness(program, owner).run();
  return Reset(program, owner, live).run();
}

}  // namespace panoptes
