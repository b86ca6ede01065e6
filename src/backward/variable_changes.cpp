// SPDX-License-Identifier: Apache-2.0
#include "backward/variable_changes.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <optional>

namespace panoptes {
namespace {

constexpr std::uint64_t few_values = 64;                           // as bits of a word
constexpr std::uint64_t largest_modulus = std::uint64_t{1} << 32;  // so that weights fit beside it

struct AssignedValue {
  RuleId rule;
  ExpressionId value;
};

// What is assigned to a variable, in the order of the rules.
struct AssignedValues {
  std::vector<AssignedValue> values;
  bool is_chosen = false;  // by an index, somewhere
};

std::vector<AssignedValues> assigned_values(const Program& program) {
  const Expressions& pool = program.protocol.expressions;
  std::vector<AssignedValues> found(program.layout.variables.size());
  for (RuleId id = 0; id < program.rules.size(); ++id)
    for (const Assignment& a : program.rules[id].assignments) {
      const bool is_fixed = a.index == none || pool.is_constant(a.index);
      for (std::uint32_t i = 0; i < a.length; ++i) {
        if (a.index == none && i > 0) break;
        if (a.index != none && is_fixed && pool[a.index].value != i) continue;
        AssignedValues& into = found[a.variable + i];
        if (!is_fixed) into.is_chosen = true;
        // Of several the last counts.
        if (!into.values.empty() && into.values.back().rule == id) into.values.pop_back();
        into.values.push_back({id, a.value});
      }
    }
  return found;
}

// Of one variable.
class Changes {
 public:
  Changes(const Program& program, VariableId variable, const AssignedValues& assigned)
      : program_(program),
        pool_(program.protocol.expressions),
        variable_(variable),
        slot_(program.layout.variables[variable]),
        assigned_(assigned.values) {}

  VariableChanges found() {
    find_home();
    find_values();
    for (const AssignedValue& assigned : assigned_) {
      const Effect effect = effect_of(assigned.rule, assigned.value);
      if (has_few_values() && effect.is_known)
        add_by_value(assigned.rule, effect);
      else
        add_by_form(assigned);
    }
    if (found_.modulus > largest_modulus) found_.modulus = 1;
    // The same for all rules, however it was found: -1 and not 65535.
    const auto size = static_cast<std::int64_t>(found_.modulus);
    for (VariableChanges::Change& change : found_.changes) {
      if (size == 0) break;
      change.added %= size;
      if (change.added > size / 2) change.added -= size;
      if (change.added <= -(size + 1) / 2) change.added += size;
    }
    return std::move(found_);
  }

 private:
  // What a rule asks of the variable alone, and what it assigns.
  struct Effect {
    std::vector<ExpressionId> conditions = {};
    ExpressionId value = none;  // none: it stays as it is
    bool is_known = true;       // what is assigned depends on nothing else
  };
  struct OnlyVariable {
    std::int64_t value;
    std::int64_t variable(VariableId) const { return value; }
    std::int64_t length(ChannelId) const { return 0; }
    std::int64_t full(ChannelId) const { return 0; }
    std::int64_t empty(ChannelId) const { return 0; }
    std::int64_t field(ChannelId, std::uint32_t, std::uint32_t) const { return 0; }
    std::int64_t tag(ChannelId, std::uint32_t) const { return 0; }
  };

  bool has_few_values() const {
    return static_cast<std::uint64_t>(slot_.maximum) - static_cast<std::uint64_t>(slot_.minimum) <
           few_values;
  }
  std::uint64_t all_values() const {
    const auto last = static_cast<unsigned>(slot_.maximum - slot_.minimum);
    return ~std::uint64_t{0} >> (few_values - 1 - last);
  }

  bool reads_nothing_else(ExpressionId id) const {
    bool is_so = true;
    pool_.visit(id, [&](const ExpressionNode& node) {
      const bool is_it = node.op == Op::variable && node.a == variable_;
      if (node.op == Op::element || (is_leaf(node.op) && node.op != Op::constant && !is_it))
        is_so = false;
    });
    return is_so;
  }

