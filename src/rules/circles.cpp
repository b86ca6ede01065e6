// SPDX-License-Identifier: Apache-2.0
#include "rules/circles.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <set>

namespace panoptes {
namespace {

// Which states of an automaton lie on circles together (R. E. Tarjan, 1972), without recursion.
class Components {
 public:
  using Edges = std::vector<std::vector<StateId>>;

  explicit Components(const Edges& edges)
      : edges_(edges), number_(edges.size()), low_(edges.size()), component_(edges.size(), none) {
    for (StateId s = 0; s < edges.size(); ++s)
      if (number_[s] == 0) walk(s);
  }
  const std::vector<std::uint32_t>& by_state() const { return component_; }

 private:
  void enter(StateId s) {
    number_[s] = low_[s] = ++entered_;
    open_.push_back(s);
    path_.emplace_back(s, 0);
  }
  void walk(StateId start) {
    enter(start);
    while (!path_.empty()) {
      const StateId s = path_.back().first;
      if (path_.back().second < edges_[s].size()) {
        const StateId to = edges_[s][path_.back().second++];
        if (number_[to] == 0)
          enter(to);
        else if (component_[to] == none)
          low_[s] = std::min(low_[s], number_[to]);
        continue;
      }
      path_.pop_back();
      if (!path_.empty()) low_[path_.back().first] = std::min(low_[path_.back().first], low_[s]);
      if (low_[s] == number_[s]) close(s);
    }
  }
  void close(StateId s) {
    while (component_[s] == none) {
      component_[open_.back()] = s;
      open_.pop_back();
    }
  }

  const Edges& edges_;
  std::vector<std::uint32_t> number_, low_, component_;
  std::vector<StateId> open_;
  std::vector<std::pair<StateId, std::size_t>> path_;
  std::uint32_t entered_ = 0;
};

// What a rule makes of a variable.
struct Change {
  VariableId variable;
  int direction = 0;                     // always up (1) or down (-1)
  std::optional<std::int64_t> constant;  // always this
};

class Breaker {
 public:
  Breaker(const Program& program, const std::vector<bool>& broken,
          const std::vector<std::uint32_t>& weights)
      : program_(program), weights_(weights), of_process_(program.control.size()) {
    for (const bool is_broken : broken) left_.push_back(!is_broken);
    changes_.resize(program.rules.size());
    for (RuleId id = 0; id < program.rules.size(); ++id) {
      for (const ProcessMove& move : program.rules[id].moves)
        of_process_[move.process].push_back(id);
      if (left_[id]) find_changes(id);
    }
  }

  std::vector<bool> run() {
    std::vector<bool> chosen(program_.rules.size());
    strike_out(left_);
    for (ProcessId p = next(); p != none; p = next()) {
      for (const RuleId id : closing(p)) {
        chosen[id] = true;
        left_[id] = false;
      }
      strike_out(left_);
    }
    return chosen;
  }

 private:
  using Rules = std::vector<bool>;
  static constexpr std::size_t most_effort = 2'000'000;
  static constexpr std::size_t most_tried = 4'000'000;  // rules, some tenths of a second in all

  // ---- what cannot be part of a circle ----------------------------------------------------------

  void strike_out(Rules& left) const {
    while (strike_out_lines(left) || strike_out_messages(left) || strike_out_changes(left)) {
    }
  }

  bool strike_out_lines(Rules& left) const {
    bool changed = false;
    for (ProcessId p = 0; p < of_process_.size(); ++p) {
      Components::Edges edges(program_.control[p].size());
      bool any = false;
      for_each_left(p, left, [&](RuleId, const ProcessMove& move) {
        any = true;
        edges[move.from].push_back(move.to);
      });
      if (!any) continue;
      const Components components(edges);
      for_each_left(p, left, [&](RuleId id, const ProcessMove& move) {
        if (components.by_state()[move.from] == components.by_state()[move.to]) return;
        left[id] = false;
        changed = true;
      });
    }
    return changed;
  }

  template <typename Use>
  void for_each_left(ProcessId p, const Rules& left, Use use) const {
    for (const RuleId id : of_process_[p])
      if (left[id])
        for (const ProcessMove& move : program_.rules[id].moves)
          if (move.process == p) use(id, move);
  }

