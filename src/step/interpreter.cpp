// SPDX-License-Identifier: Apache-2.0
#include "step/interpreter.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace panoptes {
namespace {

// The state an expression is read in.
struct Environment {
  const Program& program;
  StateView state;

  const ChannelLayout& channel(ChannelId c) const { return program.layout.channels[c]; }
  std::int64_t variable(VariableId v) const { return read(program.layout.variables[v], state); }
  std::int64_t length(ChannelId c) const { return panoptes::length(channel(c), state); }
  std::int64_t full(ChannelId c) const { return is_full(channel(c), state); }
  std::int64_t empty(ChannelId c) const { return head_tag(channel(c), state) == 0; }
  std::int64_t field(ChannelId c, std::uint32_t index, std::uint32_t position) const {
    return value_at(channel(c), position, index, state);
  }
  std::int64_t tag(ChannelId c, std::uint32_t position) const {
    return tag_at(channel(c), position, state);
  }
  std::int64_t part(Op op, std::uint32_t id) const {
    return read(op == Op::control ? program.layout.control[id] : program.layout.assertions[id],
                state);
  }
};

ErrorKind kind_of(Fault fault) {
  return fault == Fault::division_by_zero ? ErrorKind::division_by_zero
                                          : ErrorKind::index_out_of_range;
}

Finding failure(ErrorKind kind, RuleId rule) {
  Finding finding;
  finding.kind = kind;
  finding.rule = rule;
  return finding;
}

[[noreturn]] void does_not_fit(const std::string& what, std::int64_t value) {
  throw InternalFault(
      fmt::format("{} got the value {}, which its inferred range does not hold", what, value));
}

}  // namespace

// True where the predicate holds. A condition without a value is a failure of the firing.
bool Interpreter::enabled(const Rule& rule, StateView state, Firing& firing,
                          std::vector<Finding>& findings) const {
  const Layout& layout = program_.layout;
  firing = Firing::disabled;
  for (const ProcessMove& move : rule.moves)
    if (read(layout.control[move.process], state) != move.from) return false;
  if (rule.kind == ActionKind::timeout && head_tag(layout.channels[rule.channel], state) != 0)
    return false;
  if (rule.kind == ActionKind::receive &&
      tag_at(layout.channels[rule.channel], rule.position, state) != rule.tag)
    return false;
  for (const ExpressionId condition : rule.conditions) {
    const Evaluation holds = value(condition, state);
    if (holds.fault != Fault::absent) {
      findings.push_back(
          failure(kind_of(holds.fault), static_cast<RuleId>(&rule - program_.rules.data())));
      firing = Firing::failure;
      return false;
    }
    if (holds.value == 0) return false;
  }
  return rule.kind != ActionKind::send || program_.overflow == OverflowPolicy::error ||
         !is_full(layout.channels[rule.channel], state);
}

Interpreter::Firing Interpreter::fire(RuleId id, StateView state, StateWords& next,
                                      std::vector<Finding>& findings) const {
  const Rule& rule = program_.rules[id];
  const Layout& layout = program_.layout;
  Firing firing{};
  if (!enabled(rule, state, firing, findings)) return firing;
  const std::size_t before = findings.size();
  next.assign(state.begin(), state.end());

  if (!passes(id, state, findings)) return Firing::failure;
  if (!assign(rule, state, next, findings)) return Firing::failure;
  for (const ProcessMove& move : rule.moves)
    if (!write(layout.control[move.process], move.to, next))
      does_not_fit("the control state of " + program_.protocol.processes[move.process].name,
                   move.to);
  for (const AssertionMove& move : rule.assertion_moves) {
    const Slot& slot = layout.assertions[move.assertion];
    const auto subset = static_cast<std::size_t>(read(slot, state));
    const std::uint32_t to = program_.protocol.assertions[move.assertion].next[subset][move.symbol];
    if (to != none && !write(slot, to, next))
      does_not_fit(program_.protocol.assertions[move.assertion].name, to);
  }
  for (const StepCheck& check : program_.errors.checks_of(id)) {
    if (check.assertion == none || value(check.holds, state).value != 0) continue;
    findings.push_back(failure(check.kind, id));
    findings.back().assertion = check.assertion;
  }
  return findings.size() > before ? Firing::failure : Firing::successor;
}

// The checks before anything is computed.
bool Interpreter::passes(RuleId id, StateView state, std::vector<Finding>& findings) const {
  for (const StepCheck& check : program_.errors.checks_of(id)) {
    if (check.assertion != none) continue;
    const Evaluation holds = value(check.holds, state);
    if (holds.fault == Fault::absent && holds.value != 0) continue;
    findings.push_back(
        failure(holds.fault == Fault::absent ? check.kind : kind_of(holds.fault), id));
    return false;
  }
  return true;
}

Evaluation Interpreter::value(ExpressionId expression, StateView state) const {
  return evaluate(program_.protocol.expressions, expression, Environment{program_, state});
}

