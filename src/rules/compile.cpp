// SPDX-License-Identifier: Apache-2.0
// Automata to rules: one rule for every transition and, for receives, for every message it can
// take.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>

#include "protocol/limits.hpp"
#include "rules/make_error_table.hpp"
#include "rules/program.hpp"

namespace panoptes {
namespace {

class Compiler {
 public:
  Compiler(Protocol protocol, const RuleOptions& options) {
    program_.protocol = std::move(protocol);
    program_.timeouts = options.timeouts;
    program_.overflow = options.overflow;
  }

  std::optional<Program> run(std::string& problem) {
    auto layout = make_layout(program_.protocol, problem);
    if (!layout) return {};
    program_.layout = std::move(*layout);
    program_.families = families_of(protocol());
    collect_facts();
    find_receivers();
    compile({}, 0);
    std::uint32_t rule_class = 0;
    for (const TimeoutPolicy kind : kinds_of_timeouts()) {
      if (kind != TimeoutPolicy::empty) ++rule_class;
      compile(kind, rule_class);
    }
    if (rendezvous_ > BuildLimits::rendezvous) {
      problem = fmt::format("more than {} pairs of a send and a receive meet in rendezvous",
                            BuildLimits::rendezvous);
      return {};
    }
    find_out_else();
    make_error_table(program_);
    if (!make_initial()) {
      problem = "the arguments of the call that a process starts with have no value";
      return {};
    }
    return std::move(program_);
  }

 private:
  Protocol& protocol() { return program_.protocol; }

  void collect_facts() {
    std::map<Place, StateId> first_at;  // in the family
    StateId number = 0;
    for (ProcessId p = 0; p < protocol().processes.size(); ++p) {
      if (program_.families.process[p] == p) {
        first_at.clear();
        number = 0;
      }
      auto& states = program_.control.emplace_back();
      for (const ControlState& state : protocol().processes[p].automaton.states) {
        states.push_back(facts(state));
        states.back().same_place = first_at.try_emplace(state.place, number++).first->second;
      }
    }
  }

  ControlInfo facts(const ControlState& state) {
    ControlInfo info;
    info.is_end = state.is_end;
    info.may_stop = state.may_stop;
    info.has_else = std::any_of(state.transitions.begin(), state.transitions.end(),
                                [](const Transition& t) { return t.is_else; });
    // Who waits for a rendezvous may still be met.
    info.receives_only =
        !state.transitions.empty() &&
        std::all_of(state.transitions.begin(), state.transitions.end(),
                    [&](const Transition& t) { return is_receive(t.written_as) && !meets(t); });
    for (const Transition& t : state.transitions) {
      // Of a channel with several readers a message need not be for this one.
      if (!is_receive(t.kind) || t.position > 0 || t.is_fault ||
          protocol().channels[t.channel].readers.size() > 1 ||
          protocol().channels[t.channel].is_rendezvous())
        continue;
      add_receptions(t, info);
    }
    return info;
  }

  bool meets(const Transition& t) {
    return t.channel != none && t.kind != ActionKind::timeout &&
           protocol().channels[t.channel].is_rendezvous();
  }

  void find_receivers() {
    for (ProcessId p = 0; p < protocol().processes.size(); ++p) {
      const auto& states = protocol().processes[p].automaton.states;
      for (StateId s = 0; s < states.size(); ++s)
        for (std::size_t i = 0; i < states[s].transitions.size(); ++i)
          if (const Transition& t = states[s].transitions[i];
              meets(t) && t.kind != ActionKind::send)
            receivers_[t.channel].push_back({p, s, i});
    }
  }

  // Where it has guards, one for each message, whose values they may look at.
  void add_receptions(const Transition& t, ControlInfo& info) {
    const auto guards = t.conditions.begin() + t.choosing;
    Reception reception{t.channel, {t.conditions.begin(), guards}, {}};
    const std::vector<MessageType> sort = protocol().channels[t.channel].sort;
    reception.accepts.assign(sort.size() + 1, t.kind == ActionKind::receive_default);
    if (t.kind == ActionKind::receive)
      for (std::size_t i = 0; i < sort.size(); ++i)
        reception.accepts[i + 1] = sort[i].name == t.message;
    if (guards == t.conditions.end() || t.kind == ActionKind::timeout) {
      info.receptions.push_back(std::move(reception));
      return;
    }
    Reception one = reception;
    one.accepts.assign(sort.size() + 1, false);
    info.receptions.push_back(one);
    for (std::size_t tag = 1; tag <= sort.size(); ++tag) {
      if (!reception.accepts[tag]) continue;
      one.accepts.assign(sort.size() + 1, false);
      one.accepts[tag] = true;
      one.guards.assign(guards, t.conditions.end());
      for (ExpressionId& guard : one.guards)
        guard = for_message(guard, sort[tag - 1].values.size(), t.position);
      info.receptions.push_back(one);
    }
  }

