// SPDX-License-Identifier: Apache-2.0
#include "backward/endless.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

namespace panoptes {
namespace {

// What a step does to a number: nothing, or it grows, shrinks or becomes anything.
enum class Effect : std::uint8_t { grows, shrinks, anything };

struct LoneStep {
  RuleId rule;
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

LoneStep step_of(const Program& program, RuleId id, const ProcessMove& move) {
  const Rule& rule = program.rules[id];
  LoneStep step{id, move.from, move.to, {}};
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
void leave_loops(std::vector<LoneStep>& steps) {
  for (std::size_t before = 0; before != steps.size();) {
    before = steps.size();
    std::set<StateId> begun, ended;
    for (const LoneStep& step : steps) {
      begun.insert(step.from);
      ended.insert(step.to);
    }
    std::erase_if(steps, [&](const LoneStep& step) {
      return !ended.contains(step.from) || !begun.contains(step.to);
    });
  }
}

// Takes out what makes some number grow that no step makes shrink, or the other way round: on a
// loop that leads back to the same state there is none of it. Whether there was something.
bool take_out_one_way(std::vector<LoneStep>& steps) {
  std::map<std::uint64_t, std::set<Effect>> effects;
  for (const LoneStep& step : steps)
    for (const auto& [number, effect] : step.effects) effects[number].insert(effect);
  for (const auto& [number, found] : effects) {
    if (found.size() > 1 || found.contains(Effect::anything)) continue;
    const std::uint64_t grown = number;
    std::erase_if(steps, [&](const LoneStep& step) { return step.effects.contains(grown); });
    return true;
  }
  return false;
}

// Whether a process that moves alone may, by its form, go on for ever by these rules; those that it
// may take again and again are left.
std::vector<RuleId> on_loops(const Program& program, ProcessId process) {
  std::vector<LoneStep> steps;
  for (RuleId id = 0; id < program.rules.size(); ++id)
    for (const ProcessMove& move : program.rules[id].moves)
      if (move.process == process && alone_after(program.rules[id]) == process)
        steps.push_back(step_of(program, id, move));
  do {
    leave_loops(steps);
  } while (!steps.empty() && take_out_one_way(steps));
  std::vector<RuleId> rules;
  for (const LoneStep& step : steps) rules.push_back(step.rule);
  return rules;
}

// The rules that can be taken for ever by whoever moves alone, as far as their form tells.
std::vector<RuleId> rules_without_end(const Program& program,
                                      const std::vector<ProcessId>& loners) {
  std::vector<RuleId> rules, inside;
  bool is_handed_on = false;
  for (RuleId id = 0; id < program.rules.size(); ++id) {
    const ProcessId next = alone_after(program.rules[id]);
    if (next == none) continue;
    inside.push_back(id);
    const ProcessId owner = program.rules[id].owner().process;
    is_handed_on = is_handed_on || (next != owner &&
                                    std::find(loners.begin(), loners.end(), owner) != loners.end());
  }
  // Round from one process to another there may be loops that no process has.
  if (is_handed_on) return inside;
  for (const ProcessId process : loners)
    for (const RuleId rule : on_loops(program, process)) rules.push_back(rule);
  return rules;
}

// Whether some state may be at the beginning of any number of steps by these rules, each of one
// who moves alone. Backwards: from where one step can be taken, from where two, and so on, until
// there is nothing left, or what is left stays the same.
bool may_be_taken_for_ever(ReversedProgram& reversed, const PossibleTogether& together,
                           const std::vector<RuleId>& rules, const BackwardLimits& limits) {
  constexpr std::size_t most_claims = 2'000;
  constexpr std::uint64_t work = 20'000;  // for each of them and each rule
  ClaimSpace& space = reversed.space;
  Claim alone = space.everything();
  const ValueSet anybody = space.number(alone, space.alone()) - ValueSet::only(0);
  space.put(alone, space.alone(), anybody);
  std::vector<Claim> last{alone};
  for (std::size_t met = 0; !last.empty(); met += last.size()) {
    if (met > most_claims || limits.deadline.has_passed()) return true;
    std::vector<Claim> before;
    for (const RuleId rule : rules)
      for (const Claim& claim : last) {
        reversed.solver.allow(work, {});
        for (Claim& one : reversed.predecessors.before(claim, rule)) {
          space.put(one, space.alone(), space.number(one, space.alone()) & anybody);
          if (space.number(one, space.alone()).is_empty() || !together.allows(one)) continue;
          before.push_back(std::move(one));
        }
      }
    leave_out_inner(space, before);
    if (before == last) return true;
    last = std::move(before);
  }
  return false;
}

}  // namespace

bool may_be_endless(ReversedProgram& reversed, const PossibleTogether& together,
                    const BackwardLimits& limits) {
  const std::vector<RuleId> rules =
      rules_without_end(reversed.program, reversed.predecessors.loners());
  try {
    return !rules.empty() && may_be_taken_for_ever(reversed, together, rules, limits);
  } catch (const TooMuchWork&) {
    return true;
  }
}

}  // namespace panoptes
