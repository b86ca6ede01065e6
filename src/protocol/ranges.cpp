// SPDX-License-Identifier: Apache-2.0
// Interval analysis over the automata.
//
// A local variable has one interval for each control state of its process, narrowed by the tests on
// the way; shared variables and message fields have one interval for the whole protocol, since any
// process may act in between. Everything grows to a fixpoint; what keeps growing is widened to the
// next constant of the model, so that a counter bounded by a test gets that bound and the others
// end at the range they are declared with.
//
// How it could be wrong: too small an interval would let a slot overflow into its neighbour, which
// the interpreter checks on every write.
#include "protocol/ranges.hpp"

#include <algorithm>
#include <map>

namespace panoptes {
namespace {

__extension__ typedef __int128 Wide;

// Bounds are kept exact up to here, beyond every 16-bit value and small product.
constexpr std::int64_t huge = std::int64_t{1} << 40;
constexpr Interval anything{INT64_MIN, INT64_MAX};

Interval hull(Interval a, Interval b) {
  if (a.is_empty()) return b;
  if (b.is_empty()) return a;
  return {std::min(a.low, b.low), std::max(a.high, b.high)};
}

Interval meet(Interval a, Interval b) { return {std::max(a.low, b.low), std::min(a.high, b.high)}; }

bool is_huge(Interval a) { return a.low < -huge || a.high > huge; }

Interval clamp(Interval a) { return !a.is_empty() && is_huge(a) ? anything : a; }

}  // namespace

Interval interval_of(Op op, Interval a, Interval b) {
  if (a.is_empty() || b.is_empty()) return {};
  if (is_huge(b) || (is_huge(a) && op != Op::remainder)) return anything;
  switch (op) {
    case Op::add: return clamp({a.low + b.low, a.high + b.high});
    case Op::subtract: return clamp({a.low - b.high, a.high - b.low});
    case Op::multiply: {
      Interval result;
      for (const std::int64_t x : {a.low, a.high})
        for (const std::int64_t y : {b.low, b.high}) {
          const Wide product = static_cast<Wide>(x) * y;  // up to 2^80
          if (product < -huge || product > huge) return anything;
          result = hull(result,
                        {static_cast<std::int64_t>(product), static_cast<std::int64_t>(product)});
        }
      return result;
    }
    case Op::divide: {
      // |a / b| <= |a|; exact where the divisor is one positive constant.
      if (b.low == b.high && b.low > 0) return {a.low / b.low, a.high / b.low};
      const std::int64_t most = std::max(std::abs(a.low), std::abs(a.high));
      return clamp({-most, most});
    }
    case Op::remainder: {
      const std::int64_t most = std::max(std::abs(b.low), std::abs(b.high)) - 1;
      if (most < 0) return {};
      if (a.low >= 0 && b.low > 0 && a.high < b.low) return a;
      return {0, a.low >= 0 ? std::min(most, a.high) : most};
    }
    default: return {0, 1};
  }
}

namespace {

class Analysis {
 public:
  explicit Analysis(Protocol& protocol) : protocol_(protocol), pool_(protocol.expressions) {
    std::vector<std::size_t> local_count(protocol.processes.size());
    std::size_t shared_count = 0;
    for (const Variable& v : protocol.variables) shared_count += v.process == none;
    std::size_t next_shared = 0;
    for (const Variable& v : protocol.variables)
      position_.push_back(v.process == none ? next_shared++
                                            : shared_count + local_count[v.process]++);
    shared_.resize(shared_count);
    for (std::size_t p = 0; p < local_count.size(); ++p) {
      const std::size_t states = protocol.processes[p].automaton.states.size();
      constexpr std::size_t most = 1'000'000;
      is_coarse_.push_back(local_count[p] * states > most);
      local_.emplace_back(is_coarse_[p] ? 1 : states, std::vector<Growing>(local_count[p]));
    }
    fields_.resize(protocol.channels.size());
    for (ChannelId c = 0; c < protocol.channels.size(); ++c) {
      for (const MessageType& type : protocol.channels[c].sort)
        fields_[c].emplace_back(type.values.size());
      for (const InitialContent& content : protocol.channels[c].contents)
        for (std::size_t t = 0; t < protocol.channels[c].sort.size(); ++t)
          if (matches(protocol.channels[c].sort[t], content.name, content.values.size()))
            for (std::size_t i = 0; i < content.values.size(); ++i)
              fields_[c][t][i].interval =
                  hull(fields_[c][t][i].interval, {content.values[i], content.values[i]});
    }
    collect_thresholds();
  }

