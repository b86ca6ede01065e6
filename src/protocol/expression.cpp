// SPDX-License-Identifier: Apache-2.0
#include "protocol/expression.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

namespace panoptes {
namespace {

__extension__ typedef __int128 Wide;

constexpr bool is_binary(Op op) {
  return (op >= Op::logical_or && op <= Op::remainder) || op == Op::require || op == Op::after;
}

std::int64_t narrow(Wide value) { return static_cast<std::int64_t>(value); }

// Mathematical modulo: 0 <= result < |divisor|.
std::int64_t modulo(std::int64_t value, std::int64_t divisor) {
  const Wide size = divisor < 0 ? -static_cast<Wide>(divisor) : static_cast<Wide>(divisor);
  const Wide rest = static_cast<Wide>(value) % size;
  return narrow(rest < 0 ? rest + size : rest);
}

struct Spelling {
  std::string_view text;
  int precedence;
};

Spelling spelling(Op op) {
  switch (op) {
    case Op::logical_or: return {"||", 1};
    case Op::logical_and: return {"&&", 2};
    case Op::equal: return {"==", 3};
    case Op::not_equal: return {"!=", 3};
    case Op::less: return {"<", 4};
    case Op::less_equal: return {"<=", 4};
    case Op::greater: return {">", 4};
    case Op::greater_equal: return {">=", 4};
    case Op::add: return {"+", 5};
    case Op::subtract: return {"-", 5};
    case Op::multiply: return {"*", 6};
    case Op::divide: return {"/", 6};
    case Op::remainder: return {"%", 6};
    case Op::negate: return {"-", 7};
    case Op::logical_not: return {"!", 7};
    default: return {"", 8};
  }
}

}  // namespace

std::int64_t wrap_into(std::int64_t value, std::int64_t low, std::int64_t high) {
  if (value >= low && value <= high) return value;
  const Wide size = static_cast<Wide>(high) - low + 1;
  Wide rest = (static_cast<Wide>(value) - low) % size;
  if (rest < 0) rest += size;
  return narrow(low + rest);
}

std::optional<std::int64_t> apply(Op op, std::int64_t left, std::int64_t right) {
  const auto a = static_cast<std::uint64_t>(left);
  const auto b = static_cast<std::uint64_t>(right);
  switch (op) {
    case Op::negate: return static_cast<std::int64_t>(0 - a);
    case Op::logical_not: return left == 0;
    case Op::equal: return left == right;
    case Op::not_equal: return left != right;
    case Op::less: return left < right;
    case Op::less_equal: return left <= right;
    case Op::greater: return left > right;
    case Op::greater_equal: return left >= right;
    case Op::add: return static_cast<std::int64_t>(a + b);
    case Op::subtract: return static_cast<std::int64_t>(a - b);
    case Op::multiply: return static_cast<std::int64_t>(a * b);
    case Op::divide:
      if (right == 0) return {};
      return narrow(static_cast<Wide>(left) / right);
    case Op::remainder:
      if (right == 0) return {};
      return modulo(left, right);
    default: return {};
  }
}

std::size_t Expressions::Hash::operator()(const ExpressionNode& node) const {
  std::uint64_t hash = static_cast<std::uint64_t>(node.op);
  for (const std::uint64_t part :
       {static_cast<std::uint64_t>(node.a), static_cast<std::uint64_t>(node.b),
        static_cast<std::uint64_t>(node.c), static_cast<std::uint64_t>(node.value),
        static_cast<std::uint64_t>(node.high)})
    hash = (hash ^ part) * 0x9e3779b97f4a7c15u ^ (hash >> 29);
  return hash;
}

ExpressionId Expressions::intern(const ExpressionNode& node) {
  const auto [found, inserted] = known_.try_emplace(node, static_cast<ExpressionId>(nodes_.size()));
  if (inserted) {
    std::uint64_t size = 1;
    if (!is_leaf(node.op)) size += sizes_[node.a] + (is_binary(node.op) ? sizes_[node.b] : 0u);
    if (node.op == Op::field && node.c != none) size += sizes_[node.c];
    fails_.push_back(may_fail(node));
    nodes_.push_back(node);
    sizes_.push_back(static_cast<std::uint32_t>(std::min<std::uint64_t>(size, UINT32_MAX / 4)));
  }
  return found->second;
}

ExpressionId Expressions::constant(std::int64_t value) {
  return intern({.op = Op::constant, .value = value});
}

ExpressionId Expressions::variable(VariableId variable) {
  return intern({.op = Op::variable, .a = variable});
}

ExpressionId Expressions::field(ChannelId channel, std::uint32_t index, ExpressionId fallback,
                                std::uint32_t position) {
  return intern({.op = Op::field, .a = channel, .b = index, .c = fallback, .value = position});
}

ExpressionId Expressions::tag(ChannelId channel, std::uint32_t position) {
  return intern({.op = Op::tag, .a = channel, .value = position});
}

ExpressionId Expressions::ask(Op question, std::uint32_t of) {
  return intern({.op = question, .a = of});
}

ExpressionId Expressions::element(VariableId first, std::uint32_t length, ExpressionId index) {
  const ExpressionNode& at = nodes_[index];
  if (at.op == Op::constant && at.value >= 0 && at.value < length)
    return variable(first + static_cast<VariableId>(at.value));
  return intern({.op = Op::element, .a = index, .b = first, .value = length});
}

ExpressionId Expressions::unary(Op op, ExpressionId operand) {
  if (is_constant(operand)) return constant(*apply(op, nodes_[operand].value, 0));
  return intern({.op = op, .a = operand});
}

ExpressionId Expressions::binary(Op op, ExpressionId left, ExpressionId right) {
  if (op == Op::require) {
    if (is_constant(right) && nodes_[right].value != 0) return left;
    return intern({.op = op, .a = left, .b = right});
  }
  if (op == Op::after) return can_fail(left) ? intern({.op = op, .a = left, .b = right}) : right;
  if (is_constant(left) && op == Op::logical_and && nodes_[left].value == 0) return constant(0);
  if (is_constant(left) && op == Op::logical_or && nodes_[left].value != 0) return constant(1);
  if (is_constant(left) && is_constant(right)) {
    const std::int64_t r = nodes_[right].value;
    if (op == Op::logical_and || op == Op::logical_or) return constant(r != 0);
    if (const auto value = apply(op, nodes_[left].value, r)) return constant(*value);
  }
  return intern({.op = op, .a = left, .b = right});
}

ExpressionId Expressions::wrap(ExpressionId operand, std::int64_t low, std::int64_t high) {
  const ExpressionNode node = nodes_[operand];
  if (node.op == Op::constant) return constant(wrap_into(node.value, low, high));
  if (node.op == Op::wrap && node.value >= low && node.high <= high) return operand;
  return intern({.op = Op::wrap, .a = operand, .value = low, .high = high});
}

ExpressionId Expressions::bound(ExpressionId operand, std::int64_t low, std::int64_t high) {
  const ExpressionNode node = nodes_[operand];
  if (node.op == Op::constant && node.value >= low && node.value <= high) return operand;
  if ((node.op == Op::wrap || node.op == Op::bound) && node.value >= low && node.high <= high)
    return operand;
  return intern({.op = Op::bound, .a = operand, .value = low, .high = high});
}

ExpressionId Expressions::member(ExpressionId operand, const std::vector<bool>& set) {
  const auto [found, fresh] =
      known_sets_.try_emplace(set, static_cast<std::uint32_t>(sets_.size()));
  if (fresh) sets_.push_back(set);
  return intern({.op = Op::member, .a = operand, .b = found->second});
}

std::vector<std::size_t> Expressions::set_of(const ExpressionNode& member) const {
  std::vector<std::size_t> numbers;
  const std::vector<bool>& set = sets_[member.b];
  for (std::size_t number = 0; number < set.size(); ++number)
    if (set[number]) numbers.push_back(number);
  return numbers;
}

ExpressionId Expressions::holds(ExpressionId operand) {
  return can_fail(operand) ? intern({.op = Op::holds, .a = operand}) : operand;
}

ExpressionId Expressions::all_of(std::vector<ExpressionId> operands) {
  return operands.empty() ? constant(1) : balanced(Op::logical_and, std::move(operands));
}

ExpressionId Expressions::balanced(Op op, std::vector<ExpressionId> operands) {
  while (operands.size() > 1) {
    std::vector<ExpressionId> pairs;
    for (std::size_t i = 0; i < operands.size(); i += 2)
      pairs.push_back(i + 1 < operands.size() ? binary(op, operands[i], operands[i + 1])
                                              : operands[i]);
    operands = std::move(pairs);
  }
  return operands[0];
}

ExpressionId Expressions::truth(ExpressionId operand) {
  const ExpressionNode node = nodes_[operand];
  if (node.op == Op::constant) return constant(node.value != 0);
  const bool is_truth = (node.op >= Op::logical_or && node.op <= Op::greater_equal) ||
                        node.op == Op::logical_not || node.op == Op::full || node.op == Op::empty ||
                        node.op == Op::member || node.op == Op::holds;
  return is_truth ? operand : binary(Op::not_equal, operand, constant(0));
}

ExpressionId Expressions::joined(Op op, const std::vector<ExpressionId>& operands) {
  const std::int64_t neutral = op == Op::logical_and ? 1 : 0;
  std::vector<ExpressionId> parts;
  std::int64_t counted = 0;
  bool is_decided = false;
  for (const ExpressionId operand : operands) {
    if (is_decided) break;
    if (!is_constant(operand)) {
      parts.push_back(operand);
    } else if (op == Op::add) {
      counted += nodes_[operand].value;
    } else if (nodes_[operand].value != neutral) {
      parts.push_back(operand);
      is_decided = true;
    }
  }
  if (counted > 0 || parts.empty()) parts.push_back(constant(op == Op::add ? counted : neutral));
  return balanced(op, std::move(parts));
}

bool Expressions::may_fail(const ExpressionNode& node) const {
  switch (node.op) {
    case Op::holds: return false;
    case Op::field: return node.c != none && fails_[node.c];
    case Op::require:
    case Op::element:
    case Op::bound: return true;
    case Op::divide:
    case Op::remainder:
      if (!is_constant(node.b) || nodes_[node.b].value == 0) return true;
      break;
    default: break;
  }
  if (is_leaf(node.op)) return false;
  return fails_[node.a] || (is_binary(node.op) && fails_[node.b]);
}

ExpressionId Expressions::both(ExpressionId left, ExpressionId right) {
  if (is_constant(left) && nodes_[left].value != 0) return right;
  if (is_constant(right) && nodes_[right].value != 0) return left;
  return binary(Op::logical_and, left, right);
}

ExpressionId Expressions::has_value(ExpressionId operand) {
  const ExpressionNode node = nodes_[operand];
  if (!can_fail(operand) || node.op == Op::holds) return constant(1);
  if (node.op == Op::field) return has_value(node.c);
  const ExpressionId left = has_value(node.a);
  if (node.op == Op::element)
    return both(left, both(binary(Op::greater_equal, node.a, constant(0)),
                           binary(Op::less, node.a, constant(node.value))));
  if (node.op == Op::bound)
    return both(left, both(binary(Op::greater_equal, node.a, constant(node.value)),
                           binary(Op::less_equal, node.a, constant(node.high))));
  if (!is_binary(node.op)) return left;
  const ExpressionId right = has_value(node.b);
  switch (node.op) {
    case Op::require: return both(both(right, node.b), left);
    case Op::divide:
    case Op::remainder: return both(both(left, right), binary(Op::not_equal, node.b, constant(0)));
    case Op::logical_and:
    case Op::logical_or: {
      if (is_constant(right)) return left;
      const ExpressionId decides =
          node.op == Op::logical_or ? node.a : unary(Op::logical_not, node.a);
      return both(left, binary(Op::logical_or, decides, right));
    }
    default: return both(left, right);
  }
}

ExpressionId Expressions::substitute(ExpressionId id, const Leaf& leaf) {
  std::unordered_map<ExpressionId, ExpressionId> done;
  return substitute(id, leaf, done);
}

ExpressionId Expressions::substitute(ExpressionId id, const Leaf& leaf,
                                     std::unordered_map<ExpressionId, ExpressionId>& done) {
  const ExpressionNode node = nodes_[id];
  if (node.op == Op::constant) return id;
  if (const auto found = done.find(id); found != done.end()) return found->second;
  ExpressionId result = id;
  if (is_leaf(node.op)) {
    if (const auto replacement = leaf(node))
      result = *replacement;
    else if (node.op == Op::field && node.c != none)
      result = field(node.a, node.b, substitute(node.c, leaf, done),
                     static_cast<std::uint32_t>(node.value));
  } else {
    const ExpressionId left = substitute(node.a, leaf, done);
    if (node.op == Op::wrap)
      result = wrap(left, node.value, node.high);
    else if (node.op == Op::bound)
      result = bound(left, node.value, node.high);
    else if (node.op == Op::element)
      result = replace_element(node.b, static_cast<std::uint32_t>(node.value), left, leaf);
    else if (is_binary(node.op))
      result = binary(node.op, left, substitute(node.b, leaf, done));
    else if (node.op == Op::member)
      result = intern({.op = Op::member, .a = left, .b = node.b});
    else if (node.op == Op::holds)
      result = holds(left);
    else
      result = unary(node.op, left);
  }
  done[id] = result;
  return result;
}

ExpressionId Expressions::replace_element(VariableId first, std::uint32_t length,
                                          ExpressionId index, const Leaf& leaf) {
  const ExpressionId read = element(first, length, index);
  const ExpressionNode node = nodes_[read];
  return leaf(node).value_or(read);
}

namespace {

// Which nodes were seen in one look at an expression; the next one begins with none.
class SeenNodes {
 public:
  void begin(std::size_t nodes) {
    if (looks_.size() < nodes) looks_.resize(nodes);
    if (++look_ == 0) std::fill(looks_.begin(), looks_.end(), look_++);
  }
  bool insert(ExpressionId id) { return std::exchange(looks_[id], look_) != look_; }

