// SPDX-License-Identifier: Apache-2.0
#include "verdict/failing_step.hpp"

#include <algorithm>

#include "step/interpreter.hpp"

namespace panoptes {
namespace {

// An expression of the step; of an assignment, its index or its value.
struct Part {
  ExpressionId expression;
  const Assignment* indexed = nullptr;
  const Assignment* assigned = nullptr;
};

// In the order in which the interpreter computes them.
std::vector<Part> parts_of(const Rule& rule) {
  std::vector<Part> parts;
  for (const ExpressionId id : rule.conditions) parts.push_back({id});
  if (rule.check != none) parts.push_back({rule.check});
  for (const ExpressionId id : rule.values) parts.push_back({id});
  for (const Assignment& a : rule.assignments) {
    if (a.index != none) parts.push_back({a.index, &a});
    parts.push_back({a.value, nullptr, &a});
  }
  return parts;
}

class Failure {
 public:
  Failure(const Program& program, StateView state)
      : program_(program), interpreter_(program), state_(state) {}

  bool fails(ExpressionId id) const {
    return interpreter_.value(id, state_).fault != Fault::absent;
  }
  std::int64_t value(ExpressionId id) const { return interpreter_.value(id, state_).value; }

  // The operand that has no value though those it is computed from have one. REQUIRES: fails(id).
  ExpressionId origin(ExpressionId id) const {
    const ExpressionNode& node = program_.protocol.expressions[id];
    const bool has_both = node.op != Op::wrap && node.op != Op::element && node.op != Op::negate &&
                          node.op != Op::logical_not && node.op != Op::member &&
                          node.op != Op::bound;
    if (node.op == Op::require && fails(node.b)) return origin(node.b);
    if (fails(node.a)) return origin(node.a);
    if (has_both && node.op != Op::require && fails(node.b)) return origin(node.b);
    return id;
  }

  FailingIndex at(VariableId first, ExpressionId index, std::int64_t length) const {
    return {array_name(program_.protocol.variables[first].name), value(index), length};
  }

 private:
  const Program& program_;
  const Interpreter interpreter_;
  StateView state_;
};

}  // namespace

std::vector<VariableId> variables_read(const Program& program, const Rule& rule, StateView state) {
  const Expressions& pool = program.protocol.expressions;
  const Failure failure(program, state);
  std::vector<VariableId> reads;
  for (const Part& part : parts_of(rule))
    pool.visit(part.expression, [&](const ExpressionNode& node) {
      if (node.op == Op::variable) reads.push_back(node.a);
      if (node.op != Op::element || failure.fails(node.a)) return;
      const std::int64_t place = failure.value(node.a);
      if (place >= 0 && place < node.value)
        reads.push_back(node.b + static_cast<VariableId>(place));
    });
  std::sort(reads.begin(), reads.end());
  reads.erase(std::unique(reads.begin(), reads.end()), reads.end());
  return reads;
}

std::optional<FailingIndex> failing_index(const Program& program, const Rule& rule,
                                          StateView state) {
  const Failure failure(program, state);
  for (const Part& part : parts_of(rule)) {
    if (failure.fails(part.expression)) {
      const ExpressionNode& node = program.protocol.expressions[failure.origin(part.expression)];
      if (node.op != Op::element) return {};
      return failure.at(node.b, node.a, node.value);
    }
    if (part.indexed == nullptr) continue;
    const std::int64_t place = failure.value(part.expression);
    if (place < 0 || place >= part.indexed->length)
      return failure.at(part.indexed->variable, part.expression, part.indexed->length);
  }
  return {};
}

std::optional<FailingValue> failing_value(const Program& program, const Rule& rule,
                                          StateView state) {
  const Failure failure(program, state);
  const Protocol& protocol = program.protocol;
  for (const Part& part : parts_of(rule)) {
    if (!failure.fails(part.expression)) continue;
    const ExpressionId origin = failure.origin(part.expression);
    const ExpressionNode& node = protocol.expressions[origin];
    if (node.op != Op::bound) return {};
    // What was assigned before a call is computed again for its arguments.
    const Assignment* assigned = part.assigned;
    for (const Assignment& a : rule.assignments)
      if (a.value == origin) assigned = &a;
    if (assigned == nullptr) return {};
    const VariableId variable =
        assigned->variable +
        (assigned->index == none ? 0 : static_cast<VariableId>(failure.value(assigned->index)));
    return FailingValue{
        protocol.variables[variable].name, failure.value(node.a), {node.value, node.high}};
  }
  return {};
}

}  // namespace panoptes
