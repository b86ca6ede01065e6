// SPDX-License-Identifier: Apache-2.0
#include "rules/broadcasts.hpp"

#include <algorithm>
#include <optional>
#include <set>

namespace panoptes {
namespace {

bool is_send(const Rule& rule) {
  return (rule.kind == ActionKind::send || rule.kind == ActionKind::lose) &&
         rule.moves.size() == 1 && rule.assertion_moves.empty() && !rule.statements.empty();
}

bool asks_channels(const Expressions& pool, ExpressionId id) {
  bool asks = false;
  pool.visit(id, [&](const ExpressionNode& node) {
    asks = asks || (is_leaf(node.op) && node.op != Op::constant && node.op != Op::variable);
  });
  return asks;
}

// Rules of the control state that are of the statement of `rule`.
std::vector<RuleId> siblings(const Program& program, RuleId rule) {
  std::vector<RuleId> result;
  const ProcessMove& move = program.rules[rule].owner();
  for_each_rule(program.at(move.process, move.from), [&](RuleId id) {
    if (program.rules[id].statements == program.rules[rule].statements) result.push_back(id);
  });
  return result;
}

// One send of the chain: one rule, or one that sends and one that loses.
bool is_one_send(const Program& program, const std::vector<RuleId>& rules) {
  if (rules.empty() || rules.size() > 2) return false;
  const Rule& first = program.rules[rules.front()];
  return std::ranges::all_of(rules, [&](RuleId id) {
    const Rule& rule = program.rules[id];
    return is_send(rule) && rule.channel == first.channel && rule.owner().to == first.owner().to &&
           rule.ends_inside == first.ends_inside && rule.values == first.values &&
           rule.assignments == first.assignments;
  });
}

bool is_lossy(const Program& program, const std::vector<RuleId>& rules) {
  return std::ranges::any_of(rules,
                             [&](RuleId id) { return program.rules[id].kind == ActionKind::lose; });
}

// What its first rules ask for, without the room they ask for; nothing where those differ.
std::optional<std::vector<ExpressionId>> conditions_of(const Program& program,
                                                       const std::vector<RuleId>& rules) {
  const Expressions& pool = program.protocol.expressions;
  std::optional<std::vector<ExpressionId>> result;
  for (const RuleId id : rules) {
    const Rule& rule = program.rules[id];
    std::vector<ExpressionId> conditions = rule.conditions;
    if (rule.room != none)
      for (const ChannelId channel : program.protocol.rooms[rule.room])
        std::erase_if(conditions, [&](ExpressionId condition) {
          const ExpressionNode& node = pool[condition];
          return node.op == Op::logical_not && pool[node.a].op == Op::full &&
                 pool[node.a].a == channel;
        });
    if (result && *result != conditions) return {};
    result = conditions;
  }
  return result;
}

// Whether the order of the sends makes no difference.
bool is_free_of_order(const Program& program, const Broadcast& cast) {
  const Expressions& pool = program.protocol.expressions;
  const Rule& first = program.rules[cast.first()];
  std::set<ChannelId> others, room;
  if (first.room != none)
    room.insert(program.protocol.rooms[first.room].begin(),
                program.protocol.rooms[first.room].end());
  std::set<ChannelId> channels;
  for (std::size_t i = 0; i < cast.sends.size(); ++i) {
    const Rule& rule = program.rules[cast.sends[i].front()];
    if (!channels.insert(rule.channel).second) return false;
    const bool is_sink = program.protocol.channels[rule.channel].is_sink;
    if (i > 0 && !is_sink && !is_lossy(program, cast.sends[i])) others.insert(rule.channel);
    if (i > 0 && !rule.conditions.empty()) return false;
    for (const RuleId id : cast.sends[i])
      if (!program.errors.checks_of(id).empty()) return false;
    if (i + 1 < cast.sends.size() && !rule.assignments.empty()) return false;
    for (const ExpressionId value : rule.values)
      if (asks_channels(pool, value) || pool.can_fail(value)) return false;
    for (const Assignment& a : rule.assignments)
      if (asks_channels(pool, a.value) || a.index != none || pool.can_fail(a.value)) return false;
  }
  return others == room;
}

}  // namespace

Broadcasts::Broadcasts(const Program& program) : is_part_(program.rules.size()) {
  entries_.resize(program.control.size());
  for (ProcessId p = 0; p < program.control.size(); ++p)
    entries_[p].resize(program.control[p].size());
  for (RuleId id = 0; id < program.rules.size(); ++id)
    for (const ProcessMove& move : program.rules[id].moves)
      entries_[move.process][move.to].push_back(id);
  for (ProcessId p = 0; p < program.control.size(); ++p)
    entries_[p][program.protocol.processes[p].automaton.initial].push_back(none);
  for (RuleId id = 0; id < program.rules.size(); ++id)
    if (!is_part_[id]) find_from(program, id);
}

void Broadcasts::find_from(const Program& program, RuleId rule) {
  const Rule& first = program.rules[rule];
  if (!is_send(first) || !first.ends_inside ||
      !program.protocol.statements[first.statements.front()].is_broadcast)
    return;
  // Nor where it begins between two of its sends.
  const auto& entries = entries_[first.owner().process][first.owner().from];
  if (std::ranges::any_of(entries, [&](RuleId id) {
        return id != none && program.rules[id].ends_inside &&
               program.rules[id].statements == first.statements;
      }))
    return;
  Broadcast cast;
  for (std::vector<RuleId> rules = siblings(program, rule); is_one_send(program, rules);) {
    cast.sends.push_back(rules);
    const ProcessMove& move = program.rules[rules.front()].owner();
    if (!program.rules[rules.front()].ends_inside ||
        entries_[move.process][move.to].size() != rules.size() ||
        cast.sends.size() > program.protocol.channels.size())
      break;
    std::vector<RuleId> next;
    bool is_only = true;
    for_each_rule(program.at(move.process, move.to), [&](RuleId id) {
      next.push_back(id);
      is_only = is_only && program.rules[id].statements == first.statements;
    });
    if (!is_only) break;
    rules = std::move(next);
  }
  const auto conditions = cast.sends.empty() ? std::nullopt : conditions_of(program, cast.sends[0]);
  if (cast.sends.size() < 2 || !conditions) return;
  cast.conditions = *conditions;
  if (program.overflow == OverflowPolicy::error || !is_free_of_order(program, cast)) return;
  for (const auto& rules : cast.sends)
    for (const RuleId id : rules) is_part_[id] = true;
  all_.push_back(std::move(cast));
}

}  // namespace panoptes
