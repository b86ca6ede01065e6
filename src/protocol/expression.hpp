// SPDX-License-Identifier: Apache-2.0
// Expressions over a system state, as data.
//
// A pool holds interned nodes, so that equal expressions have equal numbers: minimisation compares
// actions by number, and every engine (interpreter, code generator, SQL, backward step) walks the
// same nodes. Children always have smaller numbers than their parents.
//
// Values are 64-bit two's complement; comparisons and logic give 0 or 1; `/` truncates, `%` is
// never negative; division by zero has no value, which the evaluator reports and never folds away.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace panoptes {

using ExpressionId = std::uint32_t;
using VariableId = std::uint32_t;
using ChannelId = std::uint32_t;
inline constexpr std::uint32_t none = UINT32_MAX;

enum class Op : std::uint8_t {
  constant,  // value
  variable,  // a = variable
  field,  // a = channel, b = index, c = fallback: that value of the message `value` places behind
          // the head, or the fallback where the message has no such value. Without a fallback,
          // which is how rules have it, 0 where there is no such message or value
  length,
  full,
  empty,  // a = channel
  negate,
  logical_not,  // a
  logical_or,
  logical_and,
  equal,
  not_equal,
  less,
  less_equal,
  greater,
  greater_equal,
  add,
  subtract,
  multiply,
  divide,
  remainder,  // a, b
  wrap,       // a, folded into low..high modulo the size of that range
  require,    // a, where b holds; else the index of a family is out of range
  after,      // b, once a has been found to have a value
  element,    // the variable a places behind variable b, in an array of `value` of them; elsewhere
              // the index is out of range
  // What is asked of a whole state; no text of a model asks for it.
  tag,      // a = channel: that of the message `value` places behind the head; 0 where none is
  control,  // a = process: its control state
  subset,   // a = assertion: its current subset
  member,   // whether a is a number of set b
  holds,    // whether a has a value, and that is not 0
  bound,    // a, where it lies in low..high; else it is out of range
};
constexpr bool is_leaf(Op op) { return op <= Op::empty || (op >= Op::tag && op <= Op::subset); }

struct ExpressionNode {
  Op op = Op::constant;
  std::uint32_t a = none, b = none, c = none;
  std::int64_t value = 0;  // constant; low end of wrap and bound; length of an array; place in a
                           // channel
  std::int64_t high = 0;   // high end of wrap and bound
  friend bool operator==(const ExpressionNode&, const ExpressionNode&) = default;
};

// The comparison with its sides exchanged: `a op b` is `b mirrored(op) a`.
constexpr Op mirrored(Op op) {
  switch (op) {
    case Op::less: return Op::greater;
    case Op::less_equal: return Op::greater_equal;
    case Op::greater: return Op::less;
    case Op::greater_equal: return Op::less_equal;
    default: return op;
  }
}

// The value of `value` folded into low..high.
std::int64_t wrap_into(std::int64_t value, std::int64_t low, std::int64_t high);

// One operation on values; nothing where it divides by zero. Not for &&, || (they do not evaluate
// their right side when the left decides), nor for leaves.
std::optional<std::int64_t> apply(Op op, std::int64_t left, std::int64_t right);

enum class Fault : std::uint8_t { absent, division_by_zero, index_out_of_range, out_of_range };

// The value of an expression, or why it has none.
struct Evaluation {
  std::int64_t value = 0;
  Fault fault = Fault::absent;
};

class Expressions {
 public:
  ExpressionId constant(std::int64_t value);
  ExpressionId variable(VariableId variable);
  ExpressionId field(ChannelId channel, std::uint32_t index, ExpressionId fallback,
                     std::uint32_t position = 0);
  ExpressionId tag(ChannelId channel, std::uint32_t position = 0);
  // Length, full and empty of a channel; control state of a process; subset of an assertion.
  ExpressionId ask(Op question, std::uint32_t of);
  // One of the variables from `first` on, `length` of them, by its place among them.
  ExpressionId element(VariableId first, std::uint32_t length, ExpressionId index);
  ExpressionId unary(Op op, ExpressionId operand);
  ExpressionId binary(Op op, ExpressionId left, ExpressionId right);
  ExpressionId wrap(ExpressionId operand, std::int64_t low, std::int64_t high);
  ExpressionId bound(ExpressionId operand, std::int64_t low, std::int64_t high);
  ExpressionId member(ExpressionId operand, const std::vector<bool>& set);
  ExpressionId holds(ExpressionId operand);
  // Whether the operand has a value, as an expression that always has one.
  ExpressionId has_value(ExpressionId operand);
  // Both are not 0. Where one is a constant, the other.
  ExpressionId both(ExpressionId left, ExpressionId right);
  // Every operand is not 0, at a depth that grows with the logarithm of their number.
  ExpressionId all_of(std::vector<ExpressionId> operands);
  // 1 where the operand is not 0.
  ExpressionId truth(ExpressionId operand);
  // The operands joined by &&, || or +, from left to right and at such a depth; those that are
  // constant and make no difference are left out. REQUIRES: each is 0 or 1.
  ExpressionId joined(Op op, const std::vector<ExpressionId>& operands);

