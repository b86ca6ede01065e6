// SPDX-License-Identifier: Apache-2.0
#include "differential/faults.hpp"

#include <algorithm>
#include <bit>
#include <iterator>
#include <optional>
#include <set>
#include <utility>

#include "rules/make_error_table.hpp"

namespace panoptes::differential {
namespace {

// ---- faults of rules -------------------------------------------------------------------------

// Calls `change` for every rule; true if any call was.
std::function<bool(Program&)> in_rules(std::function<bool(Program&, Rule&)> change) {
  return [change](Program& program) {
    bool changed = false;
    for (Rule& rule : program.rules) changed |= change(program, rule);
    make_error_table(program);
    return changed;
  };
}

bool timeouts_too_early(Program& program) {
  bool changed = false;
  for (RuleRound& round : program.rounds) {
    changed |= round.rule_class > 0 && round.first < round.end;
    round.rule_class = 0;
  }
  return changed;
}

// A timeout that waits for sends and receives waits for internal steps as well.
bool internal_steps_are_traffic(Program& program) {
  bool changed = false;
  for (RuleRound& round : program.rounds) {
    changed |= round.waits_for_exchanges && round.first < round.end;
    round.waits_for_exchanges = false;
  }
  return changed;
}

bool timeouts_always(Program&, Rule& rule) {
  if (rule.kind != ActionKind::timeout) return false;
  rule.kind = ActionKind::internal;
  rule.channel = none;
  return true;
}

bool received_values_lost(Program&, Rule& rule) {
  if (rule.kind != ActionKind::receive || rule.assignments.empty()) return false;
  rule.assignments.clear();
  return true;
}

bool checks_forgotten(Program&, Rule& rule) {
  if (rule.kind != ActionKind::check) return false;
  rule.kind = ActionKind::internal;
  rule.check = none;
  return true;
}

bool never_enabled(Program& program, Rule& rule) {
  rule.conditions = {program.protocol.expressions.constant(0)};
  return true;
}

bool lines_lose_nothing(Program& program, Rule& rule) {
  return rule.kind == ActionKind::lose && never_enabled(program, rule);
}

bool copies_are_taken(Program&, Rule& rule) {
  if (rule.kind != ActionKind::copy) return false;
  rule.kind = ActionKind::receive;
  return true;
}

bool nothing_overtakes(Program& program, Rule& rule) {
  return rule.position > 0 && never_enabled(program, rule);
}

bool flush_takes_nothing(Program&, Rule& rule) {
  if (rule.kind != ActionKind::flush) return false;
  rule.kind = ActionKind::internal;
  rule.channel = none;
  return true;
}

// A reception is judged by the first message, though any may be taken.
bool only_heads_are_judged(Program& program) {
  bool changed = false;
  for (Channel& channel : program.protocol.channels)
    changed |= std::exchange(channel.is_reordering, false);
  make_error_table(program);
  return changed;
}

bool assertions_blind_to_receives(Program&, Rule& rule) {
  if (rule.kind != ActionKind::receive || rule.assertion_moves.empty()) return false;
  rule.assertion_moves.clear();
  return true;
}

bool partner_stays(Program&, Rule& rule) {
  if (!rule.partner) return false;
  rule.moves.resize(1);
  rule.ends_inside = false;
  rule.partner.reset();
  return true;
}

// Values of the receiver are those that it has.
bool values_lost_between(Program& program, Rule& rule) {
  if (!rule.partner || rule.values.empty()) return false;
  const std::size_t before = rule.assignments.size();
  std::erase_if(rule.assignments, [&](const Assignment& a) {
    return program.protocol.variables[a.variable].process == rule.moves[1].process;
  });
  return rule.assignments.size() < before;
}

bool sender_stays_alone(Program&, Rule& rule) {
  if (!rule.partner || !rule.ends_inside) return false;
  rule.ends_inside = false;
  return true;
}

bool indivisible_forgotten(Program&, Rule& rule) { return std::exchange(rule.ends_inside, false); }

// Rules that end where an indivisible sequence has just been left are taken to be inside of it.
bool left_too_late(Program& program) {
  bool changed = false;
  for (const Rule& last : std::vector<Rule>(program.rules)) {
    const auto leads_to = [&](const Rule& rule) {
      return rule.ends_inside && rule.owner().process == last.owner().process &&
             rule.owner().to == last.owner().from;
    };
    if (last.ends_inside || std::none_of(program.rules.begin(), program.rules.end(), leads_to))
      continue;
    for (Rule& rule : program.rules)
      if (rule.statements == last.statements && !rule.ends_inside)
        changed = rule.ends_inside = true;
  }
  return changed;
}

// The first step into an indivisible sequence is not part of it.
bool begun_too_late(Program& program) {
  std::set<std::pair<ProcessId, StateId>> inside;
  for (const Rule& rule : program.rules)
    if (rule.ends_inside) inside.insert({rule.owner().process, rule.owner().to});
  bool changed = false;
  for (Rule& rule : program.rules)
    if (rule.ends_inside && inside.count({rule.owner().process, rule.owner().from}) == 0) {
      rule.ends_inside = false;
      changed = true;
    }
  return changed;
}

// A broadcast looks for room where its first message goes, and nowhere else.
bool room_for_the_first_only(Program& program, Rule& rule) {
  if (rule.room == none) return false;
  const Expressions& pool = program.protocol.expressions;
  const std::vector<ChannelId>& room = program.protocol.rooms[rule.room];
  return std::erase_if(rule.conditions, [&](ExpressionId id) {
           const ExpressionNode& node = pool[id];
           return node.op == Op::logical_not && pool[node.a].op == Op::full &&
                  std::count(room.begin(), room.end(), pool[node.a].a) > 0;
         }) > 0;
}

// What a broadcast sends to others than the first member does not arrive.
bool only_the_first_gets_it(Program& program) {
  std::set<std::vector<StatementId>> broadcasts;
  for (const Rule& rule : program.rules)
    if (rule.room != none) broadcasts.insert(rule.statements);
  bool changed = false;
  for (Rule& rule : program.rules) {
    if (rule.kind != ActionKind::send || rule.room != none ||
        broadcasts.count(rule.statements) == 0)
      continue;
    rule.kind = ActionKind::lose;
    changed = true;
  }
  make_error_table(program);
  return changed;
}

// A declared range is taken to be one smaller when a value wraps around.
bool wraps_one_too_early(Program& program, Rule& rule) {
  Expressions& pool = program.protocol.expressions;
  bool changed = false;
  for (Assignment& a : rule.assignments) {
    const ExpressionNode node = pool[a.value];
    if (node.op != Op::wrap || node.high == node.value) continue;
    a.value = pool.wrap(node.a, node.value, node.high - 1);
    changed = true;
  }
  return changed;
}

// Several assignments of one step are made one after the other, as if each were a step.
bool assigned_in_turn(Program& program, Rule& rule) {
  Expressions& pool = program.protocol.expressions;
  bool changed = false;
  for (std::size_t i = 1; i < rule.assignments.size(); ++i) {
    const ExpressionId value = pool.substitute(
        rule.assignments[i].value, [&](const ExpressionNode& leaf) -> std::optional<ExpressionId> {
          for (std::size_t earlier = 0; earlier < i; ++earlier)
            if (leaf.op == Op::variable && leaf.a == rule.assignments[earlier].variable)
              return rule.assignments[earlier].value;
          return std::nullopt;
        });
    changed |= value != std::exchange(rule.assignments[i].value, value);
  }
  return changed;
}

// An `else` does not look at something.
std::function<bool(Program&, Rule&)> else_blind_to(Op question) {
  return [question](Program& program, Rule& rule) {
    return rule.is_else &&
           std::erase_if(rule.conditions, [&](ExpressionId id) {
             bool asks = false;
             program.protocol.expressions.visit(
                 id, [&](const ExpressionNode& node) { asks = asks || node.op == question; });
             return asks;
           }) > 0;
  };
}

// What does not fit into a declared range is taken modulo its size, as where it `wraps`.
bool promises_forgotten(Program& program, Rule& rule) {
  Expressions& pool = program.protocol.expressions;
  bool changed = false;
  for (Assignment& a : rule.assignments) {
    const ExpressionNode node = pool[a.value];
    if (node.op != Op::bound) continue;
    a.value = pool.wrap(node.a, node.value, node.high);
    changed = true;
  }
  return changed;
}

// A value goes to the element behind the one that is meant.
bool assigns_next_element(Program& program, Rule& rule) {
  Expressions& pool = program.protocol.expressions;
  bool changed = false;
  for (Assignment& a : rule.assignments) {
    if (a.index == none || a.length < 2) continue;
    a.index = pool.binary(Op::remainder, pool.binary(Op::add, a.index, pool.constant(1)),
                          pool.constant(a.length));
    changed = true;
  }
  return changed;
}

// The last element is beyond the end for who assigns to it.
bool array_one_too_short(Program&, Rule& rule) {
  bool changed = false;
  for (Assignment& a : rule.assignments) {
    if (a.index == none || a.length < 2) continue;
    --a.length;
    changed = true;
  }
  return changed;
}

// A value behind the third of a message goes nowhere.
bool fourth_value_lost(Program& program, Rule& rule) {
  const Expressions& pool = program.protocol.expressions;
  return rule.kind == ActionKind::receive &&
         std::erase_if(rule.assignments, [&](const Assignment& assignment) {
           bool is_far = false;
           pool.visit(assignment.value, [&](const ExpressionNode& node) {
             is_far |= node.op == Op::field && node.b >= 3;
           });
           return is_far;
         }) > 0;
}

// A variable of a procedure is not what it was when the procedure was called before.
bool locals_kept(Program& program, Rule& rule) {
  const Protocol& protocol = program.protocol;
  return std::erase_if(rule.assignments, [&](const Assignment& assignment) {
           const Variable& variable = protocol.variables[assignment.variable];
           return variable.name.find(".l") != std::string::npos &&
                  protocol.expressions.is_constant(assignment.value) &&
                  protocol.expressions[assignment.value].value == variable.initial;
         }) > 0;
}

// The last of several options of a control state is never taken.
bool last_option_lost(Program& program) {
  bool changed = false;
  for (const auto& states : program.control)
    for (const ControlInfo& info : states) {
      if (info.rules[0].end - info.rules[0].first < 2) continue;
      program.rules[info.rules[0].end - 1].conditions = {program.protocol.expressions.constant(0)};
      changed = true;
    }
  return changed;
}

// ---- faults of the layout --------------------------------------------------------------------

bool full_one_slot_early(Program& program) {
  bool changed = false;
  for (ChannelLayout& channel : program.layout.channels)
    if (channel.last_slot > 0) {
      --channel.last_slot;
      changed = true;
    }
  return changed;
}

bool shift_loses_the_carry(Program& program) {
  bool changed = false;
  for (ChannelLayout& channel : program.layout.channels)
    if (channel.pieces.size() > 1)
      for (ChannelPiece& piece : channel.pieces) {
        piece.carry_mask = 0;
        changed = true;
      }
  return changed;
}

bool range_one_too_small(Program& program) {
  bool changed = false;
  for (Slot& slot : program.layout.variables)
    if (slot.maximum > slot.minimum) {
      --slot.maximum;
      slot.bits = static_cast<std::uint32_t>(
          std::bit_width(static_cast<std::uint64_t>(slot.maximum - slot.minimum)));
      changed = true;
    }
  return changed;
}

// ---- faults of control states ----------------------------------------------------------------

std::function<bool(Program&)> in_control(std::function<bool(ControlInfo&)> change) {
  return [change](Program& program) {
    bool changed = false;
    for (auto& states : program.control)
      for (ControlInfo& info : states) changed |= change(info);
    make_error_table(program);
    return changed;
  };
}

bool end_labels_forgotten(ControlInfo& info) {
  const bool changed = info.may_stop && !info.is_end;
  info.may_stop = info.is_end;
  return changed;
}

// A process that can do more than receive is never stuck on a message.
bool only_receivers_get_stuck(Program& program) {
  bool changed = false;
  for (StateError& row : program.errors.states)
    if (row.kind == ErrorKind::unspecified_reception && row.idle == Idle::process)
      changed |= std::erase_if(row.at, [&](const auto& at) {
                   return !program.at(row.process, at.first).receives_only;
                 }) > 0;
  return changed;
}

// What others could still send or take is not thought of.
bool nothing_comes_from_others(Program& program) {
  std::vector<StateError> added;
  std::erase_if(program.errors.states, [](const StateError& row) {
    return row.kind == ErrorKind::unspecified_reception && row.idle == Idle::process;
  });
  for (const StateError& row : program.errors.states) {
    if (row.kind != ErrorKind::unspecified_reception || row.idle != Idle::nobody ||
        !row.counts_under(ReceptionPolicy::reading))
      continue;
    StateError wrong = row;
    wrong.idle = Idle::process;
    wrong.policies = 1u << static_cast<unsigned>(ReceptionPolicy::blocked);
    added.push_back(std::move(wrong));
  }
  const bool changed = !added.empty();
  program.errors.states.insert(program.errors.states.begin(),
                               std::make_move_iterator(added.begin()),
                               std::make_move_iterator(added.end()));
  return changed;
}

bool everything_accepted(ControlInfo& info) {
  for (Reception& reception : info.receptions)
    std::fill(reception.accepts.begin(), reception.accepts.end(), true);
  return !info.receptions.empty();
}

// ---- faults of the table of errors -----------------------------------------------------------

std::function<bool(Program&)> without_rows(ErrorKind kind) {
  return [kind](Program& program) {
    return std::erase_if(program.errors.states,
                         [kind](const StateError& row) { return row.kind == kind; }) > 0;
  };
}

// Nobody looks at where processes are: an invariant takes them for being where they began.
bool invariants_forget_places(Program& program) {
  Protocol& protocol = program.protocol;
  bool changed = false;
  for (StateError& row : program.errors.states) {
    if (row.kind != ErrorKind::invariant) continue;
    const ExpressionId before = row.predicate;
    row.predicate = protocol.expressions.substitute(
        before, [&](const ExpressionNode& node) -> std::optional<ExpressionId> {
          if (node.op != Op::control) return {};
          return protocol.expressions.constant(protocol.processes[node.a].automaton.initial);
        });
    changed |= row.predicate != before;
  }
  return changed;
}

// `head(c) == m` asks for the second message.
bool heads_are_second(Program& program) {
  Protocol& protocol = program.protocol;
  bool changed = false;
  for (StateError& row : program.errors.states) {
    if (row.kind != ErrorKind::invariant) continue;
    const ExpressionId before = row.predicate;
    row.predicate = protocol.expressions.substitute(
        before, [&](const ExpressionNode& node) -> std::optional<ExpressionId> {
          if (node.op != Op::tag) return {};
          return protocol.expressions.tag(node.a, 1);
        });
    changed |= row.predicate != before;
  }
  return changed;
}

bool checks_lost(Program& program) {
  const bool changed = !program.errors.checks.empty();
  program.errors.checks.clear();
  program.errors.first_check.clear();
  return changed;
}

// ---- faults of the protocol ------------------------------------------------------------------

// `default` also takes a message that an explicit receive of the same state takes.
bool default_takes_explicit(Protocol& protocol) {
  bool changed = false;
  for (Process& process : protocol.processes)
    for (ControlState& state : process.automaton.states) {
      const std::vector<Transition> transitions = state.transitions;
      for (const Transition& other : transitions)
        for (const Transition& explicit_one : transitions) {
          if (other.kind != ActionKind::receive_default ||
              explicit_one.kind != ActionKind::receive || other.channel != explicit_one.channel)
            continue;
          Transition wrong = other;
          wrong.kind = ActionKind::receive;
          wrong.message = explicit_one.message;
          state.transitions.push_back(wrong);
          changed = true;
        }
    }
  return changed;
}

// Where a receive looks at what it receives, names stand for what the variables hold already.
bool guards_see_old_values(Protocol& protocol) {
  Expressions& pool = protocol.expressions;
  bool changed = false;
  for (Process& process : protocol.processes)
    for (ControlState& state : process.automaton.states)
      for (Transition& t : state.transitions)
        for (ExpressionId& condition : t.conditions) {
          const ExpressionId old = condition;
          condition = pool.substitute(old, [](const ExpressionNode& node) {
            return node.op == Op::field && node.c != none ? std::optional(node.c) : std::nullopt;
          });
          changed |= condition != old;
        }
  return changed;
}

bool conditions_of_exchanges_forgotten(Protocol& protocol) {
  bool changed = false;
  for (Process& process : protocol.processes)
    for (ControlState& state : process.automaton.states)
      for (Transition& t : state.transitions) {
        if (t.channel == none || t.conditions.size() == t.choosing) continue;
        t.conditions.resize(t.choosing);
        changed = true;
      }
  return changed;
}

bool assertions_forgive(Protocol& protocol) {
  bool changed = false;
  for (Assertion& assertion : protocol.assertions)
    for (auto& row : assertion.next)
      for (std::uint32_t& next : row)
        if (next == none) {
          next = assertion.initial;
          changed = true;
        }
  return changed;
}

bool initial_values_ignored(Protocol& protocol) {
  bool changed = false;
  for (Variable& variable : protocol.variables)
    if (variable.initial != variable.range.low) {
      variable.initial = variable.range.low;
      changed = true;
    }
  return changed;
}

}  // namespace

std::vector<PlantedFault> all_faults() {
  return {
      {"a channel is full one slot early", {}, full_one_slot_early},
      {"default takes an explicit message", default_takes_explicit, {}},
      {"a condition before a send or receive is forgotten", conditions_of_exchanges_forgotten, {}},
      {"a reception guard sees old values", guards_see_old_values, {}},
      {"else ignores full channels", {}, in_rules(else_blind_to(Op::full))},
      {"else ignores what has arrived", {}, in_rules(else_blind_to(Op::tag))},
      {"a lock-only timeout is enabled too early", {}, timeouts_too_early},
      {"internal steps are traffic to a quiet timeout", {}, internal_steps_are_traffic},
      {"a shift loses the carry", {}, shift_loses_the_carry},
      {"a range is one too small", {}, range_one_too_small},
      {"a value wraps one too early", {}, in_rules(wraps_one_too_early)},
      {"a timeout does not look at its channel", {}, in_rules(timeouts_always)},
      {"received values are lost", {}, in_rules(received_values_lost)},
      {"of two assignments the second sees the first", {}, in_rules(assigned_in_turn)},
      {"a fourth value is not received", {}, in_rules(fourth_value_lost)},
      {"variables of a procedure keep their values", {}, in_rules(locals_kept)},
      {"assert(e) is not looked at", {}, in_rules(checks_forgotten)},
      {"assertions do not see receives", {}, in_rules(assertions_blind_to_receives)},
      {"assertions forgive", assertions_forgive, {}},
      {"the last option is lost", {}, last_option_lost},
      {"end labels are forgotten", {}, in_control(end_labels_forgotten)},
      {"every message is taken to be accepted", {}, in_control(everything_accepted)},
      {"only who does nothing but receive gets stuck", {}, only_receivers_get_stuck},
      {"nothing that others do is waited for", {}, nothing_comes_from_others},
      {"deadlocks are not looked for", {}, without_rows(ErrorKind::deadlock)},
      {"receptions are not looked at", {}, without_rows(ErrorKind::unspecified_reception)},
      {"steps are not checked", {}, checks_lost},
      {"invariants are not looked at", {}, without_rows(ErrorKind::invariant)},
      {"invariants do not see where processes are", {}, invariants_forget_places},
      {"the head of a channel is the message behind it", {}, heads_are_second},
      {"initial values are ignored", initial_values_ignored, {}},
      {"a rendezvous moves only the sender", {}, in_rules(partner_stays)},
      {"a rendezvous loses its values", {}, in_rules(values_lost_between)},
      {"a rendezvous does not hand over what is atomic", {}, in_rules(sender_stays_alone)},
      {"others come in between what is atomic", {}, in_rules(indivisible_forgotten)},
      {"what is atomic begins a step too late", {}, begun_too_late},
      {"what is atomic ends a step too late", {}, left_too_late},
      {"values that do not fit are wrapped", {}, in_rules(promises_forgotten)},
      {"the next element gets the value", {}, in_rules(assigns_next_element)},
      {"an array ends one element early", {}, in_rules(array_one_too_short)},
      {"a lossy line loses nothing", {}, in_rules(lines_lose_nothing)},
      {"a duplicating line delivers once", {}, in_rules(copies_are_taken)},
      {"a reordering line keeps the order", {}, in_rules(nothing_overtakes)},
      {"on a reordering line only the first message counts", {}, only_heads_are_judged},
      {"flush leaves the channel as it is", {}, in_rules(flush_takes_nothing)},
      {"a broadcast waits for room in its first channel only",
       {},
       in_rules(room_for_the_first_only)},
      {"only the first of a family gets a broadcast", {}, only_the_first_gets_it},
  };
}

}  // namespace panoptes::differential
