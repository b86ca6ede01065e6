// SPDX-License-Identifier: Apache-2.0
#include "protocol/compose.hpp"

#include <algorithm>

namespace panoptes {
namespace {

// What an expression over the state after a step is over the state before it.
class Backward {
 public:
  Backward(const std::vector<Assignment>& assignments, Protocol& protocol)
      : assignments_(assignments), protocol_(protocol) {}

  // The step also adds a message to, or takes one from, `channel`.
  void exchange(ChannelId channel, int change) {
    channel_ = channel;
    change_ = change;
  }

  // The step leaves nothing in `channel`.
  void empty(ChannelId channel) {
    channel_ = channel;
    is_emptied_ = true;
  }

  void change(Assignment& a) {
    a.value = (*this)(a.value);
    if (a.index != none) a.index = (*this)(a.index);
  }
  ExpressionId operator()(ExpressionId id) {
    return protocol_.expressions.substitute(
        id, [this](const ExpressionNode& node) { return leaf(node); });
  }

 private:
  std::optional<ExpressionId> leaf(const ExpressionNode& node) {
    if (node.op == Op::variable) return after(protocol_.expressions.variable(node.a), node.a, 1);
    if (node.op == Op::element)
      return after(
          protocol_.expressions.element(node.b, static_cast<std::uint32_t>(node.value), node.a),
          node.b, static_cast<std::uint32_t>(node.value), node.a);
    if (node.op == Op::field || node.op == Op::tag || node.a != channel_) return {};
    Expressions& pool = protocol_.expressions;
    if (is_emptied_) return pool.constant(node.op == Op::empty ? 1 : 0);
    if (change_ == 0) return {};
    const ExpressionId length =
        pool.binary(Op::add, pool.ask(Op::length, channel_), pool.constant(change_));
    if (node.op == Op::length) return length;
    const std::int64_t limit =
        node.op == Op::empty ? 0 : std::int64_t{protocol_.channels[channel_].capacity};
    return pool.binary(Op::equal, length, pool.constant(limit));
  }

  // What `read`, one of the `length` variables from `first` on, is after the assignments: of each
  // that may be to it, in order, the value where it is.
  ExpressionId after(ExpressionId read, VariableId first, std::uint32_t length,
                     ExpressionId index = none) {
    Expressions& pool = protocol_.expressions;
    for (const Assignment& a : assignments_) {
      if (a.variable >= first + length || first >= a.variable + a.length) continue;
      const ExpressionId written = a.index == none ? pool.constant(0) : a.index;
      const ExpressionId asked = pool.constant(std::int64_t{first} - a.variable);
      const ExpressionId here = index == none         ? asked
                                : first == a.variable ? index
                                                      : pool.binary(Op::add, asked, index);
      const ExpressionId is_it =
          written == here ? pool.constant(1) : pool.binary(Op::equal, written, here);
      if (pool.is_constant(is_it)) {
        if (pool[is_it].value != 0) read = a.value;
        continue;
      }
      const Interval declared = protocol_.variables[first].declared;
      const ExpressionId other = pool.unary(Op::logical_not, is_it);
      read = pool.wrap(pool.binary(Op::add, pool.binary(Op::multiply, is_it, a.value),
                                   pool.binary(Op::multiply, other, read)),
                       declared.low, declared.high);
    }
    return read;
  }

  const std::vector<Assignment>& assignments_;
  Protocol& protocol_;
  ChannelId channel_ = none;
  int change_ = 0;
  bool is_emptied_ = false;
};

// `first`, then those of `then` in their place, sorted. What is overwritten must still have had a
// value: dividing by zero is an error even if nobody looks at the result.
std::vector<Assignment> merge(const std::vector<Assignment>& first,
                              const std::vector<Assignment>& then, Protocol& protocol) {
  std::vector<Assignment> result, over = then;
  for (const Assignment& a : first) {
    const auto same = std::find_if(over.begin(), over.end(), [&](const Assignment& b) {
      return b.variable == a.variable && a.index == none && b.index == none;
    });
    if (same == over.end())
      result.push_back(a);
    else
      same->value = protocol.expressions.binary(Op::after, a.value, same->value);
  }
  result.insert(result.end(), over.begin(), over.end());
  put_in_order(result, protocol.expressions);
  return result;
}

}  // namespace

// An assignment to a variable that another one may choose by its index gets one too: only then are
// they told apart by their order when they are sorted.
void put_in_order(std::vector<Assignment>& assignments, Expressions& pool) {
  for (const Assignment& array : assignments) {
    if (array.index == none) continue;
    for (Assignment& a : assignments) {
      if (a.index != none || a.variable < array.variable ||
          a.variable >= array.variable + array.length)
        continue;
      a.index = pool.constant(a.variable - array.variable);
      a.variable = array.variable;
      a.length = array.length;
    }
  }
  std::stable_sort(
      assignments.begin(), assignments.end(),
      [](const Assignment& a, const Assignment& b) { return a.variable < b.variable; });
}

void choose_once(Transition& transition, Expressions& pool) {
  auto& conditions = transition.conditions;
  if (transition.choosing == 0 || !pool.can_fail(conditions.front())) return;
  const ExpressionId chooses = conditions.front();
  if (transition.kind != ActionKind::bad_index) {
    conditions.front() = pool.both(pool.has_value(chooses), chooses);
  } else if (conditions.size() > 1) {
    conditions.front() = pool.unary(
        Op::logical_not, pool.both(pool.has_value(chooses), pool.unary(Op::logical_not, chooses)));
    conditions.push_back(chooses);
  }
}

std::vector<Assignment> compose(const std::vector<Assignment>& first,
                                const std::vector<Assignment>& then, Protocol& protocol) {
  Backward backward(first, protocol);
  std::vector<Assignment> moved = then;
  for (Assignment& a : moved) backward.change(a);
  return merge(first, moved, protocol);
}

Transition compose_before(const std::vector<Assignment>& before, Transition transition,
                          Protocol& protocol) {
  if (before.empty()) return transition;
  Backward backward(before, protocol);
  const std::vector<ExpressionId> asked = transition.conditions;
  for (ExpressionId& condition : transition.conditions) condition = backward(condition);
  if (transition.choosing > 0 && transition.conditions.front() != asked.front())
    choose_once(transition, protocol.expressions);
  for (ExpressionId& value : transition.values) value = backward(value);
  if (transition.check != none) transition.check = backward(transition.check);
  transition.assignments = compose(before, transition.assignments, protocol);
  return transition;
}

Transition compose_after(Transition transition, const std::vector<Assignment>& after,
                         Protocol& protocol) {
  if (after.empty()) return transition;
  Backward backward(transition.assignments, protocol);
  // What has no slots has as many messages afterwards as before.
  const bool has_slots =
      transition.channel != none && protocol.channels[transition.channel].capacity > 0;
  const bool takes =
      transition.kind == ActionKind::receive || transition.kind == ActionKind::receive_default;
  const bool changes = has_slots && !transition.is_fault;
  if (transition.kind == ActionKind::send && changes) backward.exchange(transition.channel, 1);
  if (takes && changes) backward.exchange(transition.channel, -1);
  if (transition.kind == ActionKind::flush) backward.empty(transition.channel);
  std::vector<Assignment> moved = after;
  for (Assignment& a : moved) backward.change(a);
  transition.assignments = merge(transition.assignments, moved, protocol);
  return transition;
}

}  // namespace panoptes