  bool has_slots(const Rule& rule) const {
    return rule.channel != none && !program_.layout.channels[rule.channel].pieces.empty();
  }

  // A message that is sent and never taken, or taken and never sent.
  bool strike_out_messages(Rules& left) const {
    std::set<std::pair<ChannelId, std::uint32_t>> sent, taken;
    std::set<ChannelId> flushed;
    for (RuleId id = 0; id < left.size(); ++id) {
      const Rule& rule = program_.rules[id];
      if (!left[id] || !has_slots(rule)) continue;
      if (rule.kind == ActionKind::send) sent.emplace(rule.channel, rule.tag);
      if (rule.kind == ActionKind::receive) taken.emplace(rule.channel, rule.tag);
      if (rule.kind == ActionKind::flush) flushed.insert(rule.channel);
    }
    bool changed = false;
    for (RuleId id = 0; id < left.size(); ++id) {
      const Rule& rule = program_.rules[id];
      if (!left[id] || !has_slots(rule)) continue;
      const std::pair message{rule.channel, rule.tag};
      const bool is_lost = rule.kind == ActionKind::send && !taken.contains(message) &&
                           !flushed.contains(rule.channel);
      const bool is_missing = rule.kind == ActionKind::receive && !sent.contains(message);
      if (!is_lost && !is_missing) continue;
      left[id] = false;
      changed = true;
    }
    return changed;
  }

  // A variable that only goes one way, or that is set to one value by all, and then keeps a rule
  // from being enabled that was there before.
  bool strike_out_changes(Rules& left) const {
    std::map<VariableId, std::vector<RuleId>> writers;
    for (RuleId id = 0; id < left.size(); ++id)
      if (left[id])
        for (const Change& change : changes_[id]) writers[change.variable].push_back(id);
    bool changed = false;
    for (const auto& writer : writers) {
      const auto& variable = writer.first;
      const auto& rules = writer.second;
      const Change first = change_of(rules.front(), variable);
      const auto all = [&](auto same) {
        return std::all_of(rules.begin(), rules.end(),
                           [&](RuleId id) { return same(change_of(id, variable)); });
      };
      const bool goes_one_way = first.direction != 0 && all([&](const Change& change) {
                                  return change.direction == first.direction;
                                });
      const bool has_one_value = first.constant && all([&](const Change& change) {
                                   return change.constant == first.constant;
                                 });
      for (const RuleId id : rules) {
        if (!goes_one_way && !(has_one_value && is_kept_off(id, variable, *first.constant)))
          continue;
        left[id] = false;
        changed = true;
      }
    }
    return changed;
  }

  const Change& change_of(RuleId id, VariableId variable) const {
    return *std::find_if(changes_[id].begin(), changes_[id].end(),
                         [&](const Change& change) { return change.variable == variable; });
  }

  // Whether a condition of the rule, on this variable alone, is 0 where it has that value.
  bool is_kept_off(RuleId id, VariableId variable, std::int64_t value) const {
    const Expressions& pool = program_.protocol.expressions;
    struct Environment {
      std::int64_t value;
      std::int64_t variable(VariableId) const { return value; }
      std::int64_t field(ChannelId, std::uint32_t, std::uint32_t) const { return 0; }
      std::int64_t tag(ChannelId, std::uint32_t) const { return 0; }
      std::int64_t length(ChannelId) const { return 0; }
      std::int64_t full(ChannelId) const { return 0; }
      std::int64_t empty(ChannelId) const { return 0; }
    };
    const auto& conditions = program_.rules[id].conditions;
    return std::any_of(conditions.begin(), conditions.end(), [&](ExpressionId condition) {
      bool is_alone = true;
      pool.visit(condition, [&](const ExpressionNode& node) {
        const bool is_other = node.op == Op::variable ? node.a != variable
                                                      : is_leaf(node.op) && node.op != Op::constant;
        is_alone = is_alone && !is_other && node.op != Op::element;
      });
      if (!is_alone) return false;
      const Evaluation holds = evaluate(pool, condition, Environment{value});
      return holds.fault == Fault::absent && holds.value == 0;
    });
  }