  Effect effect_of(RuleId rule, ExpressionId value) const {
    Effect effect{.value = value, .is_known = value == none || reads_nothing_else(value)};
    for (const ExpressionId condition : program_.rules[rule].conditions)
      if (reads_nothing_else(condition)) effect.conditions.push_back(condition);
    return effect;
  }

  // What it is behind the rule; nothing where that cannot fire, or has no successor.
  // REQUIRES: it is known.
  std::optional<std::int64_t> after(const Effect& effect, std::int64_t value) const {
    const OnlyVariable before{value};
    for (const ExpressionId condition : effect.conditions) {
      const Evaluation holds = evaluate(pool_, condition, before);
      if (holds.fault != Fault::absent || holds.value == 0) return {};
    }
    if (effect.value == none) return value;
    const Evaluation result = evaluate(pool_, effect.value, before);
    if (result.fault != Fault::absent) return {};
    return result.value;
  }

  // A process that moves whenever it is assigned to.
  void find_home() {
    if (assigned_.empty()) return;
    for (const ProcessMove& move : program_.rules[assigned_.front().rule].moves)
      if (std::all_of(assigned_.begin(), assigned_.end(), [&](const AssignedValue& a) {
            return program_.rules[a.rule].moves_process(move.process);
          }))
        home_ = move.process;
  }

  const ProcessMove& home_move(RuleId rule) const {
    const ProcessMoves& moves = program_.rules[rule].moves;
    return *std::find_if(moves.begin(), moves.end(),
                         [&](const ProcessMove& move) { return move.process == home_; });
  }

  // Which values it can have, by control state of its home.
  void find_values() {
    if (home_ == none || !has_few_values()) return;
    std::vector<std::vector<std::pair<StateId, Effect>>> ways(program_.control[home_].size());
    auto next = assigned_.begin();
    for (RuleId id = 0; id < program_.rules.size(); ++id) {
      const bool is_assigned = next != assigned_.end() && next->rule == id;
      const ExpressionId value = is_assigned ? (next++)->value : none;
      if (!program_.rules[id].moves_process(home_)) continue;
      const ProcessMove& move = home_move(id);
      ways[move.from].emplace_back(move.to, effect_of(id, value));
    }
    values_.assign(ways.size(), 0);
    std::vector<std::uint64_t> done(ways.size(), 0);
    std::vector<StateId> waiting;
    const auto add = [&](StateId state, std::uint64_t values) {
      if ((values & ~values_[state]) != 0) waiting.push_back(state);
      values_[state] |= values;
    };
    const auto initial = read(program_.layout.control[home_], program_.initial);
    add(static_cast<StateId>(initial), bit_of(read(slot_, program_.initial)));
    while (!waiting.empty()) {
      const StateId state = waiting.back();
      waiting.pop_back();
      const std::uint64_t fresh = values_[state] & ~done[state];
      done[state] |= fresh;
      if (fresh == 0) continue;
      for (const auto& [to, effect] : ways[state]) add(to, values_behind(effect, fresh));
    }
  }

  std::uint64_t bit_of(std::int64_t value) const {
    if (value < slot_.minimum || value > slot_.maximum) return 0;
    return std::uint64_t{1} << (value - slot_.minimum);
  }

  std::uint64_t values_behind(const Effect& effect, std::uint64_t values) const {
    if (!effect.is_known) return all_values();
    if (effect.value == none && effect.conditions.empty()) return values;
    std::uint64_t behind = 0;
    for (; values != 0; values &= values - 1)
      if (const auto value = after(effect, slot_.minimum + std::countr_zero(values)))
        behind |= bit_of(*value);
    return behind;
  }

  void add(RuleId rule, std::int64_t added, std::uint64_t modulus) {
    found_.modulus = std::gcd(found_.modulus, modulus);
    found_.changes.push_back({rule, added});
  }

