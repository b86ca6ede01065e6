// SPDX-License-Identifier: Apache-2.0
#include "step/native_expression.hpp"

namespace panoptes::native {
namespace {

Condition condition_of(Op comparison) {
  switch (comparison) {
    case Op::equal: return Condition::equal;
    case Op::not_equal: return Condition::not_equal;
    case Op::less: return Condition::less;
    case Op::less_equal: return Condition::less_equal;
    case Op::greater: return Condition::greater;
    default: return Condition::greater_equal;
  }
}

bool is_number(const LoweredNode& node) {
  return node.op == Op::constant || node.op == Op::variable;
}

}  // namespace

void ExpressionCode::leaf(const LoweredNode& node, Register to) {
  if (node.op == Op::constant) {
    a_.move(to, node.value);
    return;
  }
  words_.load(node.at, to);
  if (node.op == Op::variable) words_.add_to(to, node.value, to == rcx ? rdx : rcx);
}

void ExpressionCode::value(std::uint32_t id, FailureExit& fail) {
  const LoweredNode& node = lowered_.nodes[id];
  switch (node.op) {
    case Op::constant:
    case Op::variable: leaf(node, rax); return;
    case Op::full:
    case Op::empty:
      leaf(node, rax);
      a_.test(rax);
      a_.set_rax(node.op == Op::full ? Condition::not_equal : Condition::equal);
      return;
    case Op::length: length(node); return;
    case Op::negate:
      value(node.a, fail);
      a_.negate(rax);
      return;
    case Op::logical_not:
      value(node.a, fail);
      a_.test(rax);
      a_.set_rax(Condition::equal);
      return;
    case Op::wrap: wrap(node, fail); return;
    case Op::bound:
      value(node.a, fail);
      words_.compare(rax, node.value, rcx);
      a_.jump_if(Condition::less, fail.taken());
      words_.compare(rax, node.high, rcx);
      a_.jump_if(Condition::greater, fail.taken());
      return;
    case Op::element: element(node, fail); return;
    case Op::require:
      value(node.b, fail);
      a_.test(rax);
      a_.jump_if(Condition::equal, fail.taken());
      value(node.a, fail);
      return;
    case Op::after:
      value(node.a, fail);
      value(node.b, fail);
      return;
    case Op::logical_or:
    case Op::logical_and: short_circuit(node, fail); return;
    default: binary(node, fail); return;
  }
}

void ExpressionCode::element(const LoweredNode& node, FailureExit& fail) {
  value(node.a, fail);
  if (node.can_fail) {
    words_.compare(rax, node.high, rcx);
    a_.jump_if(Condition::not_below, fail.taken());
  }
  if (node.at.bits == 0) {
    a_.move(rax, node.value);
    return;
  }
  words_.load_element(lowered_.tables[node.b].data(), node.at.bits);
  words_.add_to(rax, node.value, rcx);
}

void ExpressionCode::length(const LoweredNode& node) {
  a_.clear(rax);
  for (std::uint32_t tag = node.a; tag < node.b; ++tag) {
    words_.load(lowered_.tags[tag], rdx);
    a_.compare(rdx, 1);
    a_.subtract_with_borrow(rax, -1);
  }
}

void ExpressionCode::short_circuit(const LoweredNode& node, FailureExit& fail) {
  const Label decided = a_.label();
  value(node.a, fail);
  a_.test(rax);
  a_.set_rax(Condition::not_equal);
  a_.test(rax);
  a_.jump_if(node.op == Op::logical_or ? Condition::not_equal : Condition::equal, decided);
  value(node.b, fail);
  a_.test(rax);
  a_.set_rax(Condition::not_equal);
  a_.bind(decided);
}

void ExpressionCode::binary(const LoweredNode& node, FailureExit& fail) {
  const LoweredNode& right = lowered_.nodes[node.b];
  if (is_number(right)) {
    value(node.a, fail);
    leaf(right, rcx);
  } else {
    value(node.b, fail);
    a_.push(rax);
    value(node.a, fail);
    a_.pop(rcx);
  }
  operate(node.op, right.op == Op::constant ? right.value : 0, fail);
}

// rax = rax op rcx; `divisor` is its value where it is a constant, else 0.
void ExpressionCode::operate(Op op, std::int64_t divisor, FailureExit& fail) {
  switch (op) {
    case Op::add: a_.add(rax, rcx); return;
    case Op::subtract: a_.subtract(rax, rcx); return;
    case Op::multiply: a_.multiply(rax, rcx); return;
    case Op::divide:
    case Op::remainder: divide(op == Op::remainder, divisor, fail); return;
    default: break;
  }
  a_.compare(rax, rcx);
  a_.set_rax(condition_of(op));
}

void ExpressionCode::divide(bool remainder, std::int64_t divisor, FailureExit& fail) {
  if (remainder && divisor > 0 && (divisor & (divisor - 1)) == 0) {
    words_.keep_bits(rax, static_cast<Word>(divisor - 1), rcx);
    return;
  }
  const Label done = a_.label(), plain = a_.label();
  if (divisor == 0) {
    a_.test(rcx);
    a_.jump_if(Condition::equal, fail.taken());
  }
  // The one quotient that does not fit makes the processor trap.
  a_.compare(rcx, -1);
  a_.jump_if(Condition::not_equal, plain);
  if (remainder)
    a_.clear(rax);
  else
    a_.negate(rax);
  a_.jump(done);
  a_.bind(plain);
  a_.divide_rax(rcx);
  if (remainder) never_negative();
  a_.bind(done);
}

// rax = the remainder in rdx, which has the sign of the dividend; the divisor is in rcx.
void ExpressionCode::never_negative() {
  const Label positive = a_.label(), add = a_.label();
  a_.move(rax, rdx);
  a_.test(rax);
  a_.jump_if(Condition::greater_equal, positive);
  a_.test(rcx);
  a_.jump_if(Condition::greater_equal, add);
  a_.negate(rcx);
  a_.bind(add);
  a_.add(rax, rcx);
  a_.bind(positive);
}

// low + (value - low) mod size, where value - low may not fit into 64 bits: both are reduced first.
void ExpressionCode::wrap(const LoweredNode& node, FailureExit& fail) {
  value(node.a, fail);
  const std::int64_t size = node.high - node.value + 1;
  const Label outside = a_.label(), small = a_.label(), done = a_.label();
  words_.compare(rax, node.value, rcx);
  a_.jump_if(Condition::less, outside);
  words_.compare(rax, node.high, rcx);
  a_.jump_if(Condition::less_equal, done);
  a_.bind(outside);
  a_.move(rcx, size);
  divide(true, size, fail);
  words_.add_to(rax, *apply(Op::remainder, -node.value, size), rcx);
  words_.compare(rax, size, rcx);
  a_.jump_if(Condition::less, small);
  words_.add_to(rax, -size, rcx);
  a_.bind(small);
  words_.add_to(rax, node.value, rcx);
  a_.bind(done);
}

}  // namespace panoptes::native
