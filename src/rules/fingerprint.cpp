// SPDX-License-Identifier: Apache-2.0
#include "rules/fingerprint.hpp"

#include "base/hash.hpp"

namespace panoptes {
namespace {

// Everything as words, a list with its length before it, so that no two programs are the same list.
class Words {
 public:
  void number(std::uint64_t value) { words_.push_back(value); }
  void integer(std::int64_t value) { words_.push_back(static_cast<Word>(value)); }
  void text(const std::string& value) { words_.push_back(hash_text(value)); }
  void interval(const Interval& value) {
    integer(value.low);
    integer(value.high);
  }
  template <typename List, typename Each>
  void list(const List& list, const Each& each) {
    number(list.size());
    for (const auto& element : list) each(element);
  }
  template <typename List>
  void numbers(const List& values) {
    list(values, [&](std::uint64_t value) { number(value); });
  }
  std::uint64_t hash() const { return hash_words(words_); }

 private:
  StateWords words_;
};

void add_channel(const Channel& channel, Words& words) {
  words.text(channel.name);
  words.number(channel.capacity);
  words.number(channel.is_sink ? 1 : 0);
  words.number(channel.reader());
  words.list(channel.sort, [&](const MessageType& type) {
    words.text(type.name);
    words.list(type.values, [&](const Interval& range) { words.interval(range); });
  });
}

// Those of the table of errors follow from the rest.
void add_expressions(const Program& program, Words& words) {
  const Expressions& pool = program.protocol.expressions;
  words.number(program.errors.first_expression);
  for (ExpressionId id = 0; id < program.errors.first_expression; ++id) {
    const ExpressionNode& node = pool[id];
    words.number(static_cast<std::uint64_t>(node.op));
    words.number(node.a);
    words.number(node.b);
    words.number(node.c);
    words.integer(node.value);
    words.integer(node.high);
  }
}

void add_assertion(const Assertion& assertion, Words& words) {
  words.text(assertion.name);
  words.list(assertion.scope, [&](const ExternalAction& action) {
    words.number(action.channel);
    words.number(action.is_send ? 1 : 0);
    words.text(action.message);
  });
  words.list(assertion.next, [&](const auto& row) { words.numbers(row); });
  words.numbers(assertion.accepts_end);
}

void add_rule(const Program& program, RuleId id, Words& words) {
  const Rule& rule = program.rules[id];
  words.number(rule.owner().process);
  words.number(rule.owner().from);
  words.number(rule.owner().to);
  words.number(program.class_of(id) + (program.round_of(id).waits_for_exchanges ? 1000 : 0));
  words.number(static_cast<std::uint64_t>(rule.kind));
  words.numbers(rule.conditions);
  words.number(rule.channel);
  words.number(rule.tag);
  words.numbers(rule.values);
  words.list(rule.assignments, [&](const Assignment& assignment) {
    words.number(assignment.variable);
    words.number(assignment.value);
  });
  words.number(rule.check);
  words.list(rule.assertion_moves, [&](const AssertionMove& move) {
    words.number(move.assertion);
    words.number(move.symbol);
  });
  words.numbers(rule.statements);
}

// What few programs have: those without it have no word of it.
void add_other_forms(RuleId id, const Rule& rule, Words& words) {
  std::vector<Assignment> elements;
  for (const Assignment& a : rule.assignments)
    if (a.index != none) elements.push_back(a);
  if (rule.moves.size() == 1 && elements.empty() && rule.position == 0 && !rule.ends_inside) return;
  words.number(id);
  words.number(rule.position);
  words.number(rule.ends_inside ? 1 : 0);
  words.list(rule.moves, [&](const ProcessMove& move) {
    words.number(move.process);
    words.number(move.from);
    words.number(move.to);
  });
  words.list(elements, [&](const Assignment& assignment) {
    words.number(assignment.variable);
    words.number(assignment.index);
    words.number(assignment.length);
  });
}

void add_control(const ControlInfo& info, Words& words) {
  words.list(info.receptions, [&](const Reception& reception) {
    words.number(reception.channel);
    words.numbers(reception.conditions);
    words.numbers(reception.accepts);
    if (!reception.guards.empty()) words.numbers(reception.guards);
  });
  words.number(info.same_place);
  words.number((info.receives_only ? 4 : 0) + (info.is_end ? 2 : 0) + (info.may_stop ? 1 : 0));
}

}  // namespace

std::uint64_t fingerprint(const Program& program) {
  Words words;
  const Protocol& protocol = program.protocol;
  words.list(protocol.channels, [&](const Channel& channel) { add_channel(channel, words); });
  words.list(protocol.variables, [&](const Variable& variable) {
    words.text(variable.name);
    words.number(variable.process);
    words.interval(variable.range);
  });
  words.list(protocol.processes, [&](const Process& process) { words.text(process.name); });
  words.list(protocol.assertions, [&](const Assertion& a) { add_assertion(a, words); });
  add_expressions(program, words);
  words.number(static_cast<std::uint64_t>(program.timeouts));
  words.number(program.overflow == OverflowPolicy::error ? 1 : 0);
  words.number(program.rules.size());
  for (RuleId id = 0; id < program.rules.size(); ++id) add_rule(program, id, words);
  words.list(program.control, [&](const auto& states) {
    words.list(states, [&](const ControlInfo& info) { add_control(info, words); });
  });
  words.numbers(program.initial);
  for (RuleId id = 0; id < program.rules.size(); ++id)
    add_other_forms(id, program.rules[id], words);
  for (const Channel& channel : protocol.channels)
    if (channel.readers.size() > 1) words.numbers(channel.readers);
  return words.hash();
}

}  // namespace panoptes
