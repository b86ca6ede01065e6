// SPDX-License-Identifier: Apache-2.0
#include "search/reduce_internal.hpp"

#include <algorithm>

#include "rules/owners.hpp"
#include "search/step_reduction.hpp"

namespace panoptes {
namespace {

using States = std::vector<std::vector<bool>>;

// By process: whether somebody else looks at where it is.
std::vector<bool> watched(const Program& program) {
  std::vector<bool> result(program.control.size());
  for (const Rule& rule : program.rules)
    for (const ProcessId p : footprint(program, rule).asks_where) result[p] = true;
  for_each_watching_predicate(program, [&](const StateError& row, ExpressionId id) {
    program.protocol.expressions.visit(id, [&](const ExpressionNode& node) {
      if (node.op == Op::control && node.a != row.process) result[node.a] = true;
    });
  });
  return result;
}

bool can_fail(const Program& program, const Rule& rule) {
  const Expressions& pool = program.protocol.expressions;
  const auto fails = [&](ExpressionId id) { return pool.can_fail(id); };
  return std::any_of(rule.conditions.begin(), rule.conditions.end(), fails) ||
         std::any_of(rule.assignments.begin(), rule.assignments.end(),
                     [&](const Assignment& a) { return a.index != none || fails(a.value); });
}

bool is_private(const Program& program, RuleId id, const std::vector<ProcessId>& owner) {
  const Rule& rule = program.rules[id];
  if (rule.kind != ActionKind::internal || program.class_of(id) != 0 ||
      !rule.assertion_moves.empty())
    return false;
  if (rule.moves.size() > 1 || rule.ends_inside || can_fail(program, rule)) return false;
  const Footprint foot = footprint(program, rule);
  const auto own = [&](VariableId v) { return owner[v] == rule.owner().process; };
  return foot.asks.empty() && std::all_of(foot.reads.begin(), foot.reads.end(), own) &&
         std::all_of(foot.writes.begin(), foot.writes.end(), own);
}

// A walk through the private states of one automaton; a state that leads back to one on the walk's
// own path closes a circle, and that one is taken out.
class CircleBreaker {
 public:
  CircleBreaker(const Program& program, ProcessId process, std::vector<bool>& is_private)
      : program_(program),
        process_(process),
        is_private_(is_private),
        mark_(is_private.size(), Mark::unseen) {}

  void run() {
    for (StateId s = 0; s < is_private_.size(); ++s) walk(s);
  }

 private:
  enum class Mark : std::uint8_t { unseen, on_path, done };
  struct Step {
    StateId state;
    std::vector<StateId> targets;  // that it has not gone to
  };

  void enter(StateId state) {
    mark_[state] = Mark::on_path;
    path_.push_back({state, {}});
    for_each_rule(program_.at(process_, state), [&](RuleId id) {
      path_.back().targets.push_back(program_.rules[id].owner().to);
    });
    std::reverse(path_.back().targets.begin(), path_.back().targets.end());
  }

  void walk(StateId start) {
    if (!is_private_[start] || mark_[start] != Mark::unseen) return;
    enter(start);
    while (!path_.empty()) {
      Step& step = path_.back();
      // A state taken out leads nowhere any more.
      if (!is_private_[step.state] || step.targets.empty()) {
        mark_[step.state] = Mark::done;
        path_.pop_back();
        continue;
      }
      const StateId target = step.targets.back();
      step.targets.pop_back();
      if (mark_[target] == Mark::on_path)
        is_private_[target] = false;
      else if (is_private_[target] && mark_[target] == Mark::unseen)
        enter(target);
    }
  }

  const Program& program_;
  ProcessId process_;
  std::vector<bool>& is_private_;
  std::vector<Mark> mark_;
  std::vector<Step> path_;
};

// Leaves those states private that are so for all members that are alike.
void keep_common(const Symmetry& symmetry, States& states) {
  for (ProcessId p = 0; p < states.size(); ++p)
    for (ProcessId other = 0; other < states.size(); ++other) {
      if (symmetry.processes[p].role != symmetry.processes[other].role) continue;
      for (StateId s = 0; s < states[p].size(); ++s)
        states[p][s] = states[p][s] && states[other][s];
    }
}

class InternalReduction final : public StepReduction {
 public:
  InternalReduction(const Program& program, const States& is_private, const Symmetry* symmetry)
      : StepReduction(program, symmetry) {
    for (const Rule& rule : program.rules)
      facts_.push_back({rule.owner().process, is_private[rule.owner().process][rule.owner().from]});
  }