  void run() {
    start();
    while (changed_) {
      changed_ = false;
      for (ProcessId p = 0; p < protocol_.processes.size(); ++p) sweep(p);
    }
    drop_kept_promises();
    finish();
  }

 private:
  struct Growing {
    Interval interval;
    int growths = 0;
  };
  // What is known of the variables before a step: intervals of the control state, and those that
  // the step's own conditions have narrowed.
  struct Environment {
    const std::vector<Growing>* shared;
    const std::vector<Growing>* local;
    std::map<std::size_t, Interval> narrowed;  // by position

    Interval operator[](std::size_t position) const {
      if (const auto found = narrowed.find(position); found != narrowed.end()) return found->second;
      if (position < shared->size()) return (*shared)[position].interval;
      return (*local)[position - shared->size()].interval;
    }
  };

  static bool matches(const MessageType& type, const std::string& name, std::size_t arity) {
    return type.name == name && type.values.size() == arity;
  }

  void collect_thresholds() {
    for (ExpressionId id = 0; id < pool_.size(); ++id)
      if (pool_[id].op == Op::constant)
        for (const std::int64_t near : {pool_[id].value - 1, pool_[id].value, pool_[id].value + 1})
          thresholds_.push_back(near);
    for (const Variable& v : protocol_.variables) {
      thresholds_.push_back(v.declared.low);
      thresholds_.push_back(v.declared.high);
    }
    thresholds_.push_back(short_integer.low);
    thresholds_.push_back(short_integer.high);
    std::sort(thresholds_.begin(), thresholds_.end());
    thresholds_.erase(std::unique(thresholds_.begin(), thresholds_.end()), thresholds_.end());
  }

  // Adds `more` to `growing`; after a few growths its bounds jump to the next threshold. Behind a
  // step that always fails there is nothing to add, and nothing grows by that.
  bool grow(Growing& growing, Interval more) {
    if (more.is_empty()) return false;
    Interval grown = hull(growing.interval, more);
    if (grown == growing.interval) return false;
    constexpr int patience = 8, last_patience = 24;
    if (++growing.growths > last_patience) {
      grown = hull(grown, {thresholds_.front(), thresholds_.back()});
    } else if (growing.growths > patience) {
      if (grown.high > growing.interval.high) {
        const auto up = std::lower_bound(thresholds_.begin(), thresholds_.end(), grown.high);
        if (up != thresholds_.end()) grown.high = *up;
      }
      if (grown.low < growing.interval.low) {
        const auto down = std::upper_bound(thresholds_.begin(), thresholds_.end(), grown.low);
        if (down != thresholds_.begin()) grown.low = *std::prev(down);
      }
    }
    growing.interval = grown;
    changed_ = true;
    return true;
  }

  void start() {
    changed_ = true;
    for (VariableId v = 0; v < protocol_.variables.size(); ++v) {
      const Variable& variable = protocol_.variables[v];
      if (variable.process == none)
        shared_[position_[v]].interval = {variable.initial, variable.initial};
      else
        local(v, protocol_.processes[variable.process].automaton.initial).interval = {
            variable.initial, variable.initial};
    }
    for (ProcessId p = 0; p < protocol_.processes.size(); ++p) {
      const Automaton& automaton = protocol_.processes[p].automaton;
      reached_.emplace_back(automaton.states.size());
      reached_[p][automaton.initial] = true;
      const Environment before = environment(p, automaton.initial);
      for (const Assignment& a : automaton.initial_assignments)
        local(a.variable, automaton.initial).interval = value(a.value, before, nullptr);
    }
  }

  // A process with very many states and variables has one interval for all its states.
  std::vector<Growing>& locals(ProcessId p, StateId state) {
    return local_[p][is_coarse_[p] ? 0 : state];
  }

  Growing& local(VariableId v, StateId state) {
    const ProcessId p = protocol_.variables[v].process;
    return locals(p, state)[position_[v] - shared_.size()];
  }