  const ExpressionNode& operator[](ExpressionId id) const { return nodes_[id]; }
  bool is_constant(ExpressionId id) const { return nodes_[id].op == Op::constant; }
  std::size_t size() const { return nodes_.size(); }
  bool contains(const ExpressionNode& member, std::int64_t value) const {
    const std::vector<bool>& set = sets_[member.b];
    return value >= 0 && static_cast<std::uint64_t>(value) < set.size() &&
           set[static_cast<std::size_t>(value)];
  }
  // The numbers of the set that `member` asks for.
  std::vector<std::size_t> set_of(const ExpressionNode& member) const;
  // Whether some state leaves it without a value.
  bool can_fail(ExpressionId id) const { return fails_[id]; }
  // Number of nodes of the expression written out as a tree, saturating.
  std::uint32_t tree_size(ExpressionId id) const { return sizes_[id]; }

  // Rebuilds `id` bottom up; `leaf` gives the replacement of a variable, a field or a question to a
  // channel, nothing to keep it; and of an element, whose index is rebuilt already.
  using Leaf = std::function<std::optional<ExpressionId>(const ExpressionNode&)>;
  ExpressionId substitute(ExpressionId id, const Leaf& leaf);

  // Calls `visit` for every node of `id`, shared ones once.
  void visit(ExpressionId id, const std::function<void(const ExpressionNode&)>& visit) const;

 private:
  ExpressionId intern(const ExpressionNode& node);
  ExpressionId substitute(ExpressionId id, const Leaf& leaf,
                          std::unordered_map<ExpressionId, ExpressionId>& done);
  ExpressionId balanced(Op op, std::vector<ExpressionId> operands);
  ExpressionId replace_element(VariableId first, std::uint32_t length, ExpressionId index,
                               const Leaf& leaf);
  struct Hash {
    std::size_t operator()(const ExpressionNode& node) const;
  };
  bool may_fail(const ExpressionNode& node) const;

  std::vector<ExpressionNode> nodes_;
  std::vector<std::uint32_t> sizes_;
  std::vector<bool> fails_;
  std::unordered_map<ExpressionNode, ExpressionId, Hash> known_;
  std::vector<std::vector<bool>> sets_;  // of members
  std::map<std::vector<bool>, std::uint32_t> known_sets_;
};

// Evaluates `id`. `environment` answers variable(id), field(channel, index, position),
// tag(channel, position), length(channel), full(channel), empty(channel); where a whole state is at
// hand, also part(op, id): control and subset.
template <typename Environment>
Evaluation evaluate(const Expressions& pool, ExpressionId id, const Environment& environment) {
  const ExpressionNode& node = pool[id];
  switch (node.op) {
    case Op::constant: return {node.value};
    case Op::variable: return {environment.variable(node.a)};
    case Op::field:
      return {environment.field(node.a, node.b, static_cast<std::uint32_t>(node.value))};
    case Op::tag: return {environment.tag(node.a, static_cast<std::uint32_t>(node.value))};
    case Op::length: return {environment.length(node.a)};
    case Op::full: return {environment.full(node.a)};
    case Op::empty: return {environment.empty(node.a)};
    case Op::control:
    case Op::subset:
      if constexpr (requires { environment.part(node.op, node.a); })
        return {environment.part(node.op, node.a)};
      return {};
    case Op::require: {
      const Evaluation holds = evaluate(pool, node.b, environment);
      if (holds.fault != Fault::absent) return holds;
      if (holds.value == 0) return {0, Fault::index_out_of_range};
      return evaluate(pool, node.a, environment);
    }
    default: break;
  }
  const Evaluation left = evaluate(pool, node.a, environment);
  if (node.op == Op::holds) return {left.fault == Fault::absent && left.value != 0};
  if (left.fault != Fault::absent) return left;
  if (node.op == Op::wrap) return {wrap_into(left.value, node.value, node.high)};
  if (node.op == Op::bound) {
    const bool fits = left.value >= node.value && left.value <= node.high;
    return fits ? left : Evaluation{0, Fault::out_of_range};
  }
  if (node.op == Op::element) {
    if (left.value < 0 || left.value >= node.value) return {0, Fault::index_out_of_range};
    return {environment.variable(node.b + static_cast<VariableId>(left.value))};
  }
  if (node.op == Op::member) return {pool.contains(node, left.value)};
  if (node.op == Op::negate || node.op == Op::logical_not) return {*apply(node.op, left.value, 0)};
  if (node.op == Op::logical_or && left.value != 0) return {1};
  if (node.op == Op::logical_and && left.value == 0) return {0};
  const Evaluation right = evaluate(pool, node.b, environment);
  if (right.fault != Fault::absent || node.op == Op::after) return right;
  if (node.op == Op::logical_or || node.op == Op::logical_and) return {right.value != 0};
  if (const auto value = apply(node.op, left.value, right.value)) return {*value};
  return {0, Fault::division_by_zero};
}

// `id` as text, with names from the two functions. C's precedence, fewest parentheses.
struct ExpressionNames {
  std::function<std::string(VariableId)> variable;
  std::function<std::string(ChannelId)> channel;
};
// `c.value1`, of the message `position` places behind the head of channel `c`.
std::string field_name(const std::string& channel, std::uint32_t index, std::int64_t position);
// That of an array, by the name of its first variable: `a` of `a[0]`.
std::string array_name(const std::string& first);
std::string to_text(const Expressions& pool, ExpressionId id, const ExpressionNames& names);

}  // namespace panoptes
