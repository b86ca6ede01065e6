// SPDX-License-Identifier: Apache-2.0
// Precedence climbing straight to a value: a condition is read once, so no tree is built, and a
// chain of operators of any length needs no stack.
#include "argos/condition.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <string>

#include "argos/parse.hpp"
#include "argos/precedence.hpp"

namespace panoptes::argos {
namespace {

class Evaluator {
 public:
  Evaluator(const std::vector<Token>& tokens, Place directive, const IsDefined& is_defined,
            const SourceSet& sources, Diagnostics& diagnostics)
      : tokens_(tokens),
        directive_(directive),
        is_defined_(is_defined),
        sources_(sources),
        diagnostics_(diagnostics) {}

  bool run() {
    if (tokens_.empty()) fail(directive_, "this directive needs a condition");
    const std::int64_t value = binary(precedence_lowest, true);
    if (!failed_ && index_ < tokens_.size())
      fail(tokens_[index_].place,
           fmt::format("unexpected {} in the condition", in_quotes(tokens_[index_], sources_)));
    return !failed_ && value != 0;
  }

 private:
  // Wrap-around is harmless here and undefined in signed arithmetic.
  static std::int64_t wrap(std::uint64_t value) { return static_cast<std::int64_t>(value); }

  // `used` is false where `&&` and `||` do not look: a division by zero there is no error.
  std::int64_t binary(int lowest, bool used) {
    std::int64_t left = unary(used);
    while (!failed_ && index_ < tokens_.size()) {
      const Token& token = tokens_[index_];
      const OperatorEntry* entry = find_operator(token.kind);
      if (entry == nullptr || entry->precedence < lowest) break;
      ++index_;
      const bool decided = (entry->operation == BinaryOperator::logical_and && left == 0) ||
                           (entry->operation == BinaryOperator::logical_or && left != 0);
      const std::int64_t right = binary(entry->precedence + 1, used && !decided);
      left = apply(entry->operation, left, right, token, used);
    }
    return left;
  }

  std::int64_t apply(BinaryOperator operation, std::int64_t a, std::int64_t b, const Token& token,
                     bool used) {
    const auto ua = static_cast<std::uint64_t>(a);
    const auto ub = static_cast<std::uint64_t>(b);
    switch (operation) {
      case BinaryOperator::logical_or: return a != 0 || b != 0;
      case BinaryOperator::logical_and: return a != 0 && b != 0;
      case BinaryOperator::equal: return a == b;
      case BinaryOperator::not_equal: return a != b;
      case BinaryOperator::less: return a < b;
      case BinaryOperator::less_equal: return a <= b;
      case BinaryOperator::greater: return a > b;
      case BinaryOperator::greater_equal: return a >= b;
      case BinaryOperator::add: return wrap(ua + ub);
      case BinaryOperator::subtract: return wrap(ua - ub);
      case BinaryOperator::multiply: return wrap(ua * ub);
      case BinaryOperator::divide:
      case BinaryOperator::remainder: break;
    }
    if (b == 0) {
      if (used) fail(token.place, "division by zero in the condition");
      return 0;
    }
    if (b == -1) return operation == BinaryOperator::divide ? wrap(0 - ua) : 0;
    if (operation == BinaryOperator::divide) return a / b;
    // As in the language itself, a remainder is never negative.
    const std::int64_t rest = a % b;
    return rest >= 0 ? rest : wrap(static_cast<std::uint64_t>(rest) + (b < 0 ? 0 - ub : ub));
  }

  std::int64_t unary(bool used) {
    if (++depth_ > Limits::nesting) fail(directive_, "the condition is nested too deep");
    std::int64_t value = 0;
    if (failed_) {
    } else if (accept(TokenKind::exclamation)) {
      value = unary(used) == 0;
    } else if (accept(TokenKind::minus)) {
      value = wrap(0 - static_cast<std::uint64_t>(unary(used)));
    } else {
      value = primary(used);
    }
    --depth_;
    return value;
  }

  std::int64_t primary(bool used) {
    if (index_ == tokens_.size()) {
      fail(tokens_.empty() ? directive_ : tokens_.back().place, "the condition ends too early");
      return 0;
    }
    const Token& token = tokens_[index_++];
    if (token.kind == TokenKind::identifier)
      return text_of(token, sources_) == "defined" ? defined(token) : 0;
    if (token.kind == TokenKind::number) {
      std::string problem;
      const auto value = number_value(text_of(token, sources_), problem);
      if (!value) fail(token.place, problem);
      return value.value_or(0);
    }
    if (token.kind == TokenKind::left_parenthesis) {
      const std::int64_t value = binary(precedence_lowest, used);
      if (!failed_ && !accept(TokenKind::right_parenthesis))
        fail(token.place, "this `(` is never closed");
      return value;
    }
    if (token.kind == TokenKind::broken) {
      failed_ = true;
    } else {
      fail(token.place, fmt::format("unexpected {} in the condition", in_quotes(token, sources_)));
    }
    return 0;
  }

  // `defined name` or `defined(name)`.
  std::int64_t defined(const Token& word) {
    const bool parenthesis = accept(TokenKind::left_parenthesis);
    if (index_ == tokens_.size() || tokens_[index_].kind != TokenKind::identifier) {
      fail(word.place, "`defined` needs a name");
      return 0;
    }
    const bool answer = is_defined_(text_of(tokens_[index_++], sources_));
    if (parenthesis && !accept(TokenKind::right_parenthesis))
      fail(word.place, "`defined(` is never closed");
    return answer;
  }

  bool accept(TokenKind kind) {
    if (index_ == tokens_.size() || tokens_[index_].kind != kind) return false;
    ++index_;
    return true;
  }

  void fail(Place place, std::string message) {
    if (!failed_) diagnostics_.error(place, std::move(message));
    failed_ = true;
  }

  const std::vector<Token>& tokens_;
  Place directive_;
  const IsDefined& is_defined_;
  const SourceSet& sources_;
  Diagnostics& diagnostics_;
  std::size_t index_ = 0;
  int depth_ = 0;
  bool failed_ = false;
};

}  // namespace

bool condition_holds(const std::vector<Token>& tokens, Place directive, const IsDefined& is_defined,
                     const SourceSet& sources, Diagnostics& diagnostics) {
  return Evaluator(tokens, directive, is_defined, sources, diagnostics).run();
}

}  // namespace panoptes::argos
