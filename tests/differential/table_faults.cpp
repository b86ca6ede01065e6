// SPDX-License-Identifier: Apache-2.0
#include "differential/table_faults.hpp"

#include <algorithm>
#include <optional>

namespace panoptes::differential {
namespace {

bool others_stay(Program& program) {
  bool changed = false;
  for (Rule& rule : program.rules) {
    changed |= rule.moves.size() > 1;
    rule.moves.resize(1);
  }
  return changed;
}

bool others_move_from_anywhere(Program& program) {
  // As if where they are was not looked at: they move from where they are not.
  bool changed = false;
  for (Rule& rule : program.rules)
    for (std::size_t i = 1; i < rule.moves.size(); ++i) {
      rule.moves[i].from = rule.moves[i].from == 0 ? 1 : 0;
      changed = true;
    }
  return changed;
}

bool targets_are_off_by_one(Program& program) {
  Expressions& pool = program.protocol.expressions;
  bool changed = false;
  for (Rule& rule : program.rules)
    for (Assignment& a : rule.assignments)
      if (a.index != none) {
        a.index = pool.binary(Op::add, a.index, pool.constant(1));
        changed = true;
      }
  return changed;
}

bool first_assignment_counts(Program& program) {
  bool changed = false;
  for (Rule& rule : program.rules) {
    changed |= rule.assignments.size() > 1;
    std::reverse(rule.assignments.begin(), rule.assignments.end());
  }
  return changed;
}

bool messages_are_taken_from_the_head(Program& program) {
  bool changed = false;
  for (Rule& rule : program.rules) {
    changed |= rule.position > 0;
    rule.position = 0;
  }
  return changed;
}

// ---- faults of expressions -------------------------------------------------------------------

using Change = std::optional<ExpressionId> (*)(Expressions&, const ExpressionNode&);

ExpressionId rebuilt(Expressions& pool, ExpressionId id, Change change, bool& changed) {
  const ExpressionNode node = pool[id];
  if (const auto other = change(pool, node)) {
    changed |= *other != id;
    return *other;
  }
  if (is_leaf(node.op)) return id;
  const ExpressionId left = rebuilt(pool, node.a, change, changed);
  switch (node.op) {
    case Op::element: return pool.element(node.b, static_cast<std::uint32_t>(node.value), left);
    case Op::wrap: return pool.wrap(left, node.value, node.high);
    case Op::bound: return pool.bound(left, node.value, node.high);
    case Op::negate:
    case Op::logical_not: return pool.unary(node.op, left);
    default: return pool.binary(node.op, left, rebuilt(pool, node.b, change, changed));
  }
}

std::function<bool(Program&)> in_expressions(Change change) {
  return [change](Program& program) {
    bool changed = false;
    const auto rebuild = [&](ExpressionId& id) {
      if (id != none) id = rebuilt(program.protocol.expressions, id, change, changed);
    };
    for (Rule& rule : program.rules) {
      for (ExpressionId& id : rule.conditions) rebuild(id);
      for (ExpressionId& id : rule.values) rebuild(id);
      rebuild(rule.check);
      for (Assignment& a : rule.assignments) {
        rebuild(a.value);
        rebuild(a.index);
      }
    }
    return changed;
  };
}

std::optional<ExpressionId> first_element(Expressions& pool, const ExpressionNode& node) {
  if (node.op != Op::element) return {};
  return pool.variable(node.b);
}

std::optional<ExpressionId> shorter_array(Expressions& pool, const ExpressionNode& node) {
  if (node.op != Op::element || node.value < 2) return {};
  return pool.element(node.b, static_cast<std::uint32_t>(node.value - 1), node.a);
}

std::optional<ExpressionId> tag_of_the_head(Expressions& pool, const ExpressionNode& node) {
  if (node.op != Op::tag) return {};
  return pool.tag(node.a, 0);
}

std::optional<ExpressionId> field_of_the_head(Expressions& pool, const ExpressionNode& node) {
  if (node.op != Op::field) return {};
  return pool.field(node.a, node.b, node.c, 0);
}

// ---- the rest --------------------------------------------------------------------------------

bool values_lose_their_highest_bit(Program& program) {
  bool changed = false;
  for (Slot& slot : program.layout.variables)
    if (slot.bits == 32) {
      slot.bits = 31;
      changed = true;
    }
  return changed;
}

bool second_readers_are_blind(Program& program) {
  bool changed = false;
  for (Rule& rule : program.rules) {
    if (rule.kind != ActionKind::receive ||
        program.protocol.channels[rule.channel].readers.front() == rule.owner().process)
      continue;
    rule.conditions = {program.protocol.expressions.constant(0)};
    changed = true;
  }
  return changed;
}

bool third_class_is_the_second(Program& program) {
  bool changed = false;
  for (RuleRound& round : program.rounds)
    if (round.rule_class == 2) {
      round.rule_class = 1;
      changed = true;
    }
  return changed;
}

bool marks_are_lost(Program& program) {
  bool changed = false;
  for (Rule& rule : program.rules) {
    changed |= rule.ends_inside;
    rule.ends_inside = false;
  }
  return changed;
}

}  // namespace

std::vector<PlantedFault> all_table_faults() {
  return {
      {"only the first process of a rule moves", {}, others_stay},
      {"the others of a rule move from elsewhere", {}, others_move_from_anywhere},
      {"the element after the one meant is assigned to", {}, targets_are_off_by_one},
      {"of two assignments to an element the first counts", {}, first_assignment_counts},
      {"an element is always the first", {}, in_expressions(first_element)},
      {"an array is one too short", {}, in_expressions(shorter_array)},
      {"a message is taken from the head wherever it is", {}, messages_are_taken_from_the_head},
      {"tags are those of the head", {}, in_expressions(tag_of_the_head)},
      {"values are those of the head", {}, in_expressions(field_of_the_head)},
      {"a value of 32 bits loses the highest", {}, values_lose_their_highest_bit},
      {"only the first reader of a channel takes messages", {}, second_readers_are_blind},
      {"the third class of rules does not wait for the second", {}, third_class_is_the_second},
      {"what is indivisible is forgotten", {}, marks_are_lost},
  };
}

}  // namespace panoptes::differential