  Environment environment(ProcessId p, StateId state) { return {&shared_, &locals(p, state), {}}; }

  void sweep(ProcessId p) {
    const auto& states = protocol_.processes[p].automaton.states;
    for (StateId s = 0; s < states.size(); ++s)
      if (reached_[p][s])
        for (const Transition& t : states[s].transitions) step(p, s, t);
  }

  void step(ProcessId p, StateId s, const Transition& t) {
    Environment before = environment(p, s);
    for (const ExpressionId condition : t.conditions)
      if (!assume(condition, true, before, t)) return;
    if (t.kind == ActionKind::check && !assume(t.check, true, before, t)) return;
    if (t.kind == ActionKind::bad_index) return;
    if (t.kind == ActionKind::send) send(t, before);
    if (t.kind == ActionKind::receive && !can_arrive(t)) return;
    if (!reached_[p][t.target]) changed_ = reached_[p][t.target] = true;
    Environment after = before;
    for (const Assignment& a : t.assignments) {
      const Interval assigned = value(a.value, before, &t);
      for (VariableId v = a.variable; v < a.variable + a.length; ++v) {
        const Interval kept = a.index == none ? Interval{} : after[position_[v]];
        after.narrowed[position_[v]] = hull(kept, assigned);
      }
    }
    pass_on(after, t, locals(p, t.target), p, s);
  }

  // Adds what holds after the step to what is known at its target.
  void pass_on(const Environment& after, const Transition& t, std::vector<Growing>& target,
               ProcessId p, StateId s) {
    const bool stays = &target == &locals(p, s);
    const std::map<std::size_t, Interval> changes = after.narrowed;
    for (std::size_t i = 0; i < target.size() && !stays; ++i)
      grow(target[i], after[shared_.size() + i]);
    for (const Assignment& a : t.assignments)
      for (VariableId v = a.variable; v < a.variable + a.length; ++v) {
        const std::size_t position = position_[v];
        if (position < shared_.size())
          grow(shared_[position], changes.at(position));
        else if (stays)
          grow(target[position - shared_.size()], changes.at(position));
      }
  }

  // What always fits is not asked for. An expression keeps its bound everywhere if it needs it
  // anywhere: steps that are alike stay alike.
  void drop_kept_promises() {
    std::map<ExpressionId, bool> fits;
    for (ProcessId p = 0; p < protocol_.processes.size(); ++p) {
      const auto& states = protocol_.processes[p].automaton.states;
      for (StateId s = 0; s < states.size(); ++s)
        for (const Transition& t : states[s].transitions)
          if (reached_[p][s]) look_at_promises(environment(p, s), t, fits);
    }
    for (Process& process : protocol_.processes)
      for (ControlState& state : process.automaton.states)
        for (Transition& t : state.transitions)
          for (Assignment& a : t.assignments)
            if (const auto found = fits.find(a.value); found != fits.end() && found->second)
              a.value = pool_[a.value].a;
  }

  void look_at_promises(Environment before, const Transition& t,
                        std::map<ExpressionId, bool>& fits) {
    for (const ExpressionId condition : t.conditions)
      if (!assume(condition, true, before, t)) return;
    for (const Assignment& a : t.assignments) {
      const ExpressionNode& node = pool_[a.value];
      if (node.op != Op::bound) continue;
      const Interval inner = value(node.a, before, &t);
      const bool is_inside =
          inner.is_empty() || (inner.low >= node.value && inner.high <= node.high);
      const auto [found, fresh] = fits.try_emplace(a.value, is_inside);
      if (!fresh) found->second = found->second && is_inside;
    }
  }

  bool can_arrive(const Transition& t) const {
    const auto& sort = protocol_.channels[t.channel].sort;
    return std::any_of(sort.begin(), sort.end(),
                       [&](const MessageType& type) { return type.name == t.message; });
  }

  void send(const Transition& t, const Environment& before) {
    const auto& sort = protocol_.channels[t.channel].sort;
    for (std::size_t i = 0; i < sort.size(); ++i)
      if (matches(sort[i], t.message, t.values.size()))
        for (std::size_t f = 0; f < t.values.size(); ++f)
          grow(fields_[t.channel][i][f], value(t.values[f], before, &t));
  }