// Channel and variables: everything is read from `state`, everything is written to `next`.
bool Interpreter::assign(const Rule& rule, StateView state, StateSpan next,
                         std::vector<Finding>& findings) const {
  const auto id = static_cast<RuleId>(&rule - program_.rules.data());
  const auto value_or_fail = [&](ExpressionId expression, std::int64_t& value) {
    const Evaluation result = this->value(expression, state);
    value = result.value;
    if (result.fault != Fault::absent) findings.push_back(failure(kind_of(result.fault), id));
    return result.fault == Fault::absent;
  };
  if (rule.kind == ActionKind::receive)
    take(program_.layout.channels[rule.channel], rule.position, next);
  if (rule.kind == ActionKind::send) {
    const ChannelLayout& channel = program_.layout.channels[rule.channel];
    Word message = rule.tag;
    for (std::size_t i = 0; i < rule.values.size(); ++i) {
      std::int64_t value = 0;
      if (!value_or_fail(rule.values[i], value)) return false;
      if (channel.pieces.empty()) continue;
      const ValueField& field = channel.tags[rule.tag - 1][i];
      if (value < field.minimum || value > field.maximum)
        does_not_fit("a message to " + program_.protocol.channels[rule.channel].name, value);
      message |= static_cast<Word>(value - field.minimum) << field.shift;
    }
    append(channel, message, next);
  }
  for (const Assignment& a : rule.assignments) {
    std::int64_t value = 0, place = 0;
    if (a.index != none && !value_or_fail(a.index, place)) return false;
    if (place < 0 || place >= a.length) {
      findings.push_back(failure(ErrorKind::index_out_of_range, id));
      return false;
    }
    if (!value_or_fail(a.value, value)) return false;
    const VariableId variable = a.variable + static_cast<VariableId>(place);
    if (!write(program_.layout.variables[variable], value, next))
      does_not_fit(program_.protocol.variables[variable].name, value);
  }
  return true;
}

std::optional<std::vector<std::int64_t>> Interpreter::values_sent(RuleId rule,
                                                                  StateView state) const {
  std::vector<std::int64_t> values;
  for (const ExpressionId expression : program_.rules[rule].values) {
    const Evaluation result = value(expression, state);
    if (result.fault != Fault::absent) return {};
    values.push_back(result.value);
  }
  return values;
}

// Every message from `position` on moves one slot towards the head; the first of the next piece
// moves into the last slot of this one.
void Interpreter::take(const ChannelLayout& channel, std::uint32_t position,
                       StateSpan state) const {
  for (std::size_t i = 0; i < channel.pieces.size(); ++i) {
    const ChannelPiece& piece = channel.pieces[i];
    const std::uint32_t stay = std::min(position, piece.slots);
    position -= stay;
    if (stay == piece.slots) continue;
    const Word before = (state[piece.word] & piece.mask) >> piece.shift;
    const Word stays = (Word{1} << stay * channel.slot_bits) - 1;
    Word bits = channel.slot_bits == 64 ? 0 : before >> channel.slot_bits;
    bits = (bits & ~stays) | (before & stays);
    if (i + 1 < channel.pieces.size()) {
      const ChannelPiece& next = channel.pieces[i + 1];
      const Word carry = (state[next.word] >> next.shift) & piece.carry_mask;
      bits |= carry << ((piece.slots - 1) * channel.slot_bits);
    }
    state[piece.word] = (state[piece.word] & ~piece.mask) | (bits << piece.shift);
  }
}

// The message is added to the first vacant slot, which is all zero.
void Interpreter::append(const ChannelLayout& channel, Word message, StateSpan state) const {
  for (const ChannelPiece& piece : channel.pieces)
    for (std::uint32_t i = 0; i < piece.slots; ++i) {
      const std::uint32_t shift = piece.shift + i * channel.slot_bits;
      if (((state[piece.word] >> shift) & channel.tag_mask()) != 0) continue;
      state[piece.word] += message << shift;
      return;
    }
}

void Interpreter::expand(const StateBatch& batch, SuccessorBatch& out,
                         std::vector<Finding>& findings) {
  out.clear(batch.width);
  for (std::size_t i = 0; i < batch.size(); ++i) {
    const StateView state = batch[i];
    std::uint32_t failures = 0, enabled_rules = 0, exchanges = 0;
    const std::size_t first_finding = findings.size();
    const auto try_rule = [&](RuleId id) {
      const Firing firing = fire(id, state, next_, findings);
      if (firing == Firing::disabled) return;
      ++enabled_rules;
      if (counts_exchanges_ && is_exchange(program_.rules[id])) ++exchanges;
      if (firing == Firing::failure) ++failures;
      if (firing == Firing::successor) {
        out.states.push_back(next_);
        out.rules.push_back(id);
      }
    };
    std::uint32_t rule_class = 0;
    for (std::size_t round = 0; round < program_.rounds.size(); ++round) {
      if (program_.rounds[round].waits_for_exchanges) {
        if (exchanges > 0) continue;
      } else if (program_.rounds[round].rule_class > rule_class && enabled_rules > 0) {
        break;
      }
      rule_class = program_.rounds[round].rule_class;
      for (ProcessId p = 0; p < program_.control.size(); ++p) {
        const auto& info =
            program_.at(p, static_cast<StateId>(read(program_.layout.control[p], state)));
        for (RuleId id = info.rules[round].first; id < info.rules[round].end; ++id) try_rule(id);
      }
    }
    for (std::size_t f = first_finding; f < findings.size(); ++f)
      findings[f].source = static_cast<std::uint32_t>(i);
    out.close_state(failures);
  }
}

}  // namespace panoptes
