// SPDX-License-Identifier: Apache-2.0
// The productions of temporal formulas.
//
// What has no temporal operator in it is one expression, and one atom of the formula, however it is
// put together: `x > 2 && p@wait`. So an operand may begin as a formula, in parentheses, and go on
// as an expression: `(x + 1) * 2 == 6`.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "argos/parse.hpp"
#include "argos/parser.hpp"
#include "argos/word_classes.hpp"

namespace panoptes::argos {
namespace {

bool is_predicate(const FormulaPtr& formula) {
  return formula->operation == TemporalOperator::predicate;
}

FormulaPtr predicate(ExpressionPtr expression, int height) {
  auto result = std::make_unique<TemporalFormula>();
  result->place = expression->place;
  result->predicate = std::move(expression);
  result->height = height;
  return result;
}

// Words that stand between two formulas.
constexpr std::array<std::string_view, 8> words_between = {"U", "until", "W",       "weak",
                                                           "R", "V",     "release", "leads"};

// What others write before a formula, and what it is here.
struct ForeignWord {
  std::string_view word, here;
};
constexpr std::array<ForeignWord, 10> foreign_words = {{
    {"G", "[] p` or `always p"},
    {"globally", "[] p` or `always p"},
    {"henceforth", "[] p` or `always p"},
    {"F", "<> p` or `eventually p"},
    {"finally", "<> p` or `eventually p"},
    {"AG", "[] p` or `always p"},
    {"AF", "<> p` or `eventually p"},
    {"AX", "X p` or `next p"},
    {"N", "X p` or `next p"},
    {"nexttime", "X p` or `next p"},
}};

}  // namespace

// What the token behind a formula, or the one before it, is probably meant as; "" if there is
// nothing to say.
std::string Parser::meant_in_formula() {
  static const std::vector<std::string> before = {"always", "eventually", "next"},
                                        between = {"until", "release", "weak", "leads"};
  const bool is_event = stream_.at(TokenKind::question) || stream_.at(TokenKind::exclamation);
  if (is_event) return "what happens is an event: `sent(c!m)` or `received(c?m)`";
  if (is_text("implies")) return "`p` implies `q` is written `p -> q`";
  if (!stream_.at(TokenKind::identifier)) return meant_behind();
  const std::string last(stream_.text(stream_.last())), next(stream_.text(stream_.peek()));
  std::string meant = did_you_mean(last, before);
  if (meant.empty())
    meant = next == "lead" || next == "leadsto" ? "did you mean `leads to`?"
                                                : did_you_mean(next, between);
  return meant.empty() ? meant_behind() : meant;
}

// `G p`, as others write it. A word that nothing follows is a name.
bool Parser::is_foreign_operator() {
  if (!stream_.at(TokenKind::identifier) || !starts_operand(1)) return false;
  const Token word = stream_.peek(), next = stream_.peek(1);
  if (next.kind == TokenKind::not_equal && stream_.text(next) == "!=") return false;
  const auto found = std::ranges::find(foreign_words, stream_.text(word), &ForeignWord::word);
  if (found == foreign_words.end()) return false;
  stream_.error_at(word.place, fmt::format("there is no operator `{}`", found->word),
                   fmt::format("`{} p` is written `{}`", found->word, found->here));
  return true;
}

FormulaPtr Parser::no_formula() {
  return predicate(make_tree(Number{0}, stream_.peek().place).expression, 1);
}

FormulaPtr Parser::predicate_of(Tree tree) {
  if (tree.height > highest_expression && !stream_.confused()) too_long(tree.expression->place);
  return predicate(std::move(tree.expression), tree.height);
}

FormulaPtr Parser::make_formula(TemporalOperator operation, Place place, FormulaPtr left,
                                FormulaPtr right) {
  if (++formula_size_ > largest_formula && !stream_.confused())
    stream_.error_at(place, fmt::format("a formula has at most {} operators", largest_formula));
  auto result = std::make_unique<TemporalFormula>();
  result->operation = operation;
  result->place = place;
  result->left = std::move(left);
  result->right = std::move(right);
  return result;
}

FormulaPtr Parser::run_formula() {
  is_outside_ = true;
  FormulaPtr result = formula();
  if (!stream_.confused() && !at_end())
    stream_.error(fmt::format("expected the end of the formula, found {}", found()),
                  meant_in_formula());
  return stream_.confused() ? nullptr : std::move(result);
}

// grammar: temporal = "ltl" [ name [ family ] ] "{" formula "}" ;
void Parser::temporal() {
  TemporalDeclaration declaration;
  const Token first = stream_.take();
  if (stream_.at(TokenKind::identifier)) {
    declaration.name = name("a property");
    if (!stream_.confused() && stream_.at(TokenKind::left_bracket)) declaration.family = family();
  }
  if (!stream_.confused() && stream_.expect(TokenKind::left_brace, "before the formula")) {
    formula_size_ = 0;
    is_outside_ = true;
    declaration.formula = formula();
    is_outside_ = false;
    if (!stream_.confused())
      stream_.expect(TokenKind::right_brace, "after the formula", meant_in_formula());
  }
  declaration.place = cover(first.place, stream_.last().place);
  if (declaration.formula) model_.temporal.push_back(std::move(declaration));
}

// grammar: fairness = "fair" name { "," name } ";" ; (* weak, strong, lines *)
void Parser::fairness() {
  stream_.take();
  do {
    model_.fairness.push_back({name("a fairness")});
  } while (!stream_.confused() && stream_.accept(TokenKind::comma));
  end_declaration();
}

bool Parser::is_text(std::string_view text, std::size_t ahead) {
  const Token& token = stream_.peek(ahead);
  return token.kind == TokenKind::identifier && stream_.text(token) == text;
}

// From loose to tight. `->` associates to the right; `until` and its like are not chained.
// grammar: formula = implication { "<->" implication } ;
FormulaPtr Parser::formula() {
  if (expression_depth_ >= Limits::nesting) {
    stream_.error(fmt::format("formulas are nested more than {} deep", Limits::nesting));
    return no_formula();
  }
  ++expression_depth_;
  FormulaPtr left = implication();
  while (!stream_.confused() && stream_.at(TokenKind::less) && stream_.next_is(TokenKind::arrow)) {
    stream_.take();
    stream_.take();
    left = joined(TemporalOperator::equivalence, std::move(left), implication());
  }
  --expression_depth_;
  return left;
}

// grammar: implication = disjunction [ ( "->" | "leads" "to" ) implication ] ;
FormulaPtr Parser::implication() {
  FormulaPtr left = junction(precedence_lowest);
  if (stream_.confused()) return left;
  const bool leads = is_text("leads") && is_text("to", 1);
  if (!leads && !stream_.at(TokenKind::arrow)) return left;
  stream_.take();
  if (leads) stream_.take();
  if (expression_depth_ >= Limits::nesting) {
    stream_.error(fmt::format("formulas are nested more than {} deep", Limits::nesting));
    return left;
  }
  ++expression_depth_;
  FormulaPtr right = implication();
  --expression_depth_;
  return joined(leads ? TemporalOperator::leads_to : TemporalOperator::implication, std::move(left),
                std::move(right));
}

// grammar: disjunction = conjunction_of { "||" conjunction_of } ;
// grammar: conjunction_of = until { "&&" until } ;
FormulaPtr Parser::junction(int lowest) {
  const bool is_or = lowest == precedence_lowest;
  const TokenKind sign = is_or ? TokenKind::logical_or : TokenKind::logical_and;
  const auto part = [&] { return is_or ? junction(lowest + 1) : until(); };
  FormulaPtr left = part();
  while (!stream_.confused() && stream_.accept(sign)) {
    FormulaPtr right = part();
    if (stream_.confused()) break;
    left = joined(is_or ? TemporalOperator::disjunction : TemporalOperator::conjunction,
                  std::move(left), std::move(right));
  }
  return left;
}

// Two expressions joined by `&&` or `||` are one.
FormulaPtr Parser::joined(TemporalOperator operation, FormulaPtr left, FormulaPtr right) {
  const Place place = cover(left->place, right->place);
  const bool is_junction =
      operation == TemporalOperator::conjunction || operation == TemporalOperator::disjunction;
  if (!is_junction || !is_predicate(left) || !is_predicate(right))
    return make_formula(operation, place, std::move(left), std::move(right));
  const BinaryOperator junction = operation == TemporalOperator::conjunction
                                      ? BinaryOperator::logical_and
                                      : BinaryOperator::logical_or;
  const int height = std::max(left->height, right->height) + 1;
  return predicate_of(make_tree(
      Binary{junction, std::move(left->predicate), std::move(right->predicate)}, place, height));
}

// grammar: until = operand [ ( "U" | "until" | "W" | "weak" "until" | "R" | "release" ) operand ] ;
FormulaPtr Parser::until() {
  FormulaPtr left = operand();
  if (stream_.confused()) return left;
  const auto operation = until_word();
  if (!operation) return left;
  FormulaPtr right = operand();
  if (stream_.confused()) return left;
  const Token next = stream_.peek();
  FormulaPtr result = joined(*operation, std::move(left), std::move(right));
  if (until_word())
    stream_.error_at(next.place, "several `until` in a row need parentheses",
                     "write `(p U q) U r` or `p U (q U r)`");
  return result;
}

// Takes it; nothing where there is none.
std::optional<TemporalOperator> Parser::until_word() {
  std::optional<TemporalOperator> result;
  const bool is_weak = is_text("weak") && is_text("until", 1);
  if (is_text("U") || is_text("until"))
    result = TemporalOperator::until;
  else if (is_weak || is_text("W"))
    result = TemporalOperator::weak_until;
  else if (is_text("R") || is_text("V") || is_text("release"))
    result = TemporalOperator::release;
  if (result) stream_.take();
  if (is_weak) stream_.take();
  return result;
}

// An expression may go on behind what is one.
FormulaPtr Parser::operand() {
  FormulaPtr result = prefixed();
  if (stream_.confused() || !is_predicate(result)) return result;
  return predicate_of(
      operation({std::move(result->predicate), result->height}, precedence_equality));
}

// grammar: operand = prefixed [ ( "==" | "<" | "+" | ... ) sum ] ; (* what is an expression *)
// grammar: prefixed = "!" prefixed
// grammar:          | ( "[]" | "always" | "<>" | "eventually" | "X" | "next" ) operand
// grammar:          | "(" formula ")" | event | unary ;
FormulaPtr Parser::prefixed() {
  if (expression_depth_ >= Limits::nesting) {
    stream_.error(fmt::format("formulas are nested more than {} deep", Limits::nesting));
    return no_formula();
  }
  ++expression_depth_;
  FormulaPtr result = prefixed_here();
  --expression_depth_;
  return result;
}

FormulaPtr Parser::prefixed_here() {
  const Token first = stream_.peek();
  if (const auto operation = prefix_word()) {
    FormulaPtr below = operand();
    const Place place = cover(first.place, stream_.last().place);
    return make_formula(*operation, place, std::move(below));
  }
  if (first.kind == TokenKind::exclamation) return negated();
  if (first.kind == TokenKind::left_parenthesis) return parenthesised_formula();
  const bool is_event = is_text("sent") || is_text("received");
  if (is_event && stream_.next_is(TokenKind::left_parenthesis)) return event();
  if (is_foreign_operator()) return no_formula();
  return predicate_of(unary());
}

// Whether what stands there can be what an operator is about: else the word is a name.
bool Parser::starts_operand(std::size_t ahead) {
  switch (stream_.peek(ahead).kind) {
    case TokenKind::identifier:
      return std::ranges::none_of(words_between,
                                  [&](std::string_view word) { return is_text(word, ahead); });
    case TokenKind::number:
    case TokenKind::left_parenthesis:
    case TokenKind::exclamation:
    case TokenKind::not_equal: return true;
    case TokenKind::left_bracket: return stream_.peek(ahead + 1).kind == TokenKind::right_bracket;
    default: return false;
  }
}

// Takes it; nothing where there is none.
std::optional<TemporalOperator> Parser::prefix_word() {
  std::optional<TemporalOperator> result;
  if (stream_.at(TokenKind::left_bracket) && stream_.next_is(TokenKind::right_bracket)) {
    stream_.take();
    stream_.take();
    return TemporalOperator::always;
  }
  if (stream_.accept(TokenKind::not_equal)) return TemporalOperator::eventually;  // <>
  if (!stream_.at(TokenKind::identifier) || !starts_operand(1)) return {};
  if (is_text("always")) result = TemporalOperator::always;
  if (is_text("eventually")) result = TemporalOperator::eventually;
  if (is_text("X") || is_text("next")) result = TemporalOperator::next;
  if (result) stream_.take();
  return result;
}

FormulaPtr Parser::negated() {
  const Place begin = stream_.take().place;
  FormulaPtr below = prefixed();
  const Place place = cover(begin, below->place);
  if (!is_predicate(below))
    return make_formula(TemporalOperator::negation, place, std::move(below));
  const int height = below->height + 1;
  return predicate_of(
      make_tree(Unary{UnaryOperator::logical_not, std::move(below->predicate)}, place, height));
}

FormulaPtr Parser::parenthesised_formula() {
  const Token open = stream_.take();
  FormulaPtr result = formula();
  if (!stream_.confused() && !stream_.accept(TokenKind::right_parenthesis))
    stream_.error(fmt::format("expected `)`, found {}", found()), meant_in_formula(),
                  {{open.place, "the `(` is here"}});
  result->place = cover(open.place, stream_.last().place);
  if (is_predicate(result)) result->predicate->place = result->place;
  return result;
}

// grammar: event = "sent" "(" channel_use "!" name ")" | "received" "(" channel_use "?" name ")" ;
FormulaPtr Parser::event() {
  const Token word = stream_.take();
  const bool is_sent = stream_.text(word) == "sent";
  stream_.take();
  FormulaPtr result =
      make_formula(is_sent ? TemporalOperator::sent : TemporalOperator::received, word.place);
  result->channel = channel_use();
  if (!stream_.confused() &&
      !stream_.accept(is_sent ? TokenKind::exclamation : TokenKind::question))
    stream_.error(
        fmt::format("expected `{}` after the channel, found {}", is_sent ? "!" : "?", found()),
        is_sent ? "write `sent(channel!message)`" : "write `received(channel?message)`");
  if (!stream_.confused()) result->message = name("a message");
  if (!stream_.confused() && stream_.at(TokenKind::left_parenthesis))
    stream_.error("an event is asked for by the name of its message, not by its values",
                  "what a message carries can be kept in a variable");
  if (!stream_.confused()) stream_.expect(TokenKind::right_parenthesis, "after the message");
  result->place = cover(word.place, stream_.last().place);
  return result;
}

}  // namespace panoptes::argos
