// SPDX-License-Identifier: Apache-2.0
#include "backward/endless.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "backward/rule_conditions.hpp"

namespace panoptes {
namespace {

// What a step does to a number: nothing, or it grows, shrinks or becomes anything.
enum class Effect : std::uint8_t { grows, shrinks, anything };

struct Step {
  StateId from, to;
  std::map<std::uint64_t, Effect> effects;  // by number: variables, and lengths of channels
};

constexpr std::uint64_t first_channel = std::uint64_t{1} << 32;

// The effect of `variable = value`.
Effect effect_of(const Program& program, VariableId variable, ExpressionId value) {
  const Expressions& pool = program.protocol.expressions;
  const Slot& slot = program.layout.variables[variable];
  ExpressionNode node = pool[value];
  if (node.op == Op::wrap) {
    // Where what it can be is less than what it may be, it never goes round.
    if (slot.minimum <= node.value || slot.maximum >= node.high) return Effect::anything;
    node = pool[node.a];
  } else if (node.op == Op::bound) {
    node = pool[node.a];
  }
  if (node.op != Op::add && node.op != Op::subtract) return Effect::anything;
  if (pool[node.a].op != Op::variable || pool[node.a].a != variable || !pool.is_constant(node.b))
    return Effect::anything;
  const std::int64_t by = pool[node.b].value;
  if (by == 0) return Effect::anything;
  return (by > 0) == (node.op == Op::add) ? Effect::grows : Effect::shrinks;
}

Step step_of(const Program& program, const Rule& rule, const ProcessMove& move) {
  Step step{move.from, move.to, {}};
  for (const Assignment& a : rule.assignments)
    for (VariableId v = a.variable; v < a.variable + a.length; ++v) {
      const bool is_new = !step.effects.contains(v);
      step.effects[v] =
          is_new && a.index == none ? effect_of(program, v, a.value) : Effect::anything;
    }
  if (rule.channel == none || program.layout.channels[rule.channel].slots() == 0) return step;
  const std::uint64_t length = first_channel + rule.channel;
  if (rule.kind == ActionKind::send) step.effects[length] = Effect::grows;
  if (rule.kind == ActionKind::receive) step.effects[length] = Effect::shrinks;
  if (rule.kind == ActionKind::flush) step.effects[length] = Effect::anything;
  return step;
}

// Leaves those that may lie on a loop.
void leave_loops(std::vector<Step>& steps) {
  for (std::size_t before = 0; before != steps.size();) {
    before = steps.size();
    std::set<StateId> begun, ended;
    for (const Step& step : steps) {
      begun.insert(step.from);
      ended.insert(step.to);
    }
    std::erase_if(steps, [&](const Step& step) {
      return !ended.contains(step.from) || !begun.contains(step.to);
    });
  }
}

// Takes out what makes some number grow that no step makes shrink, or the other way round: on a
// loop that leads back to the same state there is none of it. Whether there was something.
bool take_out_one_way(std::vector<Step>& steps) {
  std::map<std::uint64_t, std::set<Effect>> effects;
  for (const Step& step : steps)
    for (const auto& [number, effect] : step.effects) effects[number].insert(effect);
  for (const auto& [number, found] : effects) {
    if (found.size() > 1 || found.contains(Effect::anything)) continue;
    const std::uint64_t grown = number;
    std::erase_if(steps, [&](const Step& step) { return step.effects.contains(grown); });
    return true;
  }
  return false;
}

}  // namespace

bool may_be_endless(const Program& program) {
  const std::vector<ProcessId> loners = loners_of(program);
  const auto is_handed_on = [&](const Rule& rule) {
    const ProcessId next = alone_after(rule), owner = rule.owner().process;
    return next != none && next != owner &&
           std::find(loners.begin(), loners.end(), owner) != loners.end();
  };
  // Round from one process to another there may be loops that no process has.
  if (std::any_of(program.rules.begin(), program.rules.end(), is_handed_on)) return true;
  for (const ProcessId process : loners) {
    std::vector<Step> steps;
    for (const Rule& rule : program.rules)
      for (const ProcessMove& move : rule.moves)
        if (move.process == process && alone_after(rule) == process)
          steps.push_back(step_of(program, rule, move));
    do {
      leave_loops(steps);
    } while (!steps.empty() && take_out_one_way(steps));
    if (!steps.empty()) return true;
  }
  return false;
}

}  // namespace panoptes
