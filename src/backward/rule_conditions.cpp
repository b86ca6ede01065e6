// SPDX-License-Identifier: Apache-2.0
#include "backward/rule_conditions.hpp"

#include <algorithm>
#include <utility>

namespace panoptes {

RuleConditions::RuleConditions(Program& program)
    : program_(program), pool_(program.protocol.expressions) {
  rules_.reserve(program.rules.size());
  for (RuleId rule = 0; rule < program.rules.size(); ++rule) rules_.push_back(conditions_of(rule));
}

RuleConditions::Conditions RuleConditions::conditions_of(RuleId id) {
  const Rule& rule = program_.rules[id];
  const bool waits_for_room = rule.kind == ActionKind::send &&
                              program_.overflow == OverflowPolicy::wait &&
                              !program_.layout.channels[rule.channel].pieces.empty();
  const ExpressionId room =
      waits_for_room ? negated(pool_.ask(Op::full, rule.channel)) : pool_.constant(1);
  const ExpressionId is_tried = this->is_tried(rule);

  std::vector<ExpressionId> fires{is_tried};
  for (const ExpressionId condition : rule.conditions) fires.push_back(pool_.holds(condition));
  fires.push_back(room);

  // Checks of no assertion come first, one after the other; then every value is computed; then
  // those of assertions, each for itself.
  Conditions found{all({is_tried, may_fire(rule, room)}), none, {}};
  std::vector<ExpressionId> so_far = fires, assertions;
  const auto checks = program_.errors.checks_of(id);
  for (const StepCheck& check : checks) {
    if (check.assertion != none) continue;
    so_far.push_back(pool_.has_value(check.holds));
    so_far.push_back(negated(pool_.holds(check.holds)));
    found.failures.push_back({&check, all(so_far)});
    so_far.pop_back();
    so_far.back() = pool_.holds(check.holds);
  }
  so_far.push_back(has_values(rule));
  const ExpressionId has_passed = all(so_far);
  for (const StepCheck& check : checks) {
    if (check.assertion == none) continue;
    found.failures.push_back({&check, all({has_passed, negated(pool_.holds(check.holds))})});
    assertions.push_back(pool_.holds(check.holds));
  }
  assertions.insert(assertions.begin(), has_passed);
  found.succeeds = all(assertions);
  // Whatever else keeps it from having a successor.
  std::vector<ExpressionId> others{found.enabled, negated(found.succeeds)};
  for (const Failure& failure : found.failures) others.push_back(negated(failure.condition));
  const bool can_fail = found.enabled != found.succeeds;
  found.failures.push_back({nullptr, can_fail ? all(others) : pool_.constant(0)});
  return found;
}

// What is asked before its conditions.
ExpressionId RuleConditions::is_tried(const Rule& rule) {
  std::vector<ExpressionId> parts;
  for (const ProcessMove& move : rule.moves)
    parts.push_back(
        pool_.binary(Op::equal, pool_.ask(Op::control, move.process), pool_.constant(move.from)));
  if (rule.kind == ActionKind::timeout) parts.push_back(pool_.ask(Op::empty, rule.channel));
  if (rule.kind == ActionKind::receive)
    parts.push_back(
        pool_.binary(Op::equal, pool_.tag(rule.channel, rule.position), pool_.constant(rule.tag)));
  return all(parts);
}

// Its conditions hold, and there is room; or one has no value, and those before it hold.
ExpressionId RuleConditions::may_fire(const Rule& rule, ExpressionId room) {
  ExpressionId rest = room;
  for (auto id = rule.conditions.rbegin(); id != rule.conditions.rend(); ++id) {
    rest = all({pool_.holds(*id), rest});
    if (pool_.can_fail(*id)) rest = negated(all({pool_.has_value(*id), negated(rest)}));
  }
  return rest;
}

// What is sent and assigned has values, and every index is one.
ExpressionId RuleConditions::has_values(const Rule& rule) {
  std::vector<ExpressionId> parts;
  const auto add = [&](ExpressionId id) {
    if (pool_.can_fail(id)) parts.push_back(pool_.has_value(id));
  };
  if (rule.kind == ActionKind::send)
    for (const ExpressionId value : rule.values) add(value);
  for (const Assignment& a : rule.assignments) {
    add(a.value);
    if (a.index == none) continue;
    parts.push_back(pool_.holds(pool_.binary(Op::less_equal, pool_.constant(0), a.index)));
    parts.push_back(pool_.holds(pool_.binary(Op::less, a.index, pool_.constant(a.length))));
  }
  return all(parts);
}

ExpressionId RuleConditions::all(const std::vector<ExpressionId>& parts) {
  std::vector<ExpressionId> others;
  for (const ExpressionId part : parts) {
    if (!pool_.is_constant(part))
      others.push_back(part);
    else if (pool_[part].value == 0)
      return pool_.constant(0);
  }
  return pool_.all_of(std::move(others));
}

ExpressionId RuleConditions::negated(ExpressionId id) {
  if (pool_.is_constant(id)) return pool_.constant(pool_[id].value == 0 ? 1 : 0);
  return pool_[id].op == Op::logical_not ? pool_[id].a : pool_.unary(Op::logical_not, id);
}

std::vector<ProcessId> loners_of(const Program& program) {
  std::vector<ProcessId> loners;
  for (const Rule& rule : program.rules) {
    const ProcessId alone = alone_after(rule);
    if (alone != none && std::find(loners.begin(), loners.end(), alone) == loners.end())
      loners.push_back(alone);
  }
  return loners;
}

bool waits_for(const Program& program, RuleId rule, RuleId other) {
  const RuleRound& round = program.round_of(rule);
  return round.rule_class > program.class_of(other) &&
         (!round.waits_for_exchanges || is_exchange(program.rules[other]));
}

}  // namespace panoptes
