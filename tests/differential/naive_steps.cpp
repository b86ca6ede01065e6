// SPDX-License-Identifier: Apache-2.0
#include "differential/naive_steps.hpp"

#include <deque>
#include <optional>

namespace panoptes::differential {
namespace {

__extension__ typedef __int128 Huge;

struct Fails {
  ErrorKind kind;
};

std::int64_t folded(Huge value) { return static_cast<std::int64_t>(value); }

std::int64_t positive_rest(Huge value, Huge divisor) {
  const Huge size = divisor < 0 ? -divisor : divisor;
  return folded((value % size + size) % size);
}

class Reading {
 public:
  Reading(const Program& program, const NaiveState& state)
      : pool_(program.protocol.expressions), program_(program), state_(state) {}

  std::int64_t operator()(ExpressionId id) const {
    const ExpressionNode& node = pool_[id];
    const auto channel = [&]() -> const auto& { return state_.channels[node.a]; };
    switch (node.op) {
      case Op::constant: return node.value;
      case Op::variable: return state_.variables[node.a];
      case Op::element: return state_.variables[node.b + place((*this)(node.a), node.value)];
      case Op::length: return static_cast<std::int64_t>(channel().size());
      case Op::full: return channel().size() == program_.protocol.channels[node.a].capacity;
      case Op::empty: return channel().empty();
      case Op::tag: return value_in(channel(), node.value, 0);
      case Op::field: return value_in(channel(), node.value, node.b + 1);
      case Op::negate: return folded(-Huge{(*this)(node.a)});
      case Op::logical_not: return (*this)(node.a) == 0;
      case Op::wrap:
        return folded(node.value + Huge{positive_rest(Huge{(*this)(node.a)} - node.value,
                                                      Huge{node.high} - node.value + 1)});
      case Op::bound: {
        const std::int64_t value = (*this)(node.a);
        if (value < node.value || value > node.high) throw Fails{ErrorKind::out_of_range};
        return value;
      }
      case Op::require:
        if ((*this)(node.b) == 0) throw Fails{ErrorKind::index_out_of_range};
        return (*this)(node.a);
      case Op::after: (*this)(node.a); return (*this)(node.b);
      case Op::logical_or: return (*this)(node.a) != 0 || (*this)(node.b) != 0;
      case Op::logical_and: return (*this)(node.a) != 0 && (*this)(node.b) != 0;
      default: break;
    }
    const Huge a = (*this)(node.a), b = (*this)(node.b);
    return two(node.op, a, b);
  }

  static std::uint32_t place(std::int64_t index, std::int64_t length) {
    if (index < 0 || index >= length) throw Fails{ErrorKind::index_out_of_range};
    return static_cast<std::uint32_t>(index);
  }

 private:
  static std::int64_t two(Op op, Huge a, Huge b) {
    switch (op) {
      case Op::equal: return a == b;
      case Op::not_equal: return a != b;
      case Op::less: return a < b;
      case Op::less_equal: return a <= b;
      case Op::greater: return a > b;
      case Op::greater_equal: return a >= b;
      case Op::add: return folded(a + b);
      case Op::subtract: return folded(a - b);
      case Op::multiply: return folded(a * b);
      default: break;
    }
    if (b == 0) throw Fails{ErrorKind::division_by_zero};
    return op == Op::divide ? folded(a / b) : positive_rest(a, b);
  }

  static std::int64_t value_in(const std::vector<std::vector<std::int64_t>>& channel,
                               std::int64_t position, std::size_t index) {
    if (static_cast<std::size_t>(position) >= channel.size()) return 0;
    const auto& message = channel[static_cast<std::size_t>(position)];
    return index < message.size() ? message[index] : 0;
  }

