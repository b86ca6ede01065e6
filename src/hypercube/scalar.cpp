// SPDX-License-Identifier: Apache-2.0
#include "hypercube/scalar.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace panoptes {

// ---- reading -------------------------------------------------------------------------------

// By recursive descent: or, and, not, comparison, bits, sum, product, sign, cast, operand.
class ScalarReader {
 public:
  ScalarReader(const std::string& sql, const algebra::Names& columns)
      : sql_(sql), columns_(columns) {
    next();
  }

  Result<Scalar, std::string> run() {
    scalar_.root_ = disjunction();
    if (failure_.empty() && !token_.empty()) fail();
    if (!failure_.empty()) return failure_;
    return std::move(scalar_);
  }

 private:
  using Op = Scalar::Op;
  using Id = std::uint32_t;

  // Numbers, words, and signs of one or two characters.
  void next() {
    while (at_ < sql_.size() && std::isspace(static_cast<unsigned char>(sql_[at_]))) ++at_;
    const std::size_t from = at_;
    if (at_ < sql_.size() && is_word(sql_[at_])) {
      while (at_ < sql_.size() && is_word(sql_[at_])) ++at_;
    } else if (at_ < sql_.size()) {
      at_ += is_pair(sql_.substr(at_, 2)) ? 2 : 1;
    }
    token_ = sql_.substr(from, at_ - from);
  }
  static bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }
  static bool is_pair(const std::string& text) {
    return text == "::" || text == "<>" || text == "<=" || text == ">=" || text == "//" ||
           text == ">>";
  }

  bool take(const char* token) {
    if (token_ != token) return false;
    next();
    return true;
  }
  void need(const char* token) {
    if (!take(token)) fail();
  }
  Id fail() {
    if (failure_.empty())
      failure_ = fmt::format("cannot read `{}` at `{}`", sql_.substr(0, 200), token_);
    token_.clear();
    at_ = sql_.size();
    return 0;
  }
  Id add(Op op, std::vector<Id> operands = {}, Scalar::Number number = 0) {
    scalar_.nodes_.push_back({op, number, std::move(operands)});
    return static_cast<Id>(scalar_.nodes_.size() - 1);
  }

  // Operands of a chain are one node, however many: a deep tree would need a deep stack.
  Id chain(const char* word, Op op, Id (ScalarReader::*operand)()) {
    std::vector<Id> operands = {(this->*operand)()};
    while (take(word)) operands.push_back((this->*operand)());
    return operands.size() == 1 ? operands[0] : add(op, std::move(operands));
  }
  Id disjunction() { return chain("OR", Op::logical_or, &ScalarReader::conjunction); }
  Id conjunction() { return chain("AND", Op::logical_and, &ScalarReader::negation); }
  Id negation() { return take("NOT") ? add(Op::logical_not, {negation()}) : comparison(); }

  Id comparison() {
    const Id left = bits();
    if (take("=")) return add(Op::equal, {left, bits()});
    if (take("<>")) return add(Op::not_equal, {left, bits()});
    if (take("<=")) return add(Op::less_equal, {left, bits()});
    if (take(">=")) return add(Op::greater_equal, {left, bits()});
    if (take("<")) return add(Op::less, {left, bits()});
    if (take(">")) return add(Op::greater, {left, bits()});
    if (take("IS")) {
      const bool is_not = take("NOT");
      need("NULL");
      const Id is_null = add(Op::is_null, {left});
      return is_not ? add(Op::logical_not, {is_null}) : is_null;
    }
    const bool is_not = take("NOT");
    Id result = left;
    if (take("BETWEEN")) {
      const Id low = bits();
      need("AND");
      result = add(Op::logical_and,
                   {add(Op::less_equal, {low, left}), add(Op::less_equal, {left, bits()})});
    } else if (take("IN")) {
      need("(");
      result = add(Op::is_in, list(left));
    } else if (is_not) {
      return fail();
    }
    return is_not ? add(Op::logical_not, {result}) : result;
  }

  Id bits() {
    Id left = sum();
    while (true) {
      if (take("&"))
        left = add(Op::bit_and, {left, sum()});
      else if (take(">>"))
        left = add(Op::shift_right, {left, sum()});
      else
        return left;
    }
  }

  Id sum() {
    Id left = product();
    while (true) {
      if (take("+"))
        left = add(Op::add, {left, product()});
      else if (take("-"))
        left = add(Op::subtract, {left, product()});
      else
        return left;
    }
  }

  Id product() {
    Id left = sign();
    while (true) {
      if (take("*"))
        left = add(Op::multiply, {left, sign()});
      else if (take("//"))
        left = add(Op::divide, {left, sign()});
      else if (take("%"))
        left = add(Op::remainder, {left, sign()});
      else
        return left;
    }
  }

  Id sign() { return take("-") ? add(Op::negate, {sign()}) : cast(); }

  // Values are as wide as they can be: a cast only says so.
  Id cast() {
    const Id operand = this->operand();
    while (take("::")) {
      if (token_ != "BIGINT" && token_ != "HUGEINT" && token_ != "UBIGINT" && token_ != "INTEGER")
        return fail();
      next();
    }
    return operand;
  }

  Id operand() {
    if (take("(")) {
      const Id inside = disjunction();
      need(")");
      return inside;
    }
    if (take("'")) return quoted();
    if (take("CASE")) return choice();
    if (take("TRUE")) return add(Op::constant, {}, 1);
    if (take("FALSE")) return add(Op::constant, {}, 0);
    if (take("NULL")) return add(Op::null);
    if (take("COALESCE")) {
      need("(");
      const Id first = disjunction();
      return add(Op::coalesce, take(")") ? std::vector{first} : (need(","), list(first)));
    }
    if (take("abs")) {
      need("(");
      const Id inside = disjunction();
      need(")");
      return add(Op::absolute, {inside});
    }
    if (!token_.empty() && std::isdigit(static_cast<unsigned char>(token_[0]))) return number();
    const auto found = std::find(columns_.begin(), columns_.end(), token_);
    if (token_.empty() || found == columns_.end()) return fail();
    next();
    return add(Op::column, {}, found - columns_.begin());
  }

  Id number() {
    Scalar::Number value = 0;
    for (const char c : token_) {
      if (c < '0' || c > '9') return fail();
      value = 10 * value + (c - '0');
    }
    next();
    return add(Op::constant, {}, value);
  }

  // '-1': a negative number.
  Id quoted() {
    const bool is_negative = take("-");
    const Id value = number();
    need("'");
    return is_negative ? add(Op::negate, {value}) : value;
  }

  // Up to the closing parenthesis, behind what comes before.
  std::vector<Id> list(Id first) {
    std::vector<Id> operands = {first};
    do {
      operands.push_back(disjunction());
    } while (take(","));
    need(")");
    return operands;
  }

  Id choice() {
    const bool is_simple = token_ != "WHEN";
    const Id subject = is_simple ? disjunction() : 0;
    std::vector<Id> operands;
    while (take("WHEN")) {
      const Id condition = disjunction();
      operands.push_back(is_simple ? add(Op::equal, {subject, condition}) : condition);
      need("THEN");
      operands.push_back(disjunction());
    }
    operands.push_back(take("ELSE") ? disjunction() : add(Op::null));
    need("END");
    return add(Op::choice, std::move(operands));
  }

  const std::string& sql_;
  const algebra::Names& columns_;
  std::size_t at_ = 0;
  std::string token_, failure_;
  Scalar scalar_;
};