  // Those there are, and the one that is standard, in the order in which they wait for each other.
  std::vector<TimeoutPolicy> kinds_of_timeouts() {
    std::set<TimeoutPolicy> found{program_.timeouts};
    for (const Process& process : protocol().processes)
      for (const ControlState& state : process.automaton.states)
        for (const Transition& t : state.transitions)
          if (t.timeout) found.insert(*t.timeout);
    std::vector<TimeoutPolicy> result;
    for (const TimeoutPolicy kind :
         {TimeoutPolicy::empty, TimeoutPolicy::quiet, TimeoutPolicy::lock})
      if (found.contains(kind)) result.push_back(kind);
    return result;
  }

  bool is_in_round(const Transition& t, std::optional<TimeoutPolicy> timeouts) const {
    if (t.written_as != ActionKind::timeout) return !timeouts;
    return timeouts && kind_of_timeout(t, program_.timeouts) == *timeouts;
  }

  // A round: all timeouts of a kind, or all else.
  void compile(std::optional<TimeoutPolicy> timeouts, std::uint32_t rule_class) {
    const RuleId begin = next_id();
    for (ProcessId p = 0; p < protocol().processes.size(); ++p)
      for (StateId s = 0; s < protocol().processes[p].automaton.states.size(); ++s) {
        ControlInfo& info = program_.control[p][s];
        const RuleId first = next_id();
        // Copied: interning expressions does not move transitions, but keep it obviously so.
        const std::vector<Transition> transitions =
            protocol().processes[p].automaton.states[s].transitions;
        for (const Transition& t : transitions)
          if (is_in_round(t, timeouts)) add(p, s, t, transitions);
        info.rules.push_back({first, next_id()});
      }
    program_.rounds.push_back({{begin, next_id()}, rule_class, timeouts == TimeoutPolicy::quiet});
  }

  RuleId next_id() const { return static_cast<RuleId>(program_.rules.size()); }

  void add(ProcessId p, StateId s, const Transition& t, const std::vector<Transition>& siblings) {
    Rule rule;
    rule.moves = {{p, s, t.target}};
    rule.kind = t.kind;
    rule.written_as = t.written_as;
    rule.conditions = t.conditions;
    rule.channel = t.channel;
    rule.position = t.position;
    rule.values = t.values;
    rule.assignments = t.assignments;
    rule.check = t.check;
    rule.statements = t.statements;
    rule.origins = t.origins;
    rule.text = t.text;
    rule.likelihood = t.likelihood;
    rule.ends_inside = t.ends_inside;
    rule.is_else = t.is_else;
    if (t.kind == ActionKind::send) {
      rule.tag = tag_of(t.channel, t.message, t.values.size());
      if (meets(t)) return add_rendezvous(rule, t);
      wait_for_room(rule, t);
      if (t.is_fault) lose(rule);
      add_moves(rule, true, t.message);
      program_.rules.push_back(std::move(rule));
    } else if (meets(t)) {
      return;  // it is part of the sender's rules
    } else if (t.kind == ActionKind::receive || t.kind == ActionKind::receive_default) {
      add_receives(rule, t, siblings);
    } else {
      program_.rules.push_back(std::move(rule));
    }
  }

  // In channels that it does not send to itself, but what follows it in the same step does.
  void wait_for_room(Rule& rule, const Transition& t) {
    if (program_.overflow == OverflowPolicy::error || t.room == none) return;
    Expressions& pool = protocol().expressions;
    rule.room = t.room;
    for (const ChannelId channel : protocol().rooms[t.room])
      rule.conditions.push_back(pool.unary(Op::logical_not, pool.ask(Op::full, channel)));
  }

  // The values of a message that is lost are computed all the same.
  void lose(Rule& rule) {
    Expressions& pool = protocol().expressions;
    rule.kind = ActionKind::lose;
    for (const ExpressionId value : rule.values)
      if (pool.can_fail(value))
        rule.conditions.push_back(pool.binary(Op::after, value, pool.constant(1)));
  }