  // Whatever it can be before.
  void add_by_value(RuleId rule, const Effect& effect) {
    std::uint64_t values = values_.empty() ? all_values() : values_[home_move(rule).from];
    std::optional<std::int64_t> added;
    std::uint64_t modulus = 0;
    for (; values != 0; values &= values - 1) {
      const std::int64_t value = slot_.minimum + std::countr_zero(values);
      const auto next = after(effect, value);
      if (!next || bit_of(*next) == 0) continue;
      const std::int64_t change = *next - value;
      if (!added) added = change;
      const std::int64_t apart = change - *added;
      modulus = std::gcd(modulus, static_cast<std::uint64_t>(apart < 0 ? -apart : apart));
    }
    if (added) add(rule, *added, modulus);
  }

  // The variable and a number, modulo another; and where that lies.
  struct Sum {
    std::int64_t added = 0;
    std::uint64_t modulus = 0;
    std::int64_t low, high;
  };

  void add_by_form(const AssignedValue& assigned) {
    if (const auto sum = sum_in(assigned.value))
      add(assigned.rule, sum->added, sum->modulus);
    else
      add(assigned.rule, 0, 1);
  }

  std::optional<Sum> sum_in(ExpressionId id) const {
    const ExpressionNode& node = pool_[id];
    switch (node.op) {
      case Op::variable:
        if (node.a != variable_) return {};
        return Sum{.low = slot_.minimum, .high = slot_.maximum};
      case Op::add:
        if (pool_.is_constant(node.a)) return plus(sum_in(node.b), pool_[node.a].value);
        if (pool_.is_constant(node.b)) return plus(sum_in(node.a), pool_[node.b].value);
        return {};
      case Op::subtract:
        if (!pool_.is_constant(node.b) || pool_[node.b].value == INT64_MIN) return {};
        return plus(sum_in(node.a), -pool_[node.b].value);
      case Op::wrap: return folded(sum_in(node.a), node.value, node.high);
      case Op::remainder:
        if (!pool_.is_constant(node.b) || pool_[node.b].value <= 0) return {};
        return folded(sum_in(node.a), 0, pool_[node.b].value - 1);
      case Op::bound: {
        auto sum = sum_in(node.a);
        if (sum) sum->low = std::max(sum->low, node.value);
        if (sum) sum->high = std::min(sum->high, node.high);
        return sum;
      }
      case Op::require: return sum_in(node.a);
      case Op::after: return sum_in(node.b);
      default: return {};
    }
  }

  static std::optional<Sum> plus(std::optional<Sum> sum, std::int64_t added) {
    if (!sum || __builtin_add_overflow(sum->added, added, &sum->added) ||
        __builtin_add_overflow(sum->low, added, &sum->low) ||
        __builtin_add_overflow(sum->high, added, &sum->high))
      return {};
    return sum;
  }

  // Into low..high, modulo its size; where it lies there already, as it is.
  static std::optional<Sum> folded(std::optional<Sum> sum, std::int64_t low, std::int64_t high) {
    if (!sum || (sum->low >= low && sum->high <= high)) return sum;
    const std::uint64_t last = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
    if (last >= largest_modulus) return {};
    return Sum{sum->added, std::gcd(sum->modulus, last + 1), low, high};
  }

  const Program& program_;
  const Expressions& pool_;
  VariableId variable_;
  const Slot& slot_;
  const std::vector<AssignedValue>& assigned_;
  ProcessId home_ = none;
  std::vector<std::uint64_t> values_;  // by control state of the home, as bits; empty: any
  VariableChanges found_;
};

}  // namespace

std::vector<VariableChanges> changes_of_variables(const Program& program) {
  const std::vector<AssignedValues> assigned = assigned_values(program);
  std::vector<VariableChanges> found;
  for (VariableId v = 0; v < assigned.size(); ++v) {
    if (assigned[v].is_chosen)
      found.push_back({.modulus = 1});
    else
      found.push_back(Changes(program, v, assigned[v]).found());
  }
  return found;
}

}  // namespace panoptes