  // Every value the field can have, in a message that `t` takes or in any other.
  Interval field(const ExpressionNode& node, const Environment& env, const Transition* t) {
    const bool is_taken =
        t && node.a == t->channel && node.value == t->position &&
        (t->kind == ActionKind::receive || t->kind == ActionKind::receive_default);
    Interval result;
    if (!is_taken) result = {0, 0};
    const auto& sort = protocol_.channels[node.a].sort;
    for (std::size_t i = 0; i < sort.size(); ++i) {
      if (is_taken && t->kind == ActionKind::receive && sort[i].name != t->message) continue;
      if (node.b < sort[i].values.size())
        result = hull(result, fields_[node.a][i][node.b].interval);
      else if (node.c != none)
        result = hull(result, value(node.c, env, t));
    }
    return result;
  }

  Interval value(ExpressionId id, const Environment& env, const Transition* t) {
    const ExpressionNode& node = pool_[id];
    switch (node.op) {
      case Op::constant: return {node.value, node.value};
      case Op::variable: return env[position_[node.a]];
      case Op::field: return field(node, env, t);
      case Op::length: return {0, protocol_.channels[node.a].capacity};
      case Op::tag: return {0, static_cast<std::int64_t>(protocol_.channels[node.a].sort.size())};
      case Op::full:
      case Op::empty: return {0, 1};
      case Op::negate: return interval_of(Op::subtract, {0, 0}, value(node.a, env, t));
      case Op::require: return value(node.a, env, t);
      case Op::after: return value(node.b, env, t);
      case Op::element: {
        Interval result;
        for (VariableId i = 0; i < node.value; ++i)
          result = hull(result, env[position_[node.b + i]]);
        return result;
      }
      case Op::bound: {
        const Interval inner = value(node.a, env, t);
        return inner.is_empty() ? inner : meet(inner, {node.value, node.high});
      }
      case Op::wrap: {
        const Interval inner = value(node.a, env, t);
        if (inner.is_empty()) return inner;
        if (inner.low >= node.value && inner.high <= node.high) return inner;
        return {node.value, node.high};
      }
      case Op::add:
      case Op::subtract:
      case Op::multiply:
      case Op::divide:
      case Op::remainder: return interval_of(node.op, value(node.a, env, t), value(node.b, env, t));
      default: return {0, 1};
    }
  }

  // Narrows `env` to where `id` is true (or false); false where that cannot be.
  bool assume(ExpressionId id, bool truth, Environment& env, const Transition& t) {
    const ExpressionNode& node = pool_[id];
    switch (node.op) {
      case Op::constant: return (node.value != 0) == truth;
      case Op::logical_not: return assume(node.a, !truth, env, t);
      case Op::logical_and:
      case Op::logical_or: {
        const bool both = (node.op == Op::logical_and) == truth;
        if (both) return assume(node.a, truth, env, t) && assume(node.b, truth, env, t);
        Environment left = env, right = env;
        const bool left_possible = assume(node.a, truth, left, t);
        const bool right_possible = assume(node.b, truth, right, t);
        if (!left_possible && !right_possible) return false;
        if (!right_possible) right = left;
        if (!left_possible) left = right;
        for (const auto* side : {&left, &right})
          for (const auto& entry : side->narrowed)
            env.narrowed[entry.first] = hull(left[entry.first], right[entry.first]);
        return true;
      }
      case Op::equal:
      case Op::not_equal:
      case Op::less:
      case Op::less_equal:
      case Op::greater:
      case Op::greater_equal: return compare(node, truth, env, t);
      case Op::variable: return truth ? exclude(node.a, 0, env) : restrict(node.a, {0, 0}, env);
      default: return true;
    }
  }

  static Op opposite(Op op) {
    switch (op) {
      case Op::equal: return Op::not_equal;
      case Op::not_equal: return Op::equal;
      case Op::less: return Op::greater_equal;
      case Op::less_equal: return Op::greater;
      case Op::greater: return Op::less_equal;
      default: return Op::less;
    }
  }

  bool compare(const ExpressionNode& node, bool truth, Environment& env, const Transition& t) {
    const Op op = truth ? node.op : opposite(node.op);
    const Interval left = value(node.a, env, &t), right = value(node.b, env, &t);
    if (left.is_empty() || right.is_empty()) return false;
    if (is_huge(left) || is_huge(right)) return true;
    return narrow(node.a, op, right, env) && narrow(node.b, mirrored(op), left, env) &&
           possible(op, left, right);
  }

