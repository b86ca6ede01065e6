// SPDX-License-Identifier: Apache-2.0
#include "rules/visible.hpp"

#include <algorithm>

#include "rules/dependence.hpp"
#include "rules/events.hpp"
#include "rules/finding.hpp"

namespace panoptes {
namespace {

// Whose doings are not watched, all others' being so.
class Watched {
 public:
  explicit Watched(std::size_t count) : exempt_(count, unwatched) {}
  void add(std::uint32_t which, ProcessId exempt) {
    exempt_[which] = exempt_[which] == unwatched || exempt_[which] == exempt ? exempt : everybody;
  }
  bool sees(std::uint32_t which, const Rule& rule) const {
    return exempt_[which] != unwatched && !rule.moves_process(exempt_[which]);
  }

 private:
  static constexpr ProcessId unwatched = none - 1, everybody = none;
  std::vector<ProcessId> exempt_;
};

class Watch {
 public:
  explicit Watch(const Program& program)
      : program_(program),
        variables_(program.protocol.variables.size()),
        channels_(program.protocol.channels.size()),
        heads_(program.protocol.channels.size()),
        assertions_(program.protocol.assertions.size()),
        places_(program.control.size()),
        views_(program.control.size()) {
    for (const StateError& row : program.errors.states) add(row);
    if (!program.errors.is_question)
      for (const TemporalProperty& property : program.protocol.temporal)
        for (const TemporalAtom& atom : property.atoms) add(atom);
    for (ProcessId p = 0; p < program.control.size(); ++p)
      for (const ControlInfo& info : program.control[p])
        for (const Reception& reception : info.receptions) {
          heads_.add(reception.channel, p);
          for (const auto* list : {&reception.conditions, &reception.guards})
            for (const ExpressionId id : *list) look(id, p, reception.channel);
        }
  }

  bool sees(const Rule& rule) const {
    for (const Assignment& a : rule.assignments)
      for (VariableId i = 0; i < a.length; ++i)
        if (variables_.sees(a.variable + i, rule)) return true;
    for (const AssertionMove& move : rule.assertion_moves)
      if (assertions_.sees(move.assertion, rule)) return true;
    return sees_moves(rule) || sees_exchange(rule) || sees_event(rule);
  }

 private:
  void add(const StateError& row) {
    if (row.idle == Idle::everybody || !row.counts_under(ReceptionPolicy::blocked)) return;
    const auto use = [&](ExpressionId id) {
      if (row.idle == Idle::process) return look_at_stuck(id, row.process);
      look(id, none, none);
    };
    if (row.predicate != none) use(row.predicate);
    for (const auto& [state, predicate] : row.at) use(predicate);
    if (row.channel != none) heads_.add(row.channel, row.process);
  }

  // Whether a run has ended is asked by nobody who cares when.
  void add(const TemporalAtom& atom) {
    if (atom.kind == TemporalAtom::Kind::state) look(atom.holds, none, none);
    if (atom.channel != none) events_.push_back(&atom);
  }

  // All that an expression mentions; of one that process `own` looks at, unless it does it itself.
  // The values of the first message in `taken` stay as long as nobody takes it.
  void look(ExpressionId id, ProcessId own, ChannelId taken) {
    const Expressions& pool = program_.protocol.expressions;
    pool.visit(id, [&](const ExpressionNode& node) {
      switch (node.op) {
        case Op::length:
        case Op::full:
        case Op::empty:
        case Op::tag: channels_.add(node.a, own); break;
        case Op::field: (node.a == taken ? heads_ : channels_).add(node.a, own); break;
        case Op::control: break;
        default: look_at_number(node, own);
      }
      look_at_places(pool, node, own);
    });
    if (pool[id].op == Op::control) places_.add(pool[id].a, own);
  }

  // That a process is stuck does not end because a message arrives.
  void look_at_stuck(ExpressionId id, ProcessId own) {
    program_.protocol.expressions.visit(id, [&](const ExpressionNode& node) {
      look_at_number(node, own);
      if (node.op == Op::control) places_.add(node.a, own);
    });
  }

  void look_at_number(const ExpressionNode& node, ProcessId own) {
    if (node.op == Op::variable) variables_.add(node.a, own);
    if (node.op == Op::element)
      for (VariableId i = 0; i < node.value; ++i) variables_.add(node.b + i, own);
    if (node.op == Op::subset) assertions_.add(node.a, own);
  }

  // Mostly it is asked whether a process is at one of some control states.
  void look_at_places(const Expressions& pool, const ExpressionNode& node, ProcessId own) {
    if (is_leaf(node.op) || node.a == none) return;
    const bool is_comparison = node.op == Op::equal || node.op == Op::not_equal;
    const bool has_two = (node.op >= Op::logical_or && node.op <= Op::remainder) ||
                         node.op == Op::require || node.op == Op::after;
    const auto view = [&](ExpressionId side, ExpressionId other) {
      if (pool[side].op != Op::control) return;
      const ProcessId process = pool[side].a;
      std::vector<bool> at(program_.control[process].size());
      if (node.op == Op::member) {
        for (StateId s = 0; s < at.size(); ++s) at[s] = pool.contains(node, s);
      } else if (is_comparison && other != none && pool.is_constant(other)) {
        for (StateId s = 0; s < at.size(); ++s) at[s] = pool[other].value == s;
      } else {
        return places_.add(process, own);
      }
      views_[process].push_back(std::move(at));
    };
    view(node.a, has_two ? node.b : none);
    if (has_two) view(node.b, node.a);
  }

  bool sees_moves(const Rule& rule) const {
    return std::any_of(rule.moves.begin(), rule.moves.end(), [&](const ProcessMove& move) {
      if (move.from == move.to) return false;
      if (places_.sees(move.process, rule)) return true;
      const auto& views = views_[move.process];
      return std::any_of(views.begin(), views.end(),
                         [&](const std::vector<bool>& at) { return at[move.from] != at[move.to]; });
    });
  }

  bool sees_exchange(const Rule& rule) const {
    if (rule.channel == none || program_.layout.channels[rule.channel].pieces.empty()) return false;
    const bool takes = rule.kind == ActionKind::receive || rule.kind == ActionKind::flush;
    if (takes && heads_.sees(rule.channel, rule)) return true;
    return (takes || rule.kind == ActionKind::send) && channels_.sees(rule.channel, rule);
  }

  bool sees_event(const Rule& rule) const {
    return std::any_of(events_.begin(), events_.end(), [&](const TemporalAtom* atom) {
      return is_event_of(program_, rule, *atom);
    });
  }

  const Program& program_;
  Watched variables_;
  Watched channels_;  // whatever is done to them
  Watched heads_;     // what is taken out of them
  Watched assertions_;
  Watched places_;                                     // processes: every move
  std::vector<std::vector<std::vector<bool>>> views_;  // processes: moves that change one of these
  std::vector<const TemporalAtom*> events_;
};

}  // namespace

std::vector<bool> visible_rules(const Program& program) {
  const Watch watch(program);
  std::vector<bool> result;
  for (RuleId id = 0; id < program.rules.size(); ++id) {
    const std::vector<RuleId> step = rules_of_step(program, id);
    result.push_back(std::any_of(step.begin(), step.end(),
                                 [&](RuleId rule) { return watch.sees(program.rules[rule]); }));
  }
  return result;
}

}  // namespace panoptes