  // A message that stays: it is looked at, not taken.
  void copy(Rule& rule) {
    Expressions& pool = protocol().expressions;
    rule.kind = ActionKind::copy;
    rule.conditions.insert(
        rule.conditions.begin(),
        pool.binary(Op::equal, pool.tag(rule.channel, rule.position), pool.constant(rule.tag)));
  }

  std::uint32_t tag_of(ChannelId channel, const std::string& name, std::size_t arity) {
    const auto& sort = protocol().channels[channel].sort;
    for (std::uint32_t i = 0; i < sort.size(); ++i)
      if (sort[i].name == name && sort[i].values.size() == arity) return i + 1;
    return 0;
  }

  // One rule for every receive of another process that takes what `t` sends: both move, and what is
  // received is what is sent. Behind it the receiver may move alone, but not the sender.
  void add_rendezvous(const Rule& prototype, const Transition& t) {
    for (const Receiver& receiver : receivers_[t.channel]) {
      if (receiver.process == prototype.owner().process) continue;
      std::vector<Transition> siblings =
          protocol().processes[receiver.process].automaton.states[receiver.state].transitions;
      const Transition& taking = siblings[receiver.transition];
      if (taking.kind == ActionKind::receive && taking.message != t.message) continue;
      // Before it is asked what is left to a `default`: a value that is sent may fail, one that has
      // arrived cannot.
      for (Transition& sibling : siblings)
        if (sibling.channel == t.channel)
          for (ExpressionId& condition : sibling.conditions)
            condition = as_sent(condition, prototype, sibling.position);
      Rule taker;
      taker.channel = t.channel;
      taker.conditions = taking.conditions;
      if (taking.kind == ActionKind::receive_default &&
          !leave_to_default(taker, t.message, siblings))
        continue;
      if (++rendezvous_ > BuildLimits::rendezvous) return;
      Rule rule = prototype;
      rule.moves.push_back({receiver.process, receiver.state, taking.target});
      rule.ends_inside = taking.ends_inside;
      rule.partner = std::make_shared<const Partner>(Partner{taking.statements, taking.origins});
      rule.conditions.insert(rule.conditions.end(), taker.conditions.begin(),
                             taker.conditions.end());
      for (Assignment a : taking.assignments) {
        a.value = as_sent(a.value, rule, taking.position);
        if (a.index != none) a.index = as_sent(a.index, rule, taking.position);
        if (!keeps_value(a)) rule.assignments.push_back(a);
      }
      std::stable_sort(
          rule.assignments.begin(), rule.assignments.end(),
          [](const Assignment& a, const Assignment& b) { return a.variable < b.variable; });
      add_moves_of_both(rule, t.message);
      program_.rules.push_back(std::move(rule));
    }
  }

  // An expression of the receiver, with the values that are sent for those that it receives.
  ExpressionId as_sent(ExpressionId id, const Rule& rule, std::uint32_t position) {
    id = for_message(id, rule.values.size(), position);
    return protocol().expressions.substitute(
        id, [&](const ExpressionNode& node) -> std::optional<ExpressionId> {
          if (node.op != Op::field || node.a != rule.channel) return {};
          return rule.values[node.b];
        });
  }

  // First that it is sent, then that it is received. An assertion that sees both moves once, by a
  // symbol of its own.
  void add_moves_of_both(Rule& rule, const std::string& message) {
    Rule receive = rule;
    receive.assertion_moves.clear();
    add_moves(rule, true, message);
    add_moves(receive, false, message);
    for (const AssertionMove& then : receive.assertion_moves) {
      const auto first =
          std::find_if(rule.assertion_moves.begin(), rule.assertion_moves.end(),
                       [&](const AssertionMove& move) { return move.assertion == then.assertion; });
      if (first == rule.assertion_moves.end())
        rule.assertion_moves.push_back(then);
      else
        first->symbol = symbol_of_both(then.assertion, first->symbol, then.symbol);
    }
    std::sort(
        rule.assertion_moves.begin(), rule.assertion_moves.end(),
        [](const AssertionMove& a, const AssertionMove& b) { return a.assertion < b.assertion; });
  }

  std::uint32_t symbol_of_both(std::uint32_t assertion, std::uint32_t first, std::uint32_t then) {
    auto& next = protocol().assertions[assertion].next;
    const auto [found, fresh] = symbols_of_both_.try_emplace(
        std::array{assertion, first, then}, static_cast<std::uint32_t>(next.front().size()));
    if (!fresh) return found->second;
    std::vector<std::uint32_t> column;
    for (const auto& row : next)
      column.push_back(row[first] == none ? none : next[row[first]][then]);
    for (std::size_t i = 0; i < next.size(); ++i) next[i].push_back(column[i]);
    return found->second;
  }