Result<Scalar, std::string> Scalar::read(const std::string& sql, const algebra::Names& columns) {
  return ScalarReader(sql, columns).run();
}

// ---- evaluating ----------------------------------------------------------------------------

Scalar::Value Scalar::compute(Op op, Number a, Number b) {
  // As unsigned numbers they wrap; no width that matters is left by then.
  __extension__ typedef unsigned __int128 Bits;
  const auto wrapped = [](Bits bits) { return static_cast<Number>(bits); };
  const Bits x = static_cast<Bits>(a), y = static_cast<Bits>(b);
  switch (op) {
    case Op::add: return wrapped(x + y);
    case Op::subtract: return wrapped(x - y);
    case Op::multiply: return wrapped(x * y);
    case Op::divide: return b == 0 ? Value{} : b == -1 ? wrapped(Bits{0} - x) : a / b;
    case Op::remainder: return b == 0 ? Value{} : b == -1 ? Number{0} : a % b;
    case Op::bit_and: return wrapped(x & y);
    case Op::shift_right: return wrapped(x >> y);
    case Op::negate: return wrapped(Bits{0} - x);
    case Op::absolute: return a < 0 ? wrapped(Bits{0} - x) : a;
    case Op::equal: return a == b;
    case Op::not_equal: return a != b;
    case Op::less: return a < b;
    case Op::less_equal: return a <= b;
    case Op::greater: return a > b;
    default: return a >= b;
  }
}

// What decides is taken, whatever else has no value.
Scalar::Value Scalar::evaluate_logic(const Node& node, std::span<const std::int64_t> row) const {
  const bool decides = node.op == Op::logical_or;
  bool is_known = true;
  for (const std::uint32_t operand : node.operands) {
    const Value value = evaluate(operand, row);
    if (value && (*value != 0) == decides) return decides;
    is_known = is_known && value.has_value();
  }
  return is_known ? Value(!decides) : Value{};
}

Scalar::Value Scalar::evaluate_list(const Node& node, std::span<const std::int64_t> row) const {
  if (node.op == Op::choice) {
    std::size_t i = 0;
    for (; i + 1 < node.operands.size(); i += 2) {
      const Value condition = evaluate(node.operands[i], row);
      if (condition && *condition != 0) return evaluate(node.operands[i + 1], row);
    }
    return evaluate(node.operands[i], row);
  }
  if (node.op == Op::coalesce) {
    for (const std::uint32_t operand : node.operands)
      if (const Value value = evaluate(operand, row)) return value;
    return {};
  }
  const Value first = evaluate(node.operands[0], row);
  if (!first) return {};
  for (std::size_t i = 1; i < node.operands.size(); ++i)
    if (evaluate(node.operands[i], row) == first) return 1;
  return 0;
}

Scalar::Value Scalar::evaluate(std::uint32_t id, std::span<const std::int64_t> row) const {
  const Node& node = nodes_[id];
  switch (node.op) {
    case Op::constant: return node.number;
    case Op::null: return {};
    case Op::column: return row[static_cast<std::size_t>(node.number)];
    case Op::logical_and:
    case Op::logical_or: return evaluate_logic(node, row);
    case Op::is_in:
    case Op::coalesce:
    case Op::choice: return evaluate_list(node, row);
    default: break;
  }
  const Value a = evaluate(node.operands[0], row);
  if (node.op == Op::is_null) return a ? 0 : 1;
  if (!a) return {};
  if (node.op == Op::logical_not) return *a == 0 ? 1 : 0;
  if (node.operands.size() == 1) return compute(node.op, *a, 0);
  const Value b = evaluate(node.operands[1], row);
  return b ? compute(node.op, *a, *b) : Value{};
}

}  // namespace panoptes
