// SPDX-License-Identifier: Apache-2.0
// The conditions and terms of the relational algebra, evaluated without a database.
//
// Answers: what is this SQL expression, for a row of these numbers?
//
// Idea: the algebra writes its conditions and terms as SQL, in the dialect of DuckDB, and an engine
// that is no database has to understand as much of it as the algebra writes: numbers, columns,
// arithmetic, comparisons, AND, OR, NOT, IN, BETWEEN, IS NULL, CASE, COALESCE, abs and casts. An
// expression is read once, into nodes, and evaluated for every row. Truth is 1 or 0, and what has
// no value, NULL, is nothing, with the logic of three values that SQL has.
//
// How it can be wrong: it computes in 128 bits, as wide as the widest type the algebra casts to,
// and checks no overflow of the others: the algebra casts before there is one. What it does not
// know it refuses to read. Thread safety: evaluate() may be called concurrently.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "relational/algebra.hpp"

namespace panoptes {

class Scalar {
 public:
  __extension__ typedef __int128 Number;
  using Value = std::optional<Number>;

  // Or what it does not know, one line.
  static Result<Scalar, std::string> read(const std::string& sql, const algebra::Names& columns);

  Value evaluate(std::span<const std::int64_t> row) const { return evaluate(root_, row); }
  bool is_true(std::span<const std::int64_t> row) const {
    const Value value = evaluate(row);
    return value && *value != 0;
  }

 private:
  friend class ScalarReader;
  enum class Op : std::uint8_t {
    constant,
    null,
    column,
    add,
    subtract,
    multiply,
    divide,
    remainder,
    bit_and,
    shift_right,
    negate,
    absolute,
    equal,
    not_equal,
    less,
    less_equal,
    greater,
    greater_equal,
    logical_and,
    logical_or,
    logical_not,
    is_null,
    is_in,     // the first operand is one of the others
    coalesce,  // the first of its operands that has a value
    choice,    // condition, value, condition, value, ..., else
  };
  struct Node {
    Op op = Op::null;
    Number number = 0;  // constant; the number of a column
    std::vector<std::uint32_t> operands;
  };
  static Value compute(Op op, Number a, Number b);
  Value evaluate(std::uint32_t node, std::span<const std::int64_t> row) const;
  Value evaluate_logic(const Node& node, std::span<const std::int64_t> row) const;
  Value evaluate_list(const Node& node, std::span<const std::int64_t> row) const;

  std::vector<Node> nodes_;
  std::uint32_t root_ = 0;
};

}  // namespace panoptes