  const Expressions& pool_;
  const Program& program_;
  const NaiveState& state_;
};

bool is_full(const Program& program, const Rule& rule, const NaiveState& state) {
  return state.channels[rule.channel].size() == program.protocol.channels[rule.channel].capacity;
}

bool is_enabled(const Program& program, const Rule& rule, const NaiveState& state) {
  for (const ProcessMove& move : rule.moves)
    if (state.control[move.process] != move.from) return false;
  if (rule.kind == ActionKind::timeout && !state.channels[rule.channel].empty()) return false;
  if (rule.kind == ActionKind::receive) {
    const auto& channel = state.channels[rule.channel];
    if (channel.size() <= rule.position || channel[rule.position][0] != rule.tag) return false;
  }
  for (const ExpressionId condition : rule.conditions)
    if (Reading(program, state)(condition) == 0) return false;
  return rule.kind != ActionKind::send || program.overflow == OverflowPolicy::error ||
         !is_full(program, rule, state);
}

NaiveState fired(const Program& program, const Rule& rule, const NaiveState& state) {
  const Reading value(program, state);
  NaiveState next = state;
  if (rule.kind == ActionKind::bad_index) throw Fails{ErrorKind::index_out_of_range};
  if (rule.kind == ActionKind::check && value(rule.check) == 0) throw Fails{ErrorKind::assertion};
  if (rule.kind == ActionKind::receive) {
    auto& channel = next.channels[rule.channel];
    channel.erase(channel.begin() + rule.position);
  }
  if (rule.kind == ActionKind::send) {
    if (is_full(program, rule, state)) throw Fails{ErrorKind::overflow};
    std::vector<std::int64_t> message{rule.tag};
    for (const ExpressionId id : rule.values) message.push_back(value(id));
    next.channels[rule.channel].push_back(std::move(message));
  }
  for (const Assignment& a : rule.assignments) {
    const std::uint32_t place = a.index == none ? 0 : Reading::place(value(a.index), a.length);
    next.variables[a.variable + place] = value(a.value);
  }
  for (const ProcessMove& move : rule.moves) next.control[move.process] = move.to;
  return next;
}

// The step of a rule, whatever its class; nothing where it is not enabled.
std::optional<NaiveStep> step_of(const Program& program, RuleId id, const NaiveState& state) {
  const Rule& rule = program.rules[id];
  NaiveStep step;
  step.rule = id;
  step.ends_inside = rule.ends_inside;
  try {
    if (!is_enabled(program, rule, state)) return {};
    step.next = fired(program, rule, state);
  } catch (const Fails& failure) {
    step.fails = true;
    step.kind = failure.kind;
  }
  return step;
}

}  // namespace

NaiveState naive_initial(const Program& program) {
  NaiveState state;
  for (const Process& process : program.protocol.processes)
    state.control.push_back(process.automaton.initial);
  for (const Variable& variable : program.protocol.variables)
    state.variables.push_back(variable.initial);
  for (const Channel& channel : program.protocol.channels) {
    auto& messages = state.channels.emplace_back();
    for (const InitialContent& content : channel.contents)
      for (std::size_t i = 0; i < channel.sort.size(); ++i)
        if (channel.sort[i].name == content.name) {
          messages.push_back({static_cast<std::int64_t>(i + 1)});
          messages.back().insert(messages.back().end(), content.values.begin(),
                                 content.values.end());
        }
  }
  return state;
}

std::vector<NaiveStep> naive_steps(const Program& program, const NaiveState& state) {
  std::vector<NaiveStep> steps;
  std::uint32_t rule_class = 0;
  for (const RuleRound& round : program.rounds) {
    if (round.rule_class > rule_class && !steps.empty()) break;
    rule_class = round.rule_class;
    for (RuleId id = round.first; id < round.end; ++id)
      if (auto step = step_of(program, id, state)) steps.push_back(std::move(*step));
  }
  return steps;
}

NaiveSpace naive_space(const Program& program, std::size_t most_states) {
  NaiveSpace space;
  std::deque<NaiveState> waiting{naive_initial(program)};
  for (; !waiting.empty(); waiting.pop_front()) {
    if (space.steps.contains(waiting.front())) continue;
    if (space.steps.size() == most_states) {
      space.is_complete = false;
      break;
    }
    const auto& steps =
        space.steps.emplace(waiting.front(), naive_steps(program, waiting.front())).first->second;
    for (const NaiveStep& step : steps)
      if (!step.fails) waiting.push_back(step.next);
  }
  return space;
}

}  // namespace panoptes::differential