  // One rule for every message of the sort that `t` takes.
  void add_receives(const Rule& prototype, const Transition& t,
                    const std::vector<Transition>& siblings) {
    const std::size_t tags = protocol().channels[t.channel].sort.size();
    for (std::uint32_t tag = 1; tag <= tags; ++tag) {
      if (t.kind == ActionKind::receive &&
          protocol().channels[t.channel].sort[tag - 1].name != t.message)
        continue;
      const MessageType type = protocol().channels[t.channel].sort[tag - 1];
      Rule rule = prototype;
      rule.kind = ActionKind::receive;
      rule.tag = tag;
      if (t.kind == ActionKind::receive_default && !leave_to_default(rule, type.name, siblings))
        continue;
      // What is left to it comes before its own condition: what others take is none of its
      // business.
      std::rotate(rule.conditions.begin() + t.choosing,
                  rule.conditions.begin() + static_cast<std::ptrdiff_t>(t.conditions.size()),
                  rule.conditions.end());
      for (ExpressionId& condition : rule.conditions)
        condition = for_message(condition, type.values.size(), t.position);
      std::vector<Assignment> assignments;
      for (Assignment a : rule.assignments) {
        a.value = for_message(a.value, type.values.size(), t.position);
        if (a.index != none) a.index = for_message(a.index, type.values.size(), t.position);
        if (!keeps_value(a)) assignments.push_back(a);
      }
      rule.assignments = std::move(assignments);
      if (t.is_fault) copy(rule);
      add_moves(rule, false, type.name);
      program_.rules.push_back(std::move(rule));
    }
  }

  // Adds to a `default` rule that no explicit receive takes the message; false where one always
  // does.
  bool leave_to_default(Rule& rule, const std::string& message,
                        const std::vector<Transition>& siblings) {
    Expressions& pool = protocol().expressions;
    for (const Transition& other : siblings) {
      if (other.kind != ActionKind::receive || other.channel != rule.channel ||
          other.position != rule.position || other.message != message)
        continue;
      if (other.conditions.empty()) return false;
      ExpressionId takes = other.conditions.front();
      for (const ExpressionId condition : other.conditions)
        if (condition != takes) takes = pool.binary(Op::logical_and, takes, condition);
      // Where that has no value, the other one is taken, and fails.
      const ExpressionId leaves = pool.unary(Op::logical_not, takes);
      rule.conditions.push_back(pool.can_fail(takes)
                                    ? pool.binary(Op::logical_and, pool.has_value(takes), leaves)
                                    : leaves);
    }
    return true;
  }

  // ---- else ------------------------------------------------------------------------------------

  // A timeout that waits for others waits for an `else` as well.
  void find_out_else() {
    for (ProcessId p = 0; p < program_.control.size(); ++p)
      for (StateId s = 0; s < program_.control[p].size(); ++s)
        if (program_.at(p, s).has_else) find_out_else(p, s);
  }

  void find_out_else(ProcessId p, StateId s) {
    const ControlInfo& info = program_.at(p, s);
    std::vector<ExpressionId> conditions;
    for_each_rule(info, [&](RuleId id) {
      if (!program_.rules[id].is_else && program_.class_of(id) == 0)
        conditions.push_back(is_disabled(program_.rules[id], p));
    });
    for (const Rule& rule : program_.rules)  // of others, that take it along
      for (std::size_t i = 1; i < rule.moves.size(); ++i)
        if (rule.moves[i].process == p && rule.moves[i].from == s)
          conditions.push_back(is_disabled(rule, p));
    for_each_rule(info, [&](RuleId id) {
      if (program_.rules[id].is_else) program_.rules[id].conditions = conditions;
    });
  }

