// SPDX-License-Identifier: Apache-2.0
#include "rules/stuck.hpp"

#include <algorithm>

namespace panoptes {

void StuckPredicates::Deeds::add(ProcessId process) {
  if (by.empty() || by.back() != process) by.push_back(process);
}

bool StuckPredicates::Deeds::by_other_than(ProcessId process) const {
  return std::any_of(by.begin(), by.end(), [&](ProcessId other) { return other != process; });
}

StuckPredicates::StuckPredicates(Program& program)
    : program_(program),
      pool_(program.protocol.expressions),
      writes_(program.protocol.variables.size()),
      takes_(program.protocol.channels.size()),
      sends_(program.protocol.channels.size()) {
  for (const Channel& channel : program.protocol.channels)
    sends_tag_.emplace_back(channel.sort.size() + 1);
  for (ProcessId p = 0; p < program.protocol.processes.size(); ++p)
    for (const ControlState& state : program.protocol.processes[p].automaton.states)
      for (const Transition& t : state.transitions) {
        for (const Assignment& a : t.assignments)
          for (VariableId v = a.variable; v < a.variable + a.length; ++v) writes_[v].add(p);
        if (t.kind == ActionKind::receive || t.kind == ActionKind::receive_default ||
            t.kind == ActionKind::flush)
          takes_[t.channel].add(p);
        if (t.kind != ActionKind::send) continue;
        sends_[t.channel].add(p);
        const auto& sort = program.protocol.channels[t.channel].sort;
        for (std::size_t i = 0; i < sort.size(); ++i)
          if (sort[i].name == t.message && sort[i].values.size() == t.values.size())
            sends_tag_[t.channel][i + 1].add(p);
      }
  for (const Rule& rule : program.rules)
    for (std::size_t i = 1; i < rule.moves.size() && !rule.partner; ++i)
      moved_.emplace(rule.moves[i].process, rule.moves[i].from);
}

ExpressionId StuckPredicates::at(ProcessId process, StateId state, ChannelId refused) {
  const ControlInfo& info = program_.at(process, state);
  if (info.has_else || moved_.contains({process, state})) return pool_.constant(0);
  std::vector<ExpressionId> ways;
  for_each_rule(info, [&](RuleId id) {
    const Rule& rule = program_.rules[id];
    // A copy is received where the message is. A message is lost also where there is no room.
    if (rule.partner || rule.kind == ActionKind::copy) return;
    if (!is_refused(process, rule, refused)) ways.push_back(may_come(process, rule));
  });
  if (process < program_.protocol.processes.size())
    for (const Transition& t : program_.state(process, state).transitions)
      if (meets(t)) ways.push_back(may_meet(process, t));
  return negated(any_of(ways));
}

// What waits for another message, or none, in a channel whose first one nobody takes.
bool StuckPredicates::is_refused(ProcessId process, const Rule& rule, ChannelId channel) const {
  if (rule.channel != channel || takes_[channel].by_other_than(process)) return false;
  const bool is_first = rule.position == 0 || program_.protocol.channels[channel].is_reordering;
  return rule.kind == ActionKind::timeout ||
         (rule.kind == ActionKind::receive && is_first && rule.conditions.empty());
}

bool StuckPredicates::meets(const Transition& t) const {
  return t.channel != none && t.kind != ActionKind::timeout && t.kind != ActionKind::bad_index &&
         program_.protocol.channels[t.channel].is_rendezvous();
}

// Somebody may come to a rendezvous.
ExpressionId StuckPredicates::may_meet(ProcessId process, const Transition& t) {
  Rule met;
  met.kind = ActionKind::receive;
  met.channel = t.channel;
  met.position = t.position;
  met.conditions = t.conditions;
  return may_hold(process, met, false);
}

ExpressionId StuckPredicates::may_come(ProcessId process, const Rule& rule) {
  if (rule.moves.size() > 1) return pool_.constant(1);
  if (rule.kind == ActionKind::receive) return message_may_come(process, rule);
  const ExpressionId holds = may_hold(process, rule, false);
  if (rule.kind == ActionKind::timeout && !takes_[rule.channel].by_other_than(process))
    return both(pool_.ask(Op::empty, rule.channel), holds);
  if (program_.overflow == OverflowPolicy::error) return holds;
  ExpressionId all = rule.kind == ActionKind::send ? room_may_come(process, rule.channel, holds)
                                                   : holds;  // what is lost needs no room there
  for (const ChannelId channel : room_of(rule)) all = room_may_come(process, channel, all);
  return all;
}

std::vector<ChannelId> StuckPredicates::room_of(const Rule& rule) const {
  return rule.room == none ? std::vector<ChannelId>{} : program_.protocol.rooms[rule.room];
}

// `holds`, and room in a channel, which only another process makes.
ExpressionId StuckPredicates::room_may_come(ProcessId process, ChannelId channel,
                                            ExpressionId holds) {
  if (program_.protocol.channels[channel].is_sink || takes_[channel].by_other_than(process))
    return holds;
  return both(negated(pool_.ask(Op::full, channel)), holds);
}

// A message that is first stays so, unless another process takes it.
ExpressionId StuckPredicates::message_may_come(ProcessId process, const Rule& rule) {
  const bool is_reordering = program_.protocol.channels[rule.channel].is_reordering;
  if (takes_[rule.channel].by_other_than(process) || (rule.position > 0 && !is_reordering))
    return may_hold(process, rule, false);
  const bool can_be_sent = sends_tag_[rule.channel][rule.tag].by_other_than(process);
  const ExpressionId later = can_be_sent ? may_hold(process, rule, false) : pool_.constant(0);
  const ExpressionId is_there =
      pool_.binary(Op::equal, pool_.tag(rule.channel, rule.position), pool_.constant(rule.tag));
  // On a line that reorders, whatever is first, as long as there is room.
  const ExpressionId has_room = is_reordering ? negated(pool_.ask(Op::full, rule.channel))
                                              : pool_.ask(Op::empty, rule.channel);
  return any_of({both(is_there, may_hold(process, rule, true)), both(has_room, later)});
}

// That no condition is 0 for ever. One without a value is not 0: its rule fires, and fails.
ExpressionId StuckPredicates::may_hold(ProcessId process, const Rule& rule, bool has_message) {
  ExpressionId all = pool_.constant(1);
  for (auto id = rule.conditions.rbegin(); id != rule.conditions.rend(); ++id) {
    if (asks_for_room(*id, rule) || can_change(process, *id, rule) ||
        (!has_message && reads_message(*id, rule)))
      continue;
    // Behind one without a value, no other is looked at.
    all = pool_.can_fail(*id)
              ? both(negated(pool_.holds(negated(*id))), any_of({negated(pool_.holds(*id)), all}))
              : both(*id, all);
  }
  return all;
}

// Whether there will be some is for room_may_come() to say.
bool StuckPredicates::asks_for_room(ExpressionId id, const Rule& rule) const {
  const std::vector<ChannelId> room = room_of(rule);
  return std::any_of(room.begin(), room.end(), [&](ChannelId channel) {
    return pool_[id].op == Op::logical_not && pool_[pool_[id].a].op == Op::full &&
           pool_[pool_[id].a].a == channel;
  });
}

bool StuckPredicates::reads_message(ExpressionId id, const Rule& rule) const {
  bool reads = false;
  pool_.visit(id, [&](const ExpressionNode& node) {
    reads = reads || (node.op == Op::field && rule.kind == ActionKind::receive &&
                      node.a == rule.channel && node.value == rule.position);
  });
  return reads;
}

bool StuckPredicates::can_change(ProcessId process, ExpressionId id, const Rule& rule) const {
  bool can = false;
  pool_.visit(id, [&](const ExpressionNode& node) {
    switch (node.op) {
      case Op::variable: can = can || writes_[node.a].by_other_than(process); break;
      case Op::element:
        for (VariableId i = 0; i < node.value; ++i)
          can = can || writes_[node.b + i].by_other_than(process);
        break;
      case Op::field:
        if (rule.kind == ActionKind::receive && node.a == rule.channel &&
            node.value == rule.position)
          break;
        [[fallthrough]];
      case Op::tag:
      case Op::length:
      case Op::full:
      case Op::empty:
        can = can || takes_[node.a].by_other_than(process) || sends_[node.a].by_other_than(process);
        break;
      case Op::control: can = can || node.a != process; break;
      case Op::subset: can = true; break;
      default: break;
    }
  });
  return can;
}

// ---- truth, with constants left out -----------------------------------------------------------

ExpressionId StuckPredicates::negated(ExpressionId id) {
  return pool_[id].op == Op::logical_not ? pool_[id].a : pool_.unary(Op::logical_not, id);
}

ExpressionId StuckPredicates::both(ExpressionId left, ExpressionId right) {
  if (pool_.is_constant(left)) return pool_[left].value == 0 ? left : right;
  if (pool_.is_constant(right)) return pool_[right].value == 0 ? right : left;
  return pool_.binary(Op::logical_and, left, right);
}

ExpressionId StuckPredicates::any_of(const std::vector<ExpressionId>& parts) {
  std::vector<ExpressionId> none_of;
  for (const ExpressionId part : parts) {
    if (!pool_.is_constant(part))
      none_of.push_back(negated(part));
    else if (pool_[part].value != 0)
      return pool_.constant(1);
  }
  if (none_of.empty()) return pool_.constant(0);
  return negated(pool_.all_of(std::move(none_of)));
}

}  // namespace panoptes
