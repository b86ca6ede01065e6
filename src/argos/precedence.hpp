// SPDX-License-Identifier: Apache-2.0
// One table for the binary operators, which the parser, the `#if` evaluator and unparse share.
//
// A higher number binds tighter. All associate to the left, as in C.
#pragma once

#include <array>
#include <string_view>

#include "argos/syntax.hpp"
#include "argos/token.hpp"

namespace panoptes::argos {

struct OperatorEntry {
  TokenKind token;
  BinaryOperator operation;
  int precedence;
  std::string_view text;
};

enum Precedence : int {
  precedence_lowest = 1,
  precedence_equality = 3,
  precedence_sum = 5,  // bounds of ranges: no comparison, so `var x : 0..7 = 2` reads as meant
  precedence_unary = 7,
  precedence_primary = 8,
};

inline constexpr std::array<OperatorEntry, 13> operator_table = {{
    {TokenKind::logical_or, BinaryOperator::logical_or, 1, "||"},
    {TokenKind::logical_and, BinaryOperator::logical_and, 2, "&&"},
    {TokenKind::equal, BinaryOperator::equal, 3, "=="},
    {TokenKind::not_equal, BinaryOperator::not_equal, 3, "!="},
    {TokenKind::less, BinaryOperator::less, 4, "<"},
    {TokenKind::less_equal, BinaryOperator::less_equal, 4, "<="},
    {TokenKind::greater, BinaryOperator::greater, 4, ">"},
    {TokenKind::greater_equal, BinaryOperator::greater_equal, 4, ">="},
    {TokenKind::plus, BinaryOperator::add, 5, "+"},
    {TokenKind::minus, BinaryOperator::subtract, 5, "-"},
    {TokenKind::star, BinaryOperator::multiply, 6, "*"},
    {TokenKind::slash, BinaryOperator::divide, 6, "/"},
    {TokenKind::percent, BinaryOperator::remainder, 6, "%"},
}};

// The entry of an operator token; null if the token is no binary operator.
inline const OperatorEntry* find_operator(TokenKind token) {
  for (const OperatorEntry& entry : operator_table)
    if (entry.token == token) return &entry;
  return nullptr;
}

inline bool is_comparison(const OperatorEntry& entry) {
  return entry.precedence >= precedence_equality && entry.precedence < precedence_sum;
}

inline const OperatorEntry& find_operator(BinaryOperator operation) {
  return operator_table[static_cast<std::size_t>(operation)];
}

}  // namespace panoptes::argos