  // That a rule is not enabled where process `p` is where it begins; what has no value is enabled,
  // and fails. It has a value itself wherever it is asked for.
  ExpressionId is_disabled(const Rule& rule, ProcessId p) {
    Expressions& pool = protocol().expressions;
    std::vector<ExpressionId> needs;
    for (const ProcessMove& move : rule.moves)
      if (move.process != p)
        needs.push_back(
            pool.binary(Op::equal, pool.ask(Op::control, move.process), pool.constant(move.from)));
    if (rule.kind == ActionKind::receive)
      needs.push_back(
          pool.binary(Op::equal, pool.tag(rule.channel, rule.position), pool.constant(rule.tag)));
    if (rule.kind == ActionKind::timeout) needs.push_back(pool.ask(Op::empty, rule.channel));
    needs.insert(needs.end(), rule.conditions.begin(), rule.conditions.end());
    if (rule.kind == ActionKind::send && program_.overflow == OverflowPolicy::wait &&
        !program_.layout.channels[rule.channel].pieces.empty())
      needs.push_back(pool.unary(Op::logical_not, pool.ask(Op::full, rule.channel)));
    if (needs.size() == 1 && pool[needs[0]].op == Op::logical_not && !pool.can_fail(needs[0]))
      return pool[needs[0]].a;
    const ExpressionId enabled = pool.all_of(std::move(needs));
    const ExpressionId disabled = pool.unary(Op::logical_not, enabled);
    return pool.can_fail(enabled) ? pool.binary(Op::logical_and, pool.has_value(enabled), disabled)
                                  : disabled;
  }

  // With the number of values known, every field is there or is its fallback.
  ExpressionId for_message(ExpressionId id, std::size_t arity, std::uint32_t position) {
    Expressions& pool = protocol().expressions;
    return pool.substitute(id, [&](const ExpressionNode& node) -> std::optional<ExpressionId> {
      if (node.op != Op::field || node.c == none || node.value != position) return {};
      if (node.b < arity) return pool.field(node.a, node.b, none, position);
      return for_message(node.c, arity, position);
    });
  }

  bool keeps_value(const Assignment& a) {
    Expressions& pool = protocol().expressions;
    ExpressionId id = a.value;
    if (pool[id].op == Op::wrap || pool[id].op == Op::bound) id = pool[id].a;
    if (a.index != none) return id == pool.element(a.variable, a.length, a.index);
    return pool[id].op == Op::variable && pool[id].a == a.variable;
  }

  void add_moves(Rule& rule, bool is_send, const std::string& message) {
    for (std::uint32_t a = 0; a < protocol().assertions.size(); ++a) {
      const auto& scope = protocol().assertions[a].scope;
      const ExternalAction action{rule.channel, is_send, message};
      const auto found = std::lower_bound(scope.begin(), scope.end(), action);
      if (found != scope.end() && *found == action)
        rule.assertion_moves.push_back({a, static_cast<std::uint32_t>(found - scope.begin())});
    }
  }

  // False where the arguments of a call that a process starts with cannot be computed.
  bool make_initial() {
    const Layout& layout = program_.layout;
    program_.initial.assign(layout.words, 0);
    const StateSpan state(program_.initial);
    for (ProcessId p = 0; p < protocol().processes.size(); ++p)
      write(layout.control[p], protocol().processes[p].automaton.initial, state);
    for (VariableId v = 0; v < protocol().variables.size(); ++v)
      write(layout.variables[v], protocol().variables[v].initial, state);
    for (std::uint32_t a = 0; a < protocol().assertions.size(); ++a)
      write(layout.assertions[a], protocol().assertions[a].initial, state);
    for (ChannelId c = 0; c < protocol().channels.size(); ++c) fill_channel(c);
    // Parameters of a call that a process starts with.
    return std::all_of(
        protocol().processes.begin(), protocol().processes.end(),
        [this](const Process& process) { return set_parameters(process.automaton); });
  }

  void fill_channel(ChannelId c) {
    const Channel& channel = protocol().channels[c];
    const ChannelLayout& layout = program_.layout.channels[c];
    std::uint32_t index = 0;
    for (const InitialContent& content : channel.contents) {
      const std::uint32_t tag = tag_of(c, content.name, content.values.size());
      Word message = tag;
      for (std::size_t i = 0; i < content.values.size(); ++i) {
        const ValueField& field = layout.tags[tag - 1][i];
        message |= static_cast<Word>(content.values[i] - field.minimum) << field.shift;
      }
      std::uint32_t at = index++;
      for (const ChannelPiece& piece : layout.pieces) {
        if (at < piece.slots) {
          program_.initial[piece.word] |= message << (piece.shift + at * layout.slot_bits);
          break;
        }
        at -= piece.slots;
      }
    }
  }