  void find_changes(RuleId id) {
    for (const Assignment& a : program_.rules[id].assignments) {
      const bool is_whole = a.index == none && a.length == 1;
      for (VariableId i = 0; i < a.length; ++i) {
        const VariableId v = a.variable + i;
        auto& changes = changes_[id];
        const auto known = std::find_if(changes.begin(), changes.end(),
                                        [&](const Change& change) { return change.variable == v; });
        if (known != changes.end())
          *known = {v, 0, {}};  // of two assignments, whichever counts
        else
          changes.push_back(is_whole ? change_by(v, a.value) : Change{v, 0, {}});
      }
    }
  }

  Change change_by(VariableId v, ExpressionId value) const {
    const Expressions& pool = program_.protocol.expressions;
    if (pool.is_constant(value)) return {v, 0, pool[value].value};
    const ExpressionNode outer = pool[value];
    const bool is_bound = outer.op == Op::bound || outer.op == Op::wrap;
    const ExpressionNode& node = is_bound ? pool[outer.a] : outer;
    if (node.op != Op::add && node.op != Op::subtract) return {v, 0, {}};
    const auto is_it = [&](ExpressionId e) { return pool[e].op == Op::variable && pool[e].a == v; };
    std::int64_t step = 0;
    if (is_it(node.a) && pool.is_constant(node.b))
      step = node.op == Op::add ? pool[node.b].value : -pool[node.b].value;
    else if (node.op == Op::add && pool.is_constant(node.a) && is_it(node.b))
      step = pool[node.a].value;
    // Where it never has a value from which it would wrap.
    const Interval range = program_.protocol.variables[v].range;
    if (std::max(step, -step) > short_integer.high ||
        (outer.op == Op::wrap &&
         (range.high + step > outer.high || range.low + step < outer.value)))
      step = 0;
    return {v, step > 0 ? 1 : step < 0 ? -1 : 0, {}};
  }

  // ---- what is chosen ---------------------------------------------------------------------------

  ProcessId next() const {
    ProcessId best = none;
    std::size_t fewest = SIZE_MAX;
    for (ProcessId p = 0; p < of_process_.size(); ++p) {
      bool any = false;
      Rules without = left_;
      for_each_left(p, left_, [&](RuleId id, const ProcessMove&) {
        any = true;
        without[id] = false;
      });
      if (!any) continue;
      if (of_process_.size() * of_process_.size() * left_.size() > most_tried) return p;
      strike_out(without);
      const auto count = static_cast<std::size_t>(std::count(without.begin(), without.end(), true));
      if (count >= fewest) continue;
      fewest = count;
      best = p;
    }
    return best;
  }

  // Rules of a process without which its automaton has no circle: one is added after the other, the
  // lightest first, and those that would close one are left.
  std::vector<RuleId> closing(ProcessId p) const {
    std::vector<std::pair<RuleId, ProcessMove>> steps;
    for_each_left(p, left_,
                  [&](RuleId id, const ProcessMove& move) { steps.emplace_back(id, move); });
    std::stable_sort(steps.begin(), steps.end(), [&](const auto& a, const auto& b) {
      return weights_[a.first] < weights_[b.first];
    });
    std::vector<std::vector<StateId>> edges(program_.control[p].size());
    std::vector<RuleId> result;
    const bool is_large = steps.size() * steps.size() > most_effort;
    for (const auto& [id, move] : steps) {
      if (is_large || leads_to(edges, move.to, move.from))
        result.push_back(id);
      else
        edges[move.from].push_back(move.to);
    }
    return result;
  }

  static bool leads_to(const std::vector<std::vector<StateId>>& edges, StateId from, StateId to) {
    std::vector<bool> seen(edges.size());
    std::vector<StateId> waiting{from};
    while (!waiting.empty()) {
      const StateId s = waiting.back();
      waiting.pop_back();
      if (s == to) return true;
      if (seen[s]) continue;
      seen[s] = true;
      waiting.insert(waiting.end(), edges[s].begin(), edges[s].end());
    }
    return false;
  }

  const Program& program_;
  const std::vector<std::uint32_t>& weights_;
  std::vector<std::vector<RuleId>> of_process_;  // that move it
  std::vector<std::vector<Change>> changes_;     // by rule
  Rules left_;
};

}  // namespace

std::vector<bool> circle_breakers(const Program& program, const std::vector<bool>& broken,
                                  const std::vector<std::uint32_t>& weights) {
  return Breaker(program, broken, weights).run();
}

}  // namespace panoptes