 protected:
  // It is unclear which of several that are alike comes first.
  Choice choose(StateView, const StepsOfState& steps, bool may_be_unclear,
                std::span<std::uint8_t> kept) const override {
    ProcessId chosen = none;
    for (const RuleId rule : steps.rules) {
      const auto [process, is_private] = facts_[rule];
      if (!is_private || process == chosen) continue;
      const bool is_alike = chosen != none && first_alike(process) == first_alike(chosen);
      if (is_alike && may_be_unclear) return Choice::unclear;
      if (chosen == none || (!is_alike && first_alike(process) < first_alike(chosen)))
        chosen = process;
    }
    if (chosen == none) return Choice::all;
    for (std::size_t i = 0; i < kept.size(); ++i)
      kept[i] = facts_[steps.rules[i]].process == chosen ? 1 : 0;
    return Choice::some;
  }

 private:
  struct Facts {
    ProcessId process;
    bool is_private;
  };

  std::vector<Facts> facts_;  // by rule
};

// Whether some process can rest at one of these states, and not only pass through it.
bool rests_at(const Program& program, const States& states) {
  for (ProcessId p = 0; p < states.size(); ++p)
    if (states[p][static_cast<StateId>(read(program.layout.control[p], program.initial))])
      return true;
  return std::ranges::any_of(program.rules, [&](const Rule& rule) {
    const std::size_t ends = rule.moves.size() - (rule.ends_inside ? 1 : 0);
    for (std::size_t i = 0; i < ends; ++i)
      if (states[rule.moves[i].process][rule.moves[i].to]) return true;
    return false;
  });
}

// Empty where no state is private.
States states_to_pass(const Program& program, ReceptionPolicy receptions,
                      const Symmetry* symmetry) {
  States states = private_states(program, receptions);
  if (symmetry) keep_common(*symmetry, states);
  const bool any = std::any_of(states.begin(), states.end(), [](const std::vector<bool>& list) {
    return std::find(list.begin(), list.end(), true) != list.end();
  });
  return any ? states : States{};
}

}  // namespace

States private_states(const Program& program, ReceptionPolicy receptions) {
  const std::vector<ProcessId> owner = owners(program);
  const std::vector<bool> is_watched = watched(program);
  std::vector<bool> is_reader(program.control.size());
  for (const Channel& channel : program.protocol.channels)
    for (const ProcessId p : channel.readers) is_reader[p] = true;
  States result;
  for (ProcessId p = 0; p < program.control.size(); ++p) {
    auto& states = result.emplace_back();
    for (const ControlInfo& info : program.control[p]) {
      // A receive of a message nobody sends has no rule, but is a reception all the same.
      const bool may_be = info.receptions.empty() && !is_watched[p] &&
                          (receptions != ReceptionPolicy::any || !is_reader[p]);
      bool all = may_be, any = false;
      for_each_rule(info, [&](RuleId id) {
        any = true;
        all = all && is_private(program, id, owner);
      });
      states.push_back(all && any);
    }
  }
  // Nor is a state that somebody else's step leads out of.
  for (const Rule& rule : program.rules)
    for (std::size_t i = 1; i < rule.moves.size(); ++i)
      result[rule.moves[i].process][rule.moves[i].from] = false;
  // A timeout that waits for sends and receives alone would be lost where one of these leads to
  // one.
  if (program.has_quiet_timeouts())
    for (auto& states : result) states.assign(states.size(), false);
  for (ProcessId p = 0; p < result.size(); ++p) CircleBreaker(program, p, result[p]).run();
  return result;
}

std::optional<Program> with_internal_steps_joined(const Program& program,
                                                  ReceptionPolicy receptions,
                                                  const Symmetry* symmetry) {
  const States states = states_to_pass(program, receptions, symmetry);
  if (states.empty()) return {};
  Program joined = program;
  bool is_another = false;
  for (Rule& rule : joined.rules) {
    const ProcessMove& last = rule.moves[rule.moves.size() - 1];
    if (rule.ends_inside || !states[last.process][last.to]) continue;
    rule.ends_inside = is_another = true;
  }
  if (!is_another) return {};
  return joined;
}

std::unique_ptr<Selector> make_internal_reduction(const Program& program,
                                                  ReceptionPolicy receptions,
                                                  const Symmetry* symmetry) {
  const States states = states_to_pass(program, receptions, symmetry);
  if (states.empty() || !rests_at(program, states)) return nullptr;
  return std::make_unique<InternalReduction>(program, states, symmetry);
}

}  // namespace panoptes