  struct InitialEnvironment {
    const Program& program;
    std::int64_t variable(VariableId v) const { return program.protocol.variables[v].initial; }
    std::int64_t field(ChannelId c, std::uint32_t index, std::uint32_t position) const {
      return value_at(program.layout.channels[c], position, index, program.initial);
    }
    std::int64_t tag(ChannelId c, std::uint32_t position) const {
      return tag_at(program.layout.channels[c], position, program.initial);
    }
    std::int64_t length(ChannelId c) const {
      return static_cast<std::int64_t>(program.protocol.channels[c].contents.size());
    }
    std::int64_t full(ChannelId c) const {
      const Channel& channel = program.protocol.channels[c];
      return !channel.is_sink && length(c) == channel.capacity;
    }
    std::int64_t empty(ChannelId c) const { return length(c) == 0; }
  };

  bool set_parameters(const Automaton& automaton) {
    return std::all_of(
        automaton.initial_assignments.begin(), automaton.initial_assignments.end(),
        [this](const Assignment& a) {
          const Evaluation value =
              evaluate(protocol().expressions, a.value, InitialEnvironment{program_});
          return value.fault == Fault::absent &&
                 write(program_.layout.variables[a.variable], value.value, program_.initial);
        });
  }

  struct Receiver {
    ProcessId process;
    StateId state;
    std::size_t transition;
  };

  Program program_;
  std::map<ChannelId, std::vector<Receiver>> receivers_;  // of each rendezvous
  std::size_t rendezvous_ = 0;                            // pairs so far
  // By assertion: of a send and a receive in one step.
  std::map<std::array<std::uint32_t, 3>, std::uint32_t> symbols_of_both_;
};

}  // namespace

bool has_indivisible(const Program& program) {
  return std::any_of(program.rules.begin(), program.rules.end(),
                     [](const Rule& rule) { return rule.ends_inside; });
}

std::size_t most_successors(const Program& program) {
  std::size_t all = 0;
  for (const auto& states : program.control) {
    std::size_t most = 0;
    for (const ControlInfo& info : states) {
      std::size_t here = 0;
      for (const RuleRange& range : info.rules) here += range.end - range.first;
      most = std::max(most, here);
    }
    all += most;
  }
  return all;
}

std::optional<Program> compile_rules(Protocol protocol, const RuleOptions& options,
                                     std::string& problem) {
  return Compiler(std::move(protocol), options).run(problem);
}

Footprint footprint(const Program& program, const Rule& rule) {
  Footprint result;
  const Expressions& pool = program.protocol.expressions;
  const auto look = [&](ExpressionId id) {
    pool.visit(id, [&](const ExpressionNode& node) {
      if (node.op == Op::variable) result.reads.push_back(node.a);
      if (node.op == Op::element)
        for (VariableId i = 0; i < node.value; ++i) result.reads.push_back(node.b + i);
      const bool is_taken =
          rule.kind == ActionKind::receive && node.a == rule.channel && node.value == rule.position;
      if (node.op == Op::length || node.op == Op::full || node.op == Op::empty ||
          node.op == Op::tag || (node.op == Op::field && !is_taken))
        result.asks.push_back(node.a);
      if (node.op == Op::control) result.asks_where.push_back(node.a);
      if (node.op == Op::subset) result.assertions.push_back(node.a);
    });
  };
  for (const ExpressionId id : rule.conditions) look(id);
  for (const ExpressionId id : rule.values) look(id);
  if (rule.check != none) look(rule.check);
  for (const Assignment& a : rule.assignments) {
    look(a.value);
    if (a.index != none) look(a.index);
    for (VariableId i = 0; i < a.length; ++i) result.writes.push_back(a.variable + i);
  }
  if (rule.kind == ActionKind::send) result.sends_to = rule.channel;
  if (rule.kind == ActionKind::receive) result.receives_from = rule.channel;
  if (rule.kind == ActionKind::timeout) result.asks.push_back(rule.channel);
  if (rule.kind == ActionKind::flush) result.flushes = rule.channel;
  for (const AssertionMove& move : rule.assertion_moves)
    result.assertions.push_back(move.assertion);
  for (auto* list : {&result.reads, &result.writes, &result.asks, &result.asks_where}) {
    std::sort(list->begin(), list->end());
    list->erase(std::unique(list->begin(), list->end()), list->end());
  }
  return result;
}

std::string message_text(const Protocol& protocol, ChannelId channel, std::uint32_t tag,
                         const std::vector<std::int64_t>& values) {
  const MessageType& type = protocol.channels[channel].sort[tag - 1];
  if (values.empty()) return type.name;
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < values.size(); ++i)
    texts.push_back(protocol.value_text(type.enumeration(i), values[i]));
  return fmt::format("{}({})", type.name, fmt::join(texts, ", "));
}

}  // namespace panoptes
