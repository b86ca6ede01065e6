// SPDX-License-Identifier: Apache-2.0
// The productions of expressions, and the cost, which is one.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "argos/hints.hpp"
#include "argos/parse.hpp"
#include "argos/parser.hpp"
#include "argos/word_classes.hpp"

namespace panoptes::argos {

Parser::Tree Parser::make_tree(decltype(Expression::node) node, Place place, int height) {
  return {std::make_unique<Expression>(Expression{std::move(node), place}), height};
}

ExpressionPtr Parser::run_cost() {
  is_outside_ = true;
  ExpressionPtr result = expression();
  if (!stream_.confused() && !at_end())
    stream_.error(fmt::format("expected the end of the expression, found {}", found()),
                  meant_behind());
  return stream_.confused() ? nullptr : std::move(result);
}

// An expression that is to stand inside another one, or in parentheses the user did not write: with
// those unparse() writes it, and that must still be within the limits.
Parser::Tree Parser::inner_expression() {
  ++expression_depth_;
  Tree tree = binary(precedence_lowest);
  --expression_depth_;
  if (tree.height == highest_expression) too_long(tree.expression->place);
  return tree;
}

void Parser::too_long(Place place) {
  stream_.error_at(
      place, fmt::format("expression too long: more than {} operators deep", highest_expression));
}

// Precedence as in C, from loose to tight; all operators associate to the left.
// grammar: expression = conjunction { "||" conjunction } ;
// grammar: conjunction = equality { "&&" equality } ;
// grammar: equality = comparison { ( "==" | "!=" | "<>" ) comparison } ;
// grammar: comparison = sum { ( "<" | "<=" | ">" | ">=" ) sum } ;
// grammar: sum = product { ( "+" | "-" ) product } ;
// grammar: product = unary { ( "*" | "/" | "%" ) unary } ;
Parser::Tree Parser::operation(Tree left, int lowest) {
  const OperatorEntry* before = nullptr;
  while (!stream_.confused()) {
    const OperatorEntry* entry = operator_here(lowest);
    if (entry == nullptr) break;
    warn_of_chain(std::exchange(before, entry), *entry, stream_.take().place);
    Tree right = binary(entry->precedence + 1);
    const int height = std::max(left.height, right.height) + 1;
    const Place place = cover(left.expression->place, right.expression->place);
    if (height > highest_expression) {
      too_long(place);
      break;
    }
    left =
        make_tree(Binary{entry->operation, std::move(left.expression), std::move(right.expression)},
                  place, height);
  }
  return left;
}

// The operator the next token is, if it binds at least as tight as `lowest`.
const OperatorEntry* Parser::operator_here(int lowest) {
  const Token& token = stream_.peek();
  // `<->` stands between formulas.
  if (token.kind == TokenKind::less && stream_.next_is(TokenKind::arrow)) return nullptr;
  const bool single = token.kind == TokenKind::assign;
  const OperatorEntry* entry = find_operator(single ? TokenKind::equal : token.kind);
  if (entry == nullptr || entry->precedence < lowest) return nullptr;
  if (single) single_equals(token.place);
  return stream_.confused() ? nullptr : entry;
}

void Parser::single_equals(Place place) {
  if (stream_.next_is(TokenKind::greater))
    stream_.error("`=>` is no operator", hint(Where::operation, "=>"));
  else if (begins_with_quantifier_)
    stream_.warn(place, "a quantifier is a condition and no loop: `=` means `==` in it",
                 "assign to each by itself, or count in a `do`");
  else
    stream_.warn(place, "`=` in a condition means `==`", "write `==`");
}

// `a <= b <= c` compares 0 or 1 with c.
void Parser::warn_of_chain(const OperatorEntry* before, const OperatorEntry& entry, Place place) {
  if (before == nullptr || before->precedence != entry.precedence) return;
  if (!is_comparison(entry)) return;
  stream_.warn(
      place,
      fmt::format("this compares the result of `{}`, which is 0 or 1, once more", before->text),
      fmt::format("write `a {} b && b {} c`, or put the first comparison in parentheses",
                  before->text, entry.text));
}

// A `count` that is a condition asks for more than 0; with a comparison behind it, the comparison
// was probably to look at the number.
void Parser::warn_of_count(const Expression& condition) {
  if (const auto* unary = std::get_if<Unary>(&condition.node)) {
    if (unary->operation == UnaryOperator::logical_not) warn_of_count(*unary->operand);
  } else if (const auto* binary = std::get_if<Binary>(&condition.node)) {
    if (binary->operation != BinaryOperator::logical_and &&
        binary->operation != BinaryOperator::logical_or)
      return;
    warn_of_count(*binary->left);
    warn_of_count(*binary->right);
  } else if (const auto* all = std::get_if<Quantifier>(&condition.node)) {
    if (all->kind != QuantifierKind::count)
      warn_of_count(*all->body);
    else if (all->has_bare_comparison)
      stream_.warn(condition.place,
                   "what this `count` counts is the comparison, and one that holds is enough",
                   "to compare the number, write `(count (i : 0..3) e) > 1`; to ask for one, "
                   "write `exists`");
  }
}

// What the token behind an expression, or the one before it, is probably meant as; "" if there is
// nothing to say.
std::string Parser::meant_behind() {
  const bool is_not = stream_.text(stream_.last()) == "not";
  return is_not ? hint(Where::asked, "not") : hint(Where::operation, stream_.text(stream_.peek()));
}

// grammar: unary = ( "!" | "-" ) unary | primary ;
Parser::Tree Parser::unary() {
  const Token token = stream_.peek();
  if (expression_depth_ == Limits::nesting) {
    stream_.error(fmt::format("expressions are nested more than {} deep", Limits::nesting));
    return make_tree(Number{0}, token.place);
  }
  ++expression_depth_;
  Tree tree;
  if (token.kind == TokenKind::exclamation || token.kind == TokenKind::minus) {
    stream_.take();
    Tree operand = unary();
    const auto operation =
        token.kind == TokenKind::minus ? UnaryOperator::negate : UnaryOperator::logical_not;
    const Place place = cover(token.place, operand.expression->place);
    const int height = operand.height + 1;
    tree = make_tree(Unary{operation, std::move(operand.expression)}, place, height);
  } else {
    tree = primary();
  }
  --expression_depth_;
  return tree;
}

// grammar: primary = number | variable_use | "(" expression ")" | outside
// grammar:         | ( "len" | "full" | "empty" ) "(" channel_use ")"
// grammar:         | ( "forall" | "exists" | "count" ) "(" name ":" range ")" expression ;
// grammar: outside = channel_use "." variable_use | channel_use "@" ( name | number ":" number )
// grammar:         | "head" "(" channel_use ")" ( "==" | "!=" | "<>" ) name ;
// grammar:           (* only in an invariant and on the command line *)
Parser::Tree Parser::primary() {
  const Token& token = stream_.peek();
  if (token.kind == TokenKind::number) return number();
  if (token.kind == TokenKind::left_parenthesis) return parenthesised();
  if (token.kind == TokenKind::identifier && !is_bracket(token.word)) {
    if (is_question(token.word) && stream_.next_is(TokenKind::left_parenthesis))
      return ask_channel();
    if (at_quantifier()) return quantifier();
    if (is_outside_ && token.word == Word::head && stream_.next_is(TokenKind::left_parenthesis))
      return head_is();
    return name_use();
  }
  const Place place = token.place;
  if (token.kind == TokenKind::increment || token.kind == TokenKind::decrement) {
    stream_.error(fmt::format("{} stands after a variable, as a statement of its own", found()));
  } else {
    const bool is_box =
        token.kind == TokenKind::left_bracket && stream_.next_is(TokenKind::right_bracket);
    stream_.error(fmt::format("expected a value, found {}", found()),
                  hint(Where::value, is_box ? "[]" : stream_.text(stream_.peek())));
  }
  return make_tree(Number{0}, place);
}

// grammar: number = digit { digit } | "0x" hexadecimal { hexadecimal } ; (* at most 2147483647 *)
Parser::Tree Parser::number() {
  const Token token = stream_.take();
  std::string problem;
  const std::optional<std::int64_t> value = number_value(stream_.text(token), problem);
  if (!value) stream_.report(token.place, problem);
  return make_tree(Number{value.value_or(0)}, token.place);
}

// grammar: variable_use = name [ "[" expression "]" ] ;
Parser::Tree Parser::name_use() {
  const Word word = stream_.peek().word;
  const Name used = name("a variable");
  if (!stream_.confused()) check_use(used, word);
  if (is_outside_ && !stream_.confused()) return outside_name(used);
  if (!stream_.confused() && stream_.at(TokenKind::left_bracket)) {
    Tree tree = element(used);
    if (!stream_.confused() &&
        (stream_.at(TokenKind::question) || stream_.at(TokenKind::exclamation)))
      exchange_as_value();
    return tree;
  }
  if (!stream_.confused()) {
    switch (stream_.peek().kind) {
      case TokenKind::question:
      case TokenKind::exclamation: exchange_as_value(); break;
      case TokenKind::dot:
      case TokenKind::at_sign: not_from_inside(); break;
      case TokenKind::increment:
      case TokenKind::decrement:
        stream_.error(fmt::format("{} stands only in a statement of its own", found()));
        break;
      default: break;
    }
  }
  return make_tree(NameUse{used.text}, used.place);
}

// What no name can have behind it. A statement may stand there, whose `;` is missing.
void Parser::check_use(const Name& used, Word word) {
  const bool is_called = stream_.at(TokenKind::left_parenthesis);
  const bool has_index =
      stream_.at(TokenKind::identifier) &&
      (stream_.text(stream_.peek(1)) == "in" ||
       (stream_.next_is(TokenKind::colon) && stream_.peek(3).kind == TokenKind::dots));
  if (is_quantifier(word) && (is_called || has_index)) {
    stream_.error_at(used.place, "a quantifier has an index with a range, in parentheses",
                     fmt::format("write `{} (i : 0..3) a[i] == 0`", used.text));
  } else if (is_called) {
    std::string instead = hint(Where::asked, used.text);
    if (instead.empty())
      instead = is_outside_ ? "in expressions only `len`, `full`, `empty` and `head` are called"
                            : "in expressions only `len`, `full` and `empty` are called";
    stream_.error_at(used.place, "a call gives no value", instead);
  } else if (!is_outside_ && stream_.at(TokenKind::dot)) {
    for (const EnumerationDeclaration& enumeration : model_.enumerations)
      if (enumeration.name && enumeration.name->text == used.text)
        stream_.error_at(used.place, "the names of an enum stand alone",
                         fmt::format("write `{}`", stream_.text(stream_.peek(1))));
  }
}

void Parser::not_from_inside() {
  stream_.error("a process does not see the variables and places of others",
                "`p.x` and `p@label` stand in an `always` or `never`");
}

// `sender.retries`, `node[i].a[2]`, `node[i]@wait`, or a variable or element.
Parser::Tree Parser::outside_name(const Name& used) {
  ProcessUse process{used, nullptr, used.place};
  int height = 1;
  if (stream_.at(TokenKind::left_bracket)) {
    Tree index = index_of("a member");
    height += index.height;
    process.index = std::move(index.expression);
    process.place = cover(used.place, stream_.last().place);
  }
  const bool is_place = stream_.at(TokenKind::at_sign);
  if (stream_.confused() || (!is_place && !stream_.at(TokenKind::dot))) {
    if (!process.index) return make_tree(NameUse{used.text}, used.place);
    return make_tree(Element{used, std::move(process.index)}, process.place, height);
  }
  stream_.take();
  if (is_place) {
    Name state = state_name();
    const Place place = cover(used.place, stream_.last().place);
    return make_tree(AtState{std::move(process), std::move(state)}, place, height);
  }
  VariableUse variable{name("a variable"), nullptr, {}};
  if (!stream_.confused() && stream_.at(TokenKind::left_bracket)) {
    Tree index = index_of("an array");
    height += index.height;
    variable.index = std::move(index.expression);
  }
  const Place place = cover(used.place, stream_.last().place);
  variable.place = cover(variable.name.place, stream_.last().place);
  return make_tree(RemoteVariable{std::move(process), std::move(variable)}, place, height);
}

void Parser::refuse_all_members() {
  if (!at_all_members()) return;
  stream_.error_at(cover(stream_.peek().place, stream_.peek(2).place),
                   "`[*]` stands in a send only: it means all members of a family",
                   "an index chooses one of them");
}

// The index in brackets, which are here.
Parser::Tree Parser::index_of(std::string_view what) {
  refuse_all_members();
  stream_.take();
  Tree index = inner_expression();
  if (!stream_.confused())
    stream_.expect(TokenKind::right_bracket, fmt::format("after the index of {}", what));
  return index;
}

Parser::Tree Parser::element(Name array) {
  Tree index = index_of("an array");
  const Place place = cover(array.place, stream_.last().place);
  return make_tree(Element{std::move(array), std::move(index.expression)}, place, index.height + 1);
}

// States without a label are called by line and column, as in reports.
Name Parser::state_name() {
  if (!stream_.at(TokenKind::number) || !stream_.next_is(TokenKind::colon)) return name("a state");
  Name state{std::string(stream_.text(stream_.peek())), stream_.peek().place};
  stream_.take();
  state.text += stream_.text(stream_.take());
  if (stream_.at(TokenKind::number)) state.text += stream_.text(stream_.take());
  state.place = cover(state.place, stream_.last().place);
  return state;
}

Parser::Tree Parser::head_is() {
  const Place begin = stream_.take().place;
  stream_.take();
  HeadIs head;
  head.channel = channel_use();
  if (!stream_.confused()) stream_.expect(TokenKind::right_parenthesis, "after the channel");
  head.is_other = stream_.at(TokenKind::not_equal);
  if (!stream_.confused() && !head.is_other && !stream_.at(TokenKind::equal))
    stream_.error(fmt::format("expected `==` or `!=` after `head(...)`, found {}", found()),
                  "the first message is asked for by its name: `head(c) == m`");
  if (!stream_.confused()) {
    stream_.take();
    head.message = name("a message");
  }
  return make_tree(std::move(head), cover(begin, stream_.last().place));
}

Parser::Tree Parser::parenthesised() {
  const Token open = stream_.take();
  Tree tree = binary(precedence_lowest);
  // A `->` in a process is more likely behind a test that is not closed.
  if (!stream_.confused() && !stream_.accept(TokenKind::right_parenthesis))
    stream_.error(fmt::format("expected `)`, found {}", found()),
                  is_outside_ || !stream_.at(TokenKind::arrow) ? meant_behind() : "",
                  {{open.place, "the `(` is here"}});
  tree.expression->place = cover(open.place, stream_.last().place);
  tree.is_parenthesised = true;
  return tree;
}

Parser::Tree Parser::ask_channel() {
  const Token word = stream_.take();
  stream_.take();
  AskChannel ask;
  ask.question = word.word == Word::len    ? ChannelQuestion::length
                 : word.word == Word::full ? ChannelQuestion::full
                                           : ChannelQuestion::empty;
  ask.channel = channel_use();
  if (!stream_.confused()) stream_.expect(TokenKind::right_parenthesis, "after the channel");
  return make_tree(std::move(ask), cover(word.place, stream_.last().place));
}

// What the words mean only where an index and its range follow.
bool Parser::at_quantifier() {
  return is_quantifier(stream_.peek().word) && stream_.next_is(TokenKind::left_parenthesis) &&
         stream_.peek(2).kind == TokenKind::identifier && stream_.peek(3).kind == TokenKind::colon;
}

// The body goes as far as an expression can.
Parser::Tree Parser::quantifier() {
  const Token word = stream_.take();
  stream_.take();
  Quantifier result;
  result.kind = word.word == Word::forall   ? QuantifierKind::forall
                : word.word == Word::exists ? QuantifierKind::exists
                                            : QuantifierKind::count;
  result.index = name("an index");
  stream_.take();
  result.range = range();
  if (!stream_.confused()) stream_.expect(TokenKind::right_parenthesis, "after the range");
  if (stream_.confused()) return make_tree(Number{0}, word.place);
  Tree body = inner_expression();
  const auto* binary = std::get_if<Binary>(&body.expression->node);
  result.has_bare_comparison = binary != nullptr && !body.is_parenthesised &&
                               is_comparison(find_operator(binary->operation));
  result.body = std::move(body.expression);
  return make_tree(std::move(result), cover(word.place, stream_.last().place), body.height + 1);
}

// grammar: channel_use = name [ "[" expression "]" ] ;
ChannelUse Parser::channel_use() {
  ChannelUse use;
  use.name = name("a channel");
  refuse_all_members();
  if (!stream_.confused() && stream_.accept(TokenKind::left_bracket)) {
    use.index = expression();
    stream_.expect(TokenKind::right_bracket, "after the index");
  }
  use.place = cover(use.name.place, stream_.last().place);
  return use;
}

// The values of a message, of which there is a limit, or the arguments of a call.
std::vector<ExpressionPtr> Parser::values(bool limited) {
  std::vector<ExpressionPtr> found_values;
  stream_.take();
  if (stream_.accept(TokenKind::right_parenthesis)) return found_values;
  do {
    if (limited && found_values.size() == Limits::values) {
      stream_.error(fmt::format("a message carries at most {} values", Limits::values));
      return found_values;
    }
    found_values.push_back(expression());
  } while (!stream_.confused() && stream_.accept(TokenKind::comma));
  stream_.expect(TokenKind::right_parenthesis, "after the values");
  return found_values;
}

}  // namespace panoptes::argos