 private:
  std::vector<std::uint32_t> looks_;  // by node: the last one that has seen it
  std::uint32_t look_ = 0;
};

}  // namespace

// All nodes are found before the first is visited: who visits it may want to see others.
void Expressions::visit(ExpressionId id,
                        const std::function<void(const ExpressionNode&)>& visit_node) const {
  thread_local SeenNodes seen;
  seen.begin(nodes_.size());
  std::vector<ExpressionId> waiting{id}, found;
  while (!waiting.empty()) {
    const ExpressionId next = waiting.back();
    waiting.pop_back();
    if (!seen.insert(next)) continue;
    const ExpressionNode& node = nodes_[next];
    found.push_back(next);
    if (node.op == Op::field && node.c != none) waiting.push_back(node.c);
    if (is_leaf(node.op)) continue;
    if (is_binary(node.op)) waiting.push_back(node.b);
    waiting.push_back(node.a);
  }
  for (const ExpressionId one : found) visit_node(nodes_[one]);
}

namespace {

// The first one goes by the name of its channel.
std::string message_name(const std::string& channel, std::int64_t position) {
  return position == 0 ? channel : fmt::format("{}[{}]", channel, position);
}

void write(const Expressions& pool, ExpressionId id, const ExpressionNames& names, int outer,
           std::string& out) {
  const ExpressionNode& node = pool[id];
  switch (node.op) {
    case Op::constant: out += std::to_string(node.value); return;
    case Op::variable: out += names.variable(node.a); return;
    case Op::field: out += field_name(names.channel(node.a), node.b, node.value); return;
    case Op::tag:
      out += fmt::format("tag({})", message_name(names.channel(node.a), node.value));
      return;
    case Op::length: out += fmt::format("len({})", names.channel(node.a)); return;
    case Op::full: out += fmt::format("full({})", names.channel(node.a)); return;
    case Op::empty: out += fmt::format("empty({})", names.channel(node.a)); return;
    case Op::wrap:
    case Op::bound:
    case Op::require: write(pool, node.a, names, outer, out); return;
    case Op::after: write(pool, node.b, names, outer, out); return;
    case Op::element:
      out += array_name(names.variable(node.b)) + "[";
      write(pool, node.a, names, 0, out);
      out += "]";
      return;
    case Op::control: out += fmt::format("control({})", node.a); return;
    case Op::subset: out += fmt::format("subset({})", node.a); return;
    case Op::member:
    case Op::holds:
      out += node.op == Op::member ? "member(" : "holds(";
      write(pool, node.a, names, 0, out);
      if (node.op == Op::member) out += fmt::format(", {}", fmt::join(pool.set_of(node), ", "));
      out += ')';
      return;
    default: break;
  }
  const Spelling s = spelling(node.op);
  const bool parentheses = s.precedence < outer;
  if (parentheses) out += '(';
  if (is_binary(node.op)) {
    write(pool, node.a, names, s.precedence, out);
    out += fmt::format(" {} ", s.text);
    write(pool, node.b, names, s.precedence + 1, out);
  } else {
    out += s.text;
    write(pool, node.a, names, s.precedence, out);
  }
  if (parentheses) out += ')';
}

}  // namespace

std::string field_name(const std::string& channel, std::uint32_t index, std::int64_t position) {
  return fmt::format("{}.value{}", message_name(channel, position), index + 1);
}

std::string array_name(const std::string& first) { return first.substr(0, first.rfind('[')); }

std::string to_text(const Expressions& pool, ExpressionId id, const ExpressionNames& names) {
  std::string out;
  write(pool, id, names, 0, out);
  return out;
}

}  // namespace panoptes