  static bool possible(Op op, Interval a, Interval b) {
    switch (op) {
      case Op::equal: return !meet(a, b).is_empty();
      case Op::not_equal: return !(a.low == a.high && a == b);
      case Op::less: return a.low < b.high;
      case Op::less_equal: return a.low <= b.high;
      case Op::greater: return a.high > b.low;
      default: return a.high >= b.low;
    }
  }

  // Narrows a plain variable that stands in relation `op` to some value of `other`.
  bool narrow(ExpressionId id, Op op, Interval other, Environment& env) {
    const ExpressionNode& node = pool_[id];
    if (node.op != Op::variable) return true;
    switch (op) {
      case Op::equal: return restrict(node.a, other, env);
      case Op::less: return restrict(node.a, {INT64_MIN, other.high - 1}, env);
      case Op::less_equal: return restrict(node.a, {INT64_MIN, other.high}, env);
      case Op::greater: return restrict(node.a, {other.low + 1, INT64_MAX}, env);
      case Op::greater_equal: return restrict(node.a, {other.low, INT64_MAX}, env);
      default: return other.low != other.high || exclude(node.a, other.low, env);
    }
  }

  bool restrict(VariableId v, Interval to, Environment& env) const {
    const Interval narrowed = meet(env[position_[v]], to);
    env.narrowed[position_[v]] = narrowed;
    return !narrowed.is_empty();
  }

  bool exclude(VariableId v, std::int64_t value, Environment& env) const {
    Interval narrowed = env[position_[v]];
    if (narrowed.low == value) ++narrowed.low;
    if (narrowed.high == value) --narrowed.high;
    env.narrowed[position_[v]] = narrowed;
    return !narrowed.is_empty();
  }

  void finish() {
    for (VariableId v = 0; v < protocol_.variables.size(); ++v) {
      Variable& variable = protocol_.variables[v];
      variable.range = {variable.initial, variable.initial};
      if (variable.process == none) {
        variable.range = shared_[position_[v]].interval;
        continue;
      }
      for (StateId s = 0; s < local_[variable.process].size(); ++s)
        variable.range = hull(variable.range, local(v, s).interval);
    }
    give_arrays_one_range();
    for (ChannelId c = 0; c < protocol_.channels.size(); ++c)
      for (std::size_t t = 0; t < protocol_.channels[c].sort.size(); ++t)
        for (std::size_t i = 0; i < fields_[c][t].size(); ++i) {
          const Interval found = fields_[c][t][i].interval;
          protocol_.channels[c].sort[t].values[i] = found.is_empty() ? Interval{0, 0} : found;
        }
  }

  void give_arrays_one_range() {
    const auto join = [this](VariableId first, std::int64_t length) {
      Interval all;
      for (VariableId i = 0; i < length; ++i) all = hull(all, protocol_.variables[first + i].range);
      for (VariableId i = 0; i < length; ++i) protocol_.variables[first + i].range = all;
    };
    for (ExpressionId id = 0; id < pool_.size(); ++id)
      if (pool_[id].op == Op::element) join(pool_[id].b, pool_[id].value);
    for (const Process& process : protocol_.processes)
      for (const ControlState& state : process.automaton.states)
        for (const Transition& t : state.transitions)
          for (const Assignment& a : t.assignments)
            if (a.index != none) join(a.variable, a.length);
  }

  Protocol& protocol_;
  const Expressions& pool_;
  std::vector<std::int64_t> thresholds_;
  std::vector<std::size_t> position_;                      // of a variable in an Environment
  std::vector<Growing> shared_;                            // by position
  std::vector<std::vector<std::vector<Growing>>> local_;   // by process, state, position
  std::vector<bool> is_coarse_;                            // by process
  std::vector<std::vector<bool>> reached_;                 // by process, state
  std::vector<std::vector<std::vector<Growing>>> fields_;  // by channel, tag, index
  bool changed_ = false;
};

}  // namespace

void infer_ranges(Protocol& protocol) { Analysis(protocol).run(); }

}  // namespace panoptes
