// SPDX-License-Identifier: Apache-2.0
#include "rules/alignment.hpp"

#include <algorithm>

namespace panoptes {

bool Alignment::number(Site site, std::int64_t one, std::int64_t other) {
  const std::uint32_t group = marked_.group_of(site);
  if (other == exchange_(group, one)) return true;
  if (site == none || group != none || other != exchange_(exchange_.group, one)) return false;
  differing_.insert(numbers_.kind(site));
  return true;
}

bool Alignment::process(ProcessId one, ProcessId other) {
  if (one == none || other == none) return one == other;
  return program_.families.process[one] == program_.families.process[other] &&
         number(numbers_.of_process(one), numbers_.number_of_process(one),
                numbers_.number_of_process(other));
}

bool Alignment::channel(ChannelId one, ChannelId other) {
  if (one == none || other == none) return one == other;
  return program_.families.channel[one] == program_.families.channel[other] &&
         number(numbers_.of_channel(one), numbers_.number_of_channel(one),
                numbers_.number_of_channel(other));
}

bool Alignment::assertion(std::uint32_t one, std::uint32_t other) {
  if (one == none || other == none) return one == other;
  return program_.families.assertion[one] == program_.families.assertion[other] &&
         number(numbers_.of_assertion(one), numbers_.number_of_assertion(one),
                numbers_.number_of_assertion(other));
}

bool Alignment::variable(VariableId one, VariableId other) {
  const std::uint32_t role = numbers_.role_of(one);
  return role == numbers_.role_of(other) &&
         process(program_.protocol.variables[one].process,
                 program_.protocol.variables[other].process) &&
         number(numbers_.role(role).index, numbers_.element_of(one), numbers_.element_of(other));
}

Alignment::Site Alignment::site_of(ExpressionId id) const {
  const ExpressionNode& node = program_.protocol.expressions[id];
  switch (node.op) {
    case Op::variable: return numbers_.role(numbers_.role_of(node.a)).value;
    case Op::element: return numbers_.role(numbers_.role_of(node.b)).value;
    case Op::field:
      return numbers_.of_field(node, at_hand_, [](Site) { return true; }).value_or(none);
    case Op::wrap:
    case Op::bound:
    case Op::require: return site_of(node.a);
    case Op::after: return site_of(node.b);
    default: return none;
  }
}

bool Alignment::expression(ExpressionId one, ExpressionId other, Site context) {
  if (one == none || other == none) return one == other;
  if (!known_.insert({one, other, context}).second) return true;
  const ExpressionNode& a = program_.protocol.expressions[one];
  const ExpressionNode& b = program_.protocol.expressions[other];
  if (a.op != b.op) return false;
  return is_leaf(a.op) ? leaves(a, b, context) : operands(a, b, context);
}

bool Alignment::leaves(const ExpressionNode& a, const ExpressionNode& b, Site context) {
  switch (a.op) {
    case Op::constant: return number(context, a.value, b.value);
    case Op::variable: return variable(a.a, b.a);
    case Op::control: return process(a.a, b.a);
    case Op::subset: return assertion(a.a, b.a);
    default:
      return channel(a.a, b.a) && a.b == b.b && a.value == b.value &&
             (a.op != Op::field || expression(a.c, b.c, context));
  }
}

bool Alignment::operands(const ExpressionNode& a, const ExpressionNode& b, Site context) {
  const Expressions& pool = program_.protocol.expressions;
  switch (a.op) {
    case Op::wrap:
    case Op::bound: return a.value == b.value && a.high == b.high && expression(a.a, b.a, context);
    case Op::require: return expression(a.a, b.a, context) && expression(a.b, b.b);
    case Op::after: return expression(a.a, b.a) && expression(a.b, b.b, context);
    case Op::element:
      return a.value == b.value && variable(a.b, b.b) &&
             expression(a.a, b.a, numbers_.role(numbers_.role_of(a.b)).index);
    case Op::member: return expression(a.a, b.a) && pool.set_of(a) == pool.set_of(b);
    case Op::equal:
    case Op::not_equal: {
      const Site left = site_of(a.a), right = site_of(a.b);
      const Site site = left != none ? left : right;
      return expression(a.a, b.a, site) && expression(a.b, b.b, site);
    }
    default: return expression(a.a, b.a) && expression(a.b, b.b);
  }
}

bool Alignment::expressions(const std::vector<ExpressionId>& one,
                            const std::vector<ExpressionId>& other) {
  return std::ranges::equal(one, other,
                            [&](ExpressionId a, ExpressionId b) { return expression(a, b); });
}

bool Alignment::assignments(const std::vector<Assignment>& one,
                            const std::vector<Assignment>& other) {
  return std::ranges::equal(one, other, [&](const Assignment& a, const Assignment& b) {
    const MemberNumbers::Role& role = numbers_.role(numbers_.role_of(a.variable));
    return variable(a.variable, b.variable) && a.length == b.length &&
           expression(a.value, b.value, role.value) && expression(a.index, b.index, role.index);
  });
}

bool Alignment::sends(const Rule& one, const Rule& other) {
  start(one);
  if (one.kind != other.kind || (one.tag == 0) != (other.tag == 0) ||
      one.values.size() != other.values.size() ||
      !process(one.owner().process, other.owner().process) || !channel(one.channel, other.channel))
    return false;
  for (std::uint32_t i = 0; i < one.values.size(); ++i)
    if (!expression(one.values[i], other.values[i],
                    one.tag > 0 ? numbers_.of_field(one.channel, one.tag, i) : none))
      return false;
  return true;
}

bool Alignment::rules(const Rule& one, const Rule& other) {
  if (!sends(one, other) || one.position != other.position || one.is_else != other.is_else ||
      one.moves.size() != other.moves.size() ||
      one.assertion_moves.size() != other.assertion_moves.size())
    return false;
  for (std::size_t i = 0; i < one.moves.size(); ++i)
    if (one.moves[i].from != other.moves[i].from || one.moves[i].to != other.moves[i].to ||
        !process(one.moves[i].process, other.moves[i].process))
      return false;
  for (std::size_t i = 0; i < one.assertion_moves.size(); ++i)
    if (!assertion(one.assertion_moves[i].assertion, other.assertion_moves[i].assertion))
      return false;
  return expressions(one.conditions, other.conditions) &&
         assignments(one.assignments, other.assignments) && expression(one.check, other.check);
}

bool Alignment::rows(const StateError& one, const StateError& other) {
  start(Rule{});
  if (one.kind != other.kind || one.idle != other.idle || one.policies != other.policies ||
      !process(one.process, other.process) || !channel(one.channel, other.channel))
    return false;
  if (one.kind == ErrorKind::invariant || one.kind == ErrorKind::reached) {
    const auto& families = program_.families.invariant;
    if (families[one.assertion] != families[other.assertion] ||
        !number(numbers_.of_invariant(one.assertion), numbers_.number_of_invariant(one.assertion),
                numbers_.number_of_invariant(other.assertion)))
      return false;
  } else if (!assertion(one.assertion, other.assertion)) {
    return false;
  }
  return expression(one.predicate, other.predicate);
}

bool Alignment::values(VariableId one, VariableId other, std::int64_t value,
                       std::int64_t other_value) {
  start(Rule{});
  return variable(one, other) &&
         number(numbers_.role(numbers_.role_of(one)).value, value, other_value);
}

}  // namespace panoptes
