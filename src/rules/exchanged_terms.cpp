// SPDX-License-Identifier: Apache-2.0
#include "rules/exchanged_terms.hpp"

#include <algorithm>
#include <utility>

namespace panoptes {
namespace {

// What a term begins with, beside operators.
enum Head : std::int64_t {
  a_list = 1000,
  a_rule,
  a_broadcast,
  a_send,
  a_control,
  a_reception,
  a_row,
  a_channel,
  a_process,
  an_assignment,
  a_move,
  a_check,
  a_column,
  a_message,
  a_variable,
  an_assertion,
};

bool is_commutative(Op op) {
  return op == Op::logical_and || op == Op::logical_or || op == Op::add || op == Op::multiply;
}

}  // namespace

ExchangedTerms::Term ExchangedTerms::intern(Parts parts) {
  return terms_.try_emplace(std::move(parts), static_cast<Term>(terms_.size())).first->second;
}

void ExchangedTerms::start(const Expressions& pool, const MessageAtHand& at_hand) {
  pool_ = &pool;
  at_hand_ = at_hand;
  known_.clear();
}

ExchangedTerms::Term ExchangedTerms::list(Parts terms, bool may_sort) {
  if (may_sort) std::sort(terms.begin(), terms.end());
  terms.insert(terms.begin(), a_list);
  return intern(std::move(terms));
}

// ---- who
// ------------------------------------------------------------------------------------------

std::int64_t ExchangedTerms::process(ProcessId process) {
  if (process == none) return -1;
  return intern({a_process, program_.families.process[process],
                 number(numbers_.of_process(process), numbers_.number_of_process(process))});
}

std::int64_t ExchangedTerms::channel_name(ChannelId channel) {
  if (channel == none) return -1;
  return intern({a_channel, program_.families.channel[channel],
                 number(numbers_.of_channel(channel), numbers_.number_of_channel(channel))});
}

std::int64_t ExchangedTerms::message(ChannelId channel, std::uint32_t tag) {
  if (channel == none || tag == 0) return -1;
  const MessageType& type = program_.protocol.channels[channel].sort[tag - 1];
  const auto name = names_.try_emplace(type.name, static_cast<std::int64_t>(names_.size()));
  return intern({a_message, name.first->second, static_cast<std::int64_t>(type.values.size())});
}

// ---- expressions
// ----------------------------------------------------------------------------------

// What holds the number that an expression gives; none where it is calculated, or a constant.
ExchangedTerms::Site ExchangedTerms::site_of(ExpressionId id) {
  const ExpressionNode& node = (*pool_)[id];
  switch (node.op) {
    case Op::variable:
      return node.a >= program_.protocol.variables.size()
                 ? none
                 : numbers_.role(numbers_.role_of(node.a)).value;
    case Op::element: return numbers_.role(numbers_.role_of(node.b)).value;
    case Op::field: {
      const auto site = numbers_.of_field(
          node, at_hand_, [&](Site kind) { return marked_->group_of(kind) != none; });
      if (!site) is_unclear_ = true;
      return site.value_or(none);
    }
    case Op::wrap:
    case Op::bound:
    case Op::require: return site_of(node.a);
    case Op::after: return site_of(node.b);
    default: return none;
  }
}

ExchangedTerms::Term ExchangedTerms::expression(ExpressionId id, Site context) {
  if (id == none) return intern({});
  if (context != none) context = numbers_.kind(context);
  if (const auto known = known_.find({id, context}); known != known_.end()) return known->second;
  const ExpressionNode& node = (*pool_)[id];
  const auto op = static_cast<std::int64_t>(node.op);
  Term term = 0;
  if (is_leaf(node.op))
    term = leaf(node, context);
  else if (is_commutative(node.op))
    term = joined(node);
  else
    switch (node.op) {
      case Op::negate:
      case Op::logical_not:
      case Op::holds: term = intern({op, expression(node.a)}); break;
      case Op::wrap:
      case Op::bound:
        term = intern({op, expression(node.a, context), node.value, node.high});
        break;
      case Op::require: term = intern({op, expression(node.a, context), expression(node.b)}); break;
      case Op::after: term = intern({op, expression(node.a), expression(node.b, context)}); break;
      case Op::element: {
        const Site index = numbers_.role(numbers_.role_of(node.b)).index;
        const ProcessId owner = program_.protocol.variables[node.b].process;
        term = intern(
            {op, numbers_.role_of(node.b), process(owner), node.value, expression(node.a, index)});
        break;
      }
      case Op::member: term = question(node); break;
      default: term = pair(node);
    }
  known_.emplace(std::pair{id, context}, term);
  return term;
}

ExchangedTerms::Term ExchangedTerms::leaf(const ExpressionNode& node, Site context) {
  const auto op = static_cast<std::int64_t>(node.op);
  switch (node.op) {
    case Op::constant: return intern({op, number(context, node.value)});
    case Op::variable: return variable(node.a);
    case Op::control: return intern({op, process(node.a)});
    case Op::subset:
      return intern({op, program_.families.assertion[node.a],
                     number(numbers_.of_assertion(node.a), numbers_.number_of_assertion(node.a))});
    case Op::field:
      return intern({op, channel_name(node.a), node.b, node.value,
                     node.c == none ? -1 : expression(node.c, context)});
    default: return intern({op, channel_name(node.a), node.b, node.value});
  }
}

ExchangedTerms::Term ExchangedTerms::variable(VariableId variable) {
  if (variable >= program_.protocol.variables.size())  // the depth, of a cost
    return intern({static_cast<std::int64_t>(Op::variable), -1});
  const std::uint32_t role = numbers_.role_of(variable);
  return intern({static_cast<std::int64_t>(Op::variable), role,
                 process(program_.protocol.variables[variable].process),
                 number(numbers_.role(role).index, numbers_.element_of(variable))});
}

// Tags are numbers of one channel; messages have names.
ExchangedTerms::Term ExchangedTerms::question(const ExpressionNode& node) {
  const ExpressionNode& operand = (*pool_)[node.a];
  const std::vector<std::size_t> set = pool_->set_of(node);
  Parts parts{static_cast<std::int64_t>(node.op), expression(node.a)};
  if (operand.op == Op::tag) {
    std::vector<bool> tags;
    for (const std::size_t tag : set) {
      tags.resize(tag + 1);
      tags[tag] = true;
    }
    parts.push_back(messages(operand.a, tags));
  } else {
    parts.insert(parts.end(), set.begin(), set.end());
  }
  return intern(std::move(parts));
}

ExchangedTerms::Term ExchangedTerms::messages(ChannelId channel, const std::vector<bool>& tags) {
  Parts parts;
  const std::size_t known = program_.protocol.channels[channel].sort.size();
  for (std::uint32_t tag = 0; tag < tags.size(); ++tag)
    if (tags[tag])
      parts.push_back(tag == 0 || tag > known ? -1 - std::int64_t{tag} : message(channel, tag));
  return list(std::move(parts), true);
}

void ExchangedTerms::flatten(Op op, ExpressionId id, std::vector<ExpressionId>& operands) const {
  constexpr std::size_t most = 10'000;  // beyond, the tree may be much larger than the pool
  const ExpressionNode& node = (*pool_)[id];
  if (node.op != op || operands.size() > most) {
    operands.push_back(id);
    return;
  }
  flatten(op, node.a, operands);
  flatten(op, node.b, operands);
}

ExchangedTerms::Term ExchangedTerms::joined(const ExpressionNode& node) {
  std::vector<ExpressionId> operands;
  flatten(node.op, node.a, operands);
  flatten(node.op, node.b, operands);
  Parts terms;
  for (const ExpressionId id : operands) terms.push_back(expression(id));
  // Which of two faults is met first makes a difference, and so does what comes before a fault.
  const bool may_sort =
      std::ranges::none_of(operands, [&](ExpressionId id) { return pool_->can_fail(id); });
  return intern({static_cast<std::int64_t>(node.op), list(std::move(terms), may_sort)});
}

// Comparisons and what is left of arithmetic.
ExchangedTerms::Term ExchangedTerms::pair(const ExpressionNode& node) {
  const bool is_equality = node.op == Op::equal || node.op == Op::not_equal;
  const ExpressionNode &left = (*pool_)[node.a], &right = (*pool_)[node.b];
  Term first = 0, second = 0;
  if (is_equality && left.op == Op::tag && right.op == Op::constant) {
    first = expression(node.a);
    std::vector<bool> tags(static_cast<std::size_t>(std::max<std::int64_t>(0, right.value)) + 1);
    if (right.value >= 0) tags.back() = true;
    second = messages(left.a, tags);
  } else {
    const Site one = is_equality ? site_of(node.a) : none;
    const Site other = is_equality ? site_of(node.b) : none;
    first = expression(node.a, one != none ? one : other);
    second = expression(node.b, one != none ? one : other);
  }
  Op op = node.op;
  const bool may_swap = !pool_->can_fail(node.a) && !pool_->can_fail(node.b);
  if (may_swap && (op == Op::greater || op == Op::greater_equal)) {
    op = mirrored(op);
    std::swap(first, second);
  }
  if (may_swap && is_equality && first > second) std::swap(first, second);
  return intern({static_cast<std::int64_t>(op), first, second});
}

ExchangedTerms::Term ExchangedTerms::expressions(const std::vector<ExpressionId>& ids) {
  Parts terms;
  for (const ExpressionId id : ids) terms.push_back(expression(id));
  return list(std::move(terms),
              std::ranges::none_of(ids, [&](ExpressionId id) { return pool_->can_fail(id); }));
}

// ---- rules
// ----------------------------------------------------------------------------------------

ExchangedTerms::Term ExchangedTerms::values(const Rule& rule) {
  Parts terms;
  for (std::uint32_t i = 0; i < rule.values.size(); ++i)
    terms.push_back(expression(rule.values[i],
                               rule.tag > 0 ? numbers_.of_field(rule.channel, rule.tag, i) : none));
  return list(std::move(terms), false);
}

// Of those to one array the order counts where an index is not known before.
ExchangedTerms::Term ExchangedTerms::assignments(const std::vector<Assignment>& all) {
  Parts terms;
  bool may_sort = true;
  std::size_t faults = 0;
  for (const Assignment& a : all) {
    const std::uint32_t role = numbers_.role_of(a.variable);
    const Site index = numbers_.role(role).index;
    const Term value = expression(a.value, numbers_.role(role).value);
    terms.push_back(
        a.index == none
            ? intern({an_assignment, variable(a.variable), value})
            : intern({an_assignment, role, process(program_.protocol.variables[a.variable].process),
                      a.length, expression(a.index, index), value}));
    faults += (a.index != none || pool_->can_fail(a.value)) ? 1 : 0;
    if (a.index != none)
      may_sort = may_sort && std::ranges::count_if(all, [&](const Assignment& other) {
                               return numbers_.role_of(other.variable) == role;
                             }) == 1;
  }
  return list(std::move(terms), may_sort && faults < 2);
}

// By what the symbol does to every subset, whatever its number.
ExchangedTerms::Term ExchangedTerms::assertion_moves(const Rule& rule) {
  Parts terms;
  for (const AssertionMove& move : rule.assertion_moves) {
    Parts column{a_column};
    for (const auto& next : program_.protocol.assertions[move.assertion].next)
      column.push_back(next[move.symbol]);
    terms.push_back(intern({a_move, program_.families.assertion[move.assertion],
                            number(numbers_.of_assertion(move.assertion),
                                   numbers_.number_of_assertion(move.assertion)),
                            intern(std::move(column))}));
  }
  return list(std::move(terms), true);
}

ExchangedTerms::Term ExchangedTerms::checks(RuleId id) {
  Parts terms;
  bool are_of_assertions = true;
  for (const StepCheck& check : program_.errors.checks_of(id)) {
    are_of_assertions = are_of_assertions && check.assertion != none;
    const std::int64_t who = check.assertion == none
                                 ? -1
                                 : number(numbers_.of_assertion(check.assertion),
                                          numbers_.number_of_assertion(check.assertion));
    terms.push_back(intern(
        {a_check, static_cast<std::int64_t>(check.kind),
         check.assertion == none ? -1 : std::int64_t{program_.families.assertion[check.assertion]},
         who, expression(check.holds)}));
  }
  return list(std::move(terms), are_of_assertions);
}

ExchangedTerms::Term ExchangedTerms::rule(RuleId id) {
  const Rule& rule = program_.rules[id];
  start(program_.protocol.expressions, {rule.channel, rule.position, rule.tag});
  Parts parts{a_rule,
              static_cast<std::int64_t>(rule.kind),
              static_cast<std::int64_t>(rule.written_as),
              rule.likelihood,
              rule.ends_inside,
              rule.is_else,
              rule.position};
  parts.push_back(&program_.round_of(id) - program_.rounds.data());
  for (const ProcessMove& move : rule.moves)
    parts.insert(parts.end(), {process(move.process), move.from, move.to});
  Parts room;
  if (rule.room != none)
    for (const ChannelId channel : program_.protocol.rooms[rule.room])
      room.push_back(channel_name(channel));
  parts.insert(parts.end(),
               {channel_name(rule.channel), message(rule.channel, rule.tag), list(room, true),
                expressions(rule.conditions), values(rule), assignments(rule.assignments),
                expression(rule.check), assertion_moves(rule), checks(id)});
  // An error of another statement is another one; what cannot fail may be any.
  if (can_fail(rule)) parts.insert(parts.end(), rule.statements.begin(), rule.statements.end());
  return intern(std::move(parts));
}

bool ExchangedTerms::can_fail(const Rule& rule) const {
  const auto fails = [&](ExpressionId id) { return pool_->can_fail(id); };
  return rule.check != none || rule.kind == ActionKind::bad_index || rule.ends_inside ||
         std::ranges::any_of(rule.conditions, fails) || std::ranges::any_of(rule.values, fails) ||
         std::ranges::any_of(rule.assignments, [&](const Assignment& a) {
           return a.index != none || fails(a.value);
         });
}

ExchangedTerms::Term ExchangedTerms::send(RuleId id) {
  const Rule& rule = program_.rules[id];
  // Whose process it is says which broadcast; the statement says where.
  start(program_.protocol.expressions, {rule.channel, rule.position, rule.tag});
  return intern({a_send, static_cast<std::int64_t>(rule.kind), rule.likelihood,
                 channel_name(rule.channel), message(rule.channel, rule.tag), values(rule),
                 process(rule.owner().process), rule.statements.front()});
}

ExchangedTerms::Term ExchangedTerms::broadcast(const Broadcast& cast) {
  Parts sends;
  for (const auto& rules : cast.sends) {
    Parts ways;
    for (const RuleId id : rules) ways.push_back(send(id));
    sends.push_back(list(std::move(ways), true));
  }
  const Rule &first = program_.rules[cast.first()], &last = program_.rules[cast.last()];
  start(program_.protocol.expressions, {});
  Parts parts{a_broadcast,
              process(first.owner().process),
              first.owner().from,
              last.owner().to,
              last.ends_inside,
              list(std::move(sends), true),
              expressions(cast.conditions),
              assignments(last.assignments)};
  parts.insert(parts.end(), first.statements.begin(), first.statements.end());
  return intern(std::move(parts));
}

// ---- states
// ---------------------------------------------------------------------------------------

ExchangedTerms::Term ExchangedTerms::control(ProcessId at, StateId state) {
  const ControlInfo& info = program_.at(at, state);
  Parts receptions;
  for (const Reception& reception : info.receptions) {
    MessageAtHand at_hand{reception.channel, 0, 0};
    for (std::uint32_t tag = 1; tag < reception.accepts.size(); ++tag)
      if (reception.accepts[tag]) at_hand.tag = tag;
    start(program_.protocol.expressions, at_hand);
    receptions.push_back(
        intern({a_reception, channel_name(reception.channel),
                messages(reception.channel, reception.accepts), expressions(reception.conditions),
                expressions(reception.guards)}));
  }
  return intern({a_control, process(at), state, info.same_place, info.receives_only, info.has_else,
                 info.is_end, info.may_stop, program_.state(at, state).is_labelled,
                 list(std::move(receptions), true)});
}

ExchangedTerms::Term ExchangedTerms::row(const StateError& row) {
  start(program_.protocol.expressions, {});
  const bool is_invariant = row.kind == ErrorKind::invariant || row.kind == ErrorKind::reached;
  std::int64_t family = -1, who = -1;
  if (row.assertion != none && is_invariant) {
    family = program_.families.invariant[row.assertion];
    who = number(numbers_.of_invariant(row.assertion), numbers_.number_of_invariant(row.assertion));
  } else if (row.assertion != none) {
    family = program_.families.assertion[row.assertion];
    who = number(numbers_.of_assertion(row.assertion), numbers_.number_of_assertion(row.assertion));
  }
  Parts parts{a_row,
              static_cast<std::int64_t>(row.kind),
              static_cast<std::int64_t>(row.idle),
              row.policies,
              row.names_message,
              row.concerns_all,
              process(row.process),
              channel_name(row.channel),
              family,
              who,
              expression(row.predicate)};
  for (const auto& [state, predicate] : row.at)
    parts.insert(parts.end(), {state, expression(predicate)});
  return intern(std::move(parts));
}

ExchangedTerms::Term ExchangedTerms::channel(ChannelId id) {
  const Channel& channel = program_.protocol.channels[id];
  Parts readers;
  for (const ProcessId reader : channel.readers) readers.push_back(process(reader));
  return intern({a_channel, channel_name(id), channel.capacity, channel.is_sink, channel.is_lossy,
                 channel.is_duplicating, channel.is_reordering,
                 messages(id, std::vector<bool>(channel.sort.size() + 1, true)),
                 list(std::move(readers), true)});
}

ExchangedTerms::Term ExchangedTerms::variable_part(VariableId id) {
  return intern({a_variable, variable(id), program_.protocol.variables[id].elements});
}

ExchangedTerms::Term ExchangedTerms::assertion(std::uint32_t id) {
  const Assertion& assertion = program_.protocol.assertions[id];
  Parts parts{an_assertion, program_.families.assertion[id],
              number(numbers_.of_assertion(id), numbers_.number_of_assertion(id))};
  parts.insert(parts.end(), assertion.accepts_end.begin(), assertion.accepts_end.end());
  return intern(std::move(parts));
}

ExchangedTerms::Term ExchangedTerms::predicate(const Expressions& pool, ExpressionId id) {
  start(pool, {});
  return expression(id);
}

}  // namespace panoptes
