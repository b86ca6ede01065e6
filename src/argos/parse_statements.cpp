// SPDX-License-Identifier: Apache-2.0
// The productions of statements.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "argos/hints.hpp"
#include "argos/parse.hpp"
#include "argos/parser.hpp"
#include "argos/word_classes.hpp"

namespace panoptes::argos {

namespace {

// What is one step, whatever stands around it.
template <typename Action>
bool is_simple(const Action& action) {
  return !std::holds_alternative<If>(action) && !std::holds_alternative<Do>(action) &&
         !std::holds_alternative<Call>(action) && !std::holds_alternative<Else>(action) &&
         !std::holds_alternative<Atomic>(action);
}

ExpressionPtr make_expression(decltype(Expression::node) node, Place place) {
  return std::make_unique<Expression>(Expression{std::move(node), place});
}

// The operator of `x += e` and its like; nothing for other tokens.
std::optional<BinaryOperator> assigning_operator(TokenKind kind) {
  switch (kind) {
    case TokenKind::plus_assign: return BinaryOperator::add;
    case TokenKind::minus_assign: return BinaryOperator::subtract;
    case TokenKind::star_assign: return BinaryOperator::multiply;
    case TokenKind::slash_assign: return BinaryOperator::divide;
    case TokenKind::percent_assign: return BinaryOperator::remainder;
    default: return std::nullopt;
  }
}

ExpressionPtr copy_of(const Expression& e);

ChannelUse copy_of(const ChannelUse& use) {
  return {use.name, use.index ? copy_of(*use.index) : nullptr, use.place};
}

// Of the index of an element, which stands twice where it is counted up.
ExpressionPtr copy_of(const Expression& e) {
  if (const auto* number = std::get_if<Number>(&e.node)) return make_expression(*number, e.place);
  if (const auto* use = std::get_if<NameUse>(&e.node)) return make_expression(*use, e.place);
  if (const auto* element = std::get_if<Element>(&e.node))
    return make_expression(Element{element->array, copy_of(*element->index)}, e.place);
  if (const auto* ask = std::get_if<AskChannel>(&e.node))
    return make_expression(AskChannel{ask->question, copy_of(ask->channel)}, e.place);
  if (const auto* unary = std::get_if<Unary>(&e.node))
    return make_expression(Unary{unary->operation, copy_of(*unary->operand)}, e.place);
  if (const auto* all = std::get_if<Quantifier>(&e.node))
    return make_expression(
        Quantifier{all->kind, all->index,
                   Range{copy_of(*all->range.low), copy_of(*all->range.high), all->range.place},
                   copy_of(*all->body)},
        e.place);
  const auto& binary = std::get<Binary>(e.node);
  return make_expression(Binary{binary.operation, copy_of(*binary.left), copy_of(*binary.right)},
                         e.place);
}

// What the variable holds: `x` or `a[e]`.
ExpressionPtr as_value(const VariableUse& use) {
  if (use.index == nullptr) return make_expression(NameUse{use.name.text}, use.place);
  return make_expression(Element{use.name, copy_of(*use.index)}, use.place);
}

}  // namespace

// A missing separator is worth a warning only; none is needed after `fi`, `od` and the brace of an
// `atomic`.
// grammar: sequence = { separator | statement } ; (* statements are separated from each other *)
// grammar: separator = ";" | "->" ;
void Parser::sequence(Block& block) {
  bool separated = true;
  for (;;) {
    if (pass_strays()) separated = true;
    if (at_sequence_end()) break;
    const std::size_t before = stream_.taken();
    if (at_separator()) {
      stream_.take();
      separated = true;
      continue;
    }
    if (at_local()) {
      declaration_in_body();
      separated = true;
      continue;
    }
    if (stream_.at(TokenKind::left_brace)) {
      braces(block, false);
      separated = true;
      continue;
    }
    if (!separated && can_start_statement() &&
        hint(Where::operation, stream_.text(stream_.peek())).empty())
      stream_.warn(stream_.peek().place, fmt::format("missing `;` before {}", found()));
    step(block);
    separated = stream_.last().word == Word::fi || stream_.last().word == Word::od ||
                stream_.last().kind == TokenKind::right_brace ||
                stream_.last().kind == TokenKind::semicolon;
    if (stream_.confused()) {
      skip_statement();
      separated = true;
      if (stream_.at(TokenKind::left_brace)) braces(block, true);
    }
    if (stream_.taken() == before) stream_.take();
  }
}

// What stands at the start of a body is no mistake: there the process or procedure takes it.
void Parser::declaration_in_body() {
  const Place place = stream_.peek().place;
  const Word word = stream_.peek().word;
  const bool is_variable = word == Word::var || word == Word::variable;
  std::vector<ChannelDeclaration> channels_lost;
  std::vector<VariableDeclaration> variables_lost;
  if (local_variables_ == nullptr)
    stream_.report(place, "declarations stand in a process or at the top level",
                   "declare it at the top level");
  else if (local_channels_ == nullptr && !is_variable)
    stream_.report(place, "a procedure declares variables only",
                   "declare it in the process or at the top level");
  else if (body_started_ || !open_.empty())
    stream_.report(place, "declarations come before the first statement");
  local(local_channels_ == nullptr ? channels_lost : *local_channels_,
        local_variables_ == nullptr ? variables_lost : *local_variables_, word);
}

// Braces inside a body mean nothing, but what is in them is read all the same.
void Parser::braces(Block& block, bool reported) {
  const Token open = stream_.take();
  if (!reported)
    stream_.report(open.place, "braces do not group statements",
                   "leave them out, or use `if :: ... fi`");
  if (++statement_depth_ > Limits::nesting)
    stream_.give_up(open.place,
                    fmt::format("statements are nested more than {} deep", Limits::nesting));
  sequence(block);
  stream_.accept(TokenKind::right_brace);
  --statement_depth_;
}

// A label may stand at the end of a sequence: a `skip` is understood there.
// grammar: statement = { name ":" } [ guard ] action | name ":" { name ":" } ;
void Parser::step(Block& block) {
  Statement statement;
  body_started_ = true;
  while (at_label()) {
    const Token label = stream_.take();
    statement.labels.push_back({std::string(stream_.text(label)), label.place});
    stream_.take();
  }
  if (!statement.labels.empty() && (at_separator() || at_sequence_end())) {
    statement.place = statement.labels.back().place;
    statement.action = Skip{.is_understood = true};
  } else if (!statement.labels.empty() && at_local()) {
    statement.place = statement.labels.back().place;
    statement.action = Skip{.is_understood = true};
    declaration_in_body();
  } else {
    const Token first = stream_.peek();
    if (at_guard())
      guarded(statement);
    else
      statement.action = action();
    const bool is_block =
        is_bracket(first.word) || std::holds_alternative<Atomic>(statement.action);
    if (at_guard() && !is_block && !stream_.confused()) late_guard(statement);
    if (!stream_.confused()) bare_when();
    if (std::holds_alternative<Else>(statement.action)) check_else(statement, block);
    statement.place = is_block ? first.place : cover(first.place, stream_.last().place);
  }
  block.push_back(std::move(statement));
}

void Parser::check_else(const Statement& statement, const Block& block) {
  const Place place = stream_.last().place;
  if (&block != option_body_ || !block.empty())
    stream_.report(place, "`else` is the first statement of an option",
                   "write `if :: ... :: else -> ... fi`");
  else if (!statement.labels.empty())
    stream_.report(place, "`else` has no label", "put it before the `if` or `do`");
}

bool Parser::at_guard() {
  return stream_.at(Word::when) && stream_.next_is(TokenKind::left_parenthesis);
}

// Where no statement follows, it is a call of a procedure with that name.
// grammar: guard = "when" "(" expression ")" ; (* a single step behind it *)
void Parser::guarded(Statement& statement) {
  const Token when = stream_.peek();
  Call call{name("a procedure"), values(false)};
  if (call.arguments.size() != 1 || at_sequence_end() || !can_start_statement()) {
    statement.action = std::move(call);
    return;
  }
  statement.when = std::move(call.arguments.front());
  warn_of_count(*statement.when);
  const Place place = stream_.peek().place;
  if (at_guard()) {
    stream_.error_at(place, "a statement has one `when`", "join the conditions with `&&`");
    statement.action = Skip{};
    return;
  }
  statement.action = action();
  if (stream_.confused() || is_simple(statement.action)) return;
  stream_.report(place, "`when` stands before a single step",
                 std::holds_alternative<Atomic>(statement.action)
                     ? "put the condition into it: `atomic { (condition) -> ... }`"
                     : "before other statements, a test is one: `(condition) -> ...`",
                 {{when.place, "this `when`"}});
}

// Behind what looks at nothing it receives.
void Parser::late_guard(const Statement& statement) {
  const bool has_one =
      statement.when != nullptr || std::holds_alternative<Receive>(statement.action);
  stream_.report(stream_.peek().place,
                 has_one ? "a statement has one `when`" : "`when` stands before the statement",
                 has_one ? "join the conditions with `&&`"
                         : "only a receive that names its message can have one behind it");
  stream_.take();
  parenthesised();
}

// `when x > 2`, wherever it stands: a name has no name or number behind it.
void Parser::bare_when() {
  if (!stream_.at(Word::when) ||
      (!stream_.next_is(TokenKind::identifier) && !stream_.next_is(TokenKind::number)))
    return;
  stream_.error("`when` has its condition in parentheses",
                fmt::format("write `when ({} ...)`", stream_.text(stream_.peek(1))));
}

bool Parser::at_label() {
  return stream_.at(TokenKind::identifier) && !is_keyword(stream_.peek().word) &&
         stream_.next_is(TokenKind::colon);
}

// grammar: action = "skip" | "break" | "goto" name | "assert" "(" expression ")"
// grammar:        | "else" (* first of an option, and once *)
// grammar:        | "flush" channel_use
// grammar:        | selection | repetition | atomic | send | broadcast | receive
// grammar:        | assign | call | test ;
Parser::Action Parser::action() {
  bare_when();
  if (stream_.confused()) return Skip{};
  switch (stream_.peek().word) {
    case Word::if_: return selection(true);
    case Word::do_: return selection(false);
    case Word::skip: stream_.take(); return Skip{};
    case Word::break_: stream_.take(); return Break{};
    case Word::goto_: return jump();
    case Word::assert_: return check();
    default: break;
  }
  switch (stream_.peek().kind) {
    case TokenKind::identifier: return named_action();
    case TokenKind::number:
    case TokenKind::left_parenthesis:
    case TokenKind::exclamation:
    case TokenKind::minus: return test();
    default: break;
  }
  const bool is_assigned = stream_.at(TokenKind::assign) && stream_.last().kind == TokenKind::colon;
  stream_.error(fmt::format("expected a statement, found {}", found()),
                is_assigned ? "`x := e` is written `x = e`"
                            : hint(Where::statement, stream_.text(stream_.peek())));
  return Skip{};
}

// grammar: test = expression ;
Parser::Action Parser::test() {
  begins_with_quantifier_ = at_quantifier();
  Test test{inner_expression().expression};
  begins_with_quantifier_ = false;
  warn_of_count(*test.condition);
  return test;
}

// What a statement that begins with a name is, the next token tells. `true` and `false` are tests,
// also alone.
Parser::Action Parser::named_action() {
  const Token first = stream_.peek();
  const std::string text(stream_.text(first));
  switch (stream_.peek(1).kind) {
    case TokenKind::exclamation:
    case TokenKind::question:
    case TokenKind::left_bracket: return communication();
    case TokenKind::left_brace:
      if (text == "atomic") return atomic();
      break;
    case TokenKind::dot:
    case TokenKind::at_sign:
      stream_.take();
      not_from_inside();
      return Skip{};
    case TokenKind::left_parenthesis:
      if (is_question(first.word) || at_quantifier()) return test();
      if (!is_foreign_control(text) && !(stream_.peek(2).kind == TokenKind::identifier &&
                                         stream_.peek(3).kind == TokenKind::colon))
        return call();
      break;
    default:
      if (is_assigning(stream_.peek(1).kind)) return assign(variable_use());
      if (find_operator(stream_.peek(1).kind) != nullptr) return test();
      break;
  }
  if (text == "flush" && stream_.next_is(TokenKind::identifier)) return flush();
  if (stream_.next_is(TokenKind::broken)) {
    stream_.take();
    stream_.error({});
    return Skip{};
  }
  if (text == "true" || text == "false") return test();
  if (first.word == Word::else_) {
    stream_.take();
    return Else{};
  }
  lone_name(text);
  stream_.take();
  return Skip{};
}

void Parser::lone_name(const std::string& text) {
  const std::string word = stream_.next_is(TokenKind::identifier)
                               ? std::string(stream_.text(stream_.peek(1)))
                               : std::string();
  if (const std::string instead = hint(Where::operation, word); !instead.empty()) {
    stream_.error_at(stream_.peek(1).place, fmt::format("`{}` is no operator", word), instead);
  } else if (!word.empty() && !hint(Where::statement, text).empty()) {
    stream_.error(fmt::format("`{}` is no statement", text), hint(Where::statement, text));
  } else if (stream_.next_is(TokenKind::comma)) {
    stream_.error(fmt::format("the name {} alone is no statement", in_quotes(text)),
                  "several are assigned to in one step like this: `x = 1, y = 2`");
  } else if (!stream_.confused()) {
    lone_names_.push_back({text, stream_.peek().place});
    stream_.known_error();
  }
}

// Of variables and procedures wherever they are declared.
void Parser::tell_of_lone_names() {
  if (lone_names_.empty()) return;
  const std::set<std::string> variables = variable_names();
  std::set<std::string> procedures;
  for (const ProcedureDeclaration& procedure : model_.procedures)
    procedures.insert(procedure.name.text);
  std::vector<std::string> words = stream_.macro_names();
  words.insert(words.end(), {"assert", "break", "do", "goto", "if", "skip"});
  words.insert(words.end(), procedures.begin(), procedures.end());
  for (const auto& [text, place] : lone_names_) {
    const std::string shown = text.size() > 40 ? "..." : text;
    const std::string wait = fmt::format("write `({})` to wait until it is not 0", shown);
    const std::string call = fmt::format("write `{}()` to call it", shown);
    const bool is_variable = variables.contains(text), is_procedure = procedures.contains(text);
    const std::string instead = hint(Where::statement, text), near = did_you_mean(text, words);
    if (!is_variable && !is_procedure && !instead.empty())
      stream_.report(place, fmt::format("`{}` is no statement", text), instead);
    else
      stream_.report(place, fmt::format("the name {} alone is no statement", in_quotes(text)),
                     is_variable && is_procedure ? wait + ", or " + call.substr(6)
                     : is_variable               ? wait
                     : is_procedure              ? call
                     : near.empty()              ? "no variable and no procedure is called so"
                                                 : near);
  }
}

std::set<std::string> Parser::variable_names() const {
  std::set<std::string> names;
  const auto add = [&](const std::vector<VariableDeclaration>& variables) {
    for (const VariableDeclaration& variable : variables) names.insert(variable.name.text);
  };
  add(model_.variables);
  for (const ConstantDeclaration& constant : model_.constants) names.insert(constant.name.text);
  for (const EnumerationDeclaration& enumeration : model_.enumerations)
    for (const Name& name : enumeration.names) names.insert(name.text);
  for (const ProcessDeclaration& process : model_.processes) {
    add(process.variables);
    if (process.family) names.insert(process.family->name.text);
  }
  for (const ProcedureDeclaration& procedure : model_.procedures) {
    add(procedure.variables);
    for (const Parameter& parameter : procedure.parameters)
      if (parameter.kind == ParameterKind::value || parameter.kind == ParameterKind::variable)
        names.insert(parameter.name.text);
  }
  return names;
}

// grammar: selection = "if" options "fi" ;
// grammar: repetition = "do" options "od" ;
Parser::Action Parser::selection(bool is_if) {
  const Token opener = stream_.take();
  if (++statement_depth_ > Limits::nesting)
    stream_.give_up(opener.place,
                    fmt::format("statements are nested more than {} deep", Limits::nesting));
  open_.push_back({is_if, opener.place});
  std::vector<Option> found_options;
  do {
    options(found_options);
  } while (!close_selection(opener, is_if));
  open_.pop_back();
  --statement_depth_;
  check_one_else(found_options);
  if (found_options.empty()) {
    stream_.report(opener.place, fmt::format("this `{}` has no option", is_if ? "if" : "do"));
    found_options.push_back({opener.place, {}});
    found_options.back().body.push_back({opener.place, {}, Skip{}});
  }
  if (is_if) return If{std::move(found_options)};
  return Do{std::move(found_options)};
}

// grammar: atomic = "atomic" "{" sequence "}" ; (* of at least one statement *)
Parser::Action Parser::atomic() {
  const Token word = stream_.take();
  stream_.take();
  if (++statement_depth_ > Limits::nesting)
    stream_.give_up(word.place,
                    fmt::format("statements are nested more than {} deep", Limits::nesting));
  Atomic result;
  sequence(result.body);
  --statement_depth_;
  if (!stream_.accept(TokenKind::right_brace))
    stream_.report(stream_.peek().place, fmt::format("expected `}}`, found {}", found()), {},
                   {{word.place, "the `atomic` begins here"}});
  if (result.body.empty()) {
    stream_.report(word.place, "this `atomic` has no statement");
    result.body.push_back({word.place, {}, Skip{}});
  }
  return result;
}

// The `::` may be left out where there is only one option.
// grammar: options = option { option } | sequence ;
// grammar: option = "::" [ "[" ( "high" | "low" ) "]" ] sequence ; (* of at least one statement *)
void Parser::options(std::vector<Option>& into) {
  const std::size_t options_before = into.size();
  if (!stream_.at(TokenKind::double_colon)) {
    Option option{stream_.peek().place, {}};
    option_body(option.body);
    if (!option.body.empty()) into.push_back(std::move(option));
  }
  const bool unmarked = into.size() > options_before;
  if (unmarked && stream_.at(TokenKind::double_colon))
    stream_.report(into.back().place, "the first of several options needs its `::` too");
  while (stream_.at(TokenKind::double_colon)) {
    Option option{stream_.take().place, {}};
    option.likelihood = tag();
    option_body(option.body);
    if (option.body.empty()) {
      stream_.report(option.place, "an option needs at least one statement",
                     "write `:: skip` for an option that does nothing");
      option.body.push_back({option.place, {}, Skip{}});
    }
    into.push_back(std::move(option));
  }
}

void Parser::option_body(Block& body) {
  const Block* const outer = std::exchange(option_body_, &body);
  sequence(body);
  option_body_ = outer;
}

void Parser::check_one_else(const std::vector<Option>& options) {
  const Option* first = nullptr;
  for (const Option& option : options) {
    if (!std::holds_alternative<Else>(option.body.front().action)) continue;
    if (first != nullptr)
      stream_.report(option.body.front().place, "there is an `else` already", {},
                     {{first->body.front().place, "here"}});
    else
      first = &option;
  }
}

// No statement begins with a bracket, so nothing else can be meant.
Likelihood Parser::tag() {
  if (!stream_.accept(TokenKind::left_bracket)) return Likelihood::untagged;
  const Token word = stream_.peek();
  const std::string_view text = stream_.text(word);
  const Likelihood likelihood = text == "high"  ? Likelihood::high
                                : text == "low" ? Likelihood::low
                                                : Likelihood::untagged;
  if (likelihood == Likelihood::untagged)
    stream_.report(word.place, fmt::format("expected `[high]` or `[low]`, found {}", found()),
                   "the tag of an option says how likely it is");
  if (likelihood != Likelihood::untagged || stream_.next_is(TokenKind::right_bracket))
    stream_.take();
  if (!stream_.accept(TokenKind::right_bracket))
    stream_.report(stream_.peek().place,
                   fmt::format("expected `]` after the tag of an option, found {}", found()));
  return likelihood;
}

// The `fi` or `od`. False if a stray one of the other kind was passed over and options may follow.
bool Parser::close_selection(const Token& opener, bool is_if) {
  const Word right = is_if ? Word::fi : Word::od;
  const Word wrong = is_if ? Word::od : Word::fi;
  const std::string_view closer = is_if ? "fi" : "od";
  if (stream_.at(right)) {
    stream_.take();
    return true;
  }
  const Token token = stream_.peek();
  stream_.report(token.place, fmt::format("expected `{}`, found {}", closer, found()), {},
                 {{opener.place, fmt::format("the `{}` begins here", is_if ? "if" : "do")}});
  if (!stream_.at(wrong)) return true;
  // It belongs to what stands around this one, or is an extra one, or is meant for this one.
  const bool outer = std::any_of(open_.begin(), open_.end() - 1,
                                 [&](const Open& open) { return open.is_if != is_if; });
  if (outer) return true;
  stream_.take();
  return !stream_.at(right) && !stream_.at(TokenKind::double_colon);
}

Parser::Action Parser::jump() {
  stream_.take();
  return Goto{name("a label")};
}

Parser::Action Parser::check() {
  stream_.take();
  if (!stream_.expect(TokenKind::left_parenthesis, "after `assert`")) return Skip{};
  ExpressionPtr condition = expression();
  stream_.expect(TokenKind::right_parenthesis, "after the condition", meant_behind());
  if (stream_.confused()) stream_.accept(TokenKind::arrow);
  warn_of_count(*condition);
  return Check{std::move(condition)};
}

Parser::Action Parser::flush() {
  stream_.take();
  return Flush{channel_use()};
}

// Several assignments are one step. The variable of the first is read already.
// grammar: assign = assignment { "," assignment } ;
Parser::Action Parser::assign(VariableUse first) {
  Assign assign;
  assign.parts.push_back(assignment(std::move(first)));
  while (!stream_.confused() && stream_.accept(TokenKind::comma)) {
    const bool is_element = stream_.next_is(TokenKind::left_bracket);
    if (!stream_.at(TokenKind::identifier) || !(is_element || is_assigning(stream_.peek(1).kind))) {
      stream_.error(fmt::format("expected one more assignment after `,`, found {}", found()),
                    "only assignments are made together: `x = 1, y = 2`");
      break;
    }
    VariableUse next = variable_use();
    if (!stream_.confused() && !is_assigning(stream_.peek().kind))
      stream_.error(fmt::format("expected `=` behind the variable, found {}", found()),
                    "only assignments are made together: `x = 1, y = 2`");
    if (!stream_.confused()) assign.parts.push_back(assignment(std::move(next)));
  }
  return assign;
}

VariableUse Parser::variable_use() {
  Name used = name("a variable");
  const Place place = used.place;
  if (stream_.confused() || !stream_.at(TokenKind::left_bracket))
    return {std::move(used), nullptr, place};
  Tree index = index_of("an array");
  return with_index(std::move(used), std::move(index));
}

VariableUse Parser::with_index(Name used, Tree index) {
  const Place place = cover(used.place, stream_.last().place);
  constexpr int room = 4;  // for what `++` and `+%` stand for
  if (index.height > highest_expression - room) too_long(place);
  return {std::move(used), std::move(index.expression), place};
}

// `v +% n` counts modulo n: it stands for `v = (v + 1) % n`.
// grammar: assignment = variable_use ( "=" expression | "++" | "--" | "+%" expression )
// grammar:            | variable_use ( "+=" | "-=" | "*=" | "/=" | "%=" ) expression ;
Assignment Parser::assignment(VariableUse variable) {
  Assignment assignment{std::move(variable), nullptr};
  const Token token = stream_.take();
  if (token.kind == TokenKind::assign) {
    assignment.value = expression();
    return assignment;
  }
  const Place place = cover(assignment.variable.place, token.place);
  const auto with_old = [&](BinaryOperator operation, ExpressionPtr operand) {
    ExpressionPtr old = as_value(assignment.variable);
    return make_expression(Binary{operation, std::move(old), std::move(operand)},
                           cover(place, stream_.last().place));
  };
  if (const auto operation = assigning_operator(token.kind)) {
    Tree operand = inner_expression();
    assignment.value = with_old(*operation, std::move(operand.expression));
    return assignment;
  }
  const bool down = token.kind == TokenKind::decrement;
  assignment.value = with_old(down ? BinaryOperator::subtract : BinaryOperator::add,
                              make_expression(Number{1}, token.place));
  if (token.kind == TokenKind::plus_percent) {
    Tree modulus = inner_expression();
    assignment.value =
        make_expression(Binary{BinaryOperator::remainder, std::move(assignment.value),
                               std::move(modulus.expression)},
                        cover(place, stream_.last().place));
  }
  return assignment;
}

// A name and a bracket: a channel or an element, what stands behind them tells.
Parser::Action Parser::communication() {
  if (stream_.next_is(TokenKind::left_bracket)) return indexed_action();
  ChannelUse channel = channel_use();
  if (stream_.confused()) return Skip{};
  if (stream_.accept(TokenKind::exclamation)) return send(std::move(channel));
  if (stream_.accept(TokenKind::question)) return receive(std::move(channel));
  stream_.error(fmt::format("expected `!` or `?` after the channel, found {}", found()));
  return Skip{};
}

Parser::Action Parser::indexed_action() {
  Name used = name("a channel");
  if (stream_.confused()) return Skip{};
  if (at_all_members()) return broadcast(std::move(used));
  Tree index = index_of("a channel or an array");
  if (stream_.confused()) return Skip{};
  const int height = index.height + 1;
  VariableUse use = with_index(std::move(used), std::move(index));
  if (is_assigning(stream_.peek().kind)) return assign(std::move(use));
  ChannelUse channel{std::move(use.name), std::move(use.index), use.place};
  if (stream_.accept(TokenKind::exclamation)) return send(std::move(channel));
  if (stream_.accept(TokenKind::question)) return receive(std::move(channel));
  if (find_operator(stream_.peek().kind) == nullptr) {
    stream_.error(fmt::format("expected `!`, `?` or `=` behind the index, found {}", found()),
                  "`c[i]!m` sends, `c[i]?m` receives, `a[i] = e` assigns");
    return Skip{};
  }
  Tree first =
      make_tree(Element{std::move(channel.name), std::move(channel.index)}, channel.place, height);
  Tree all = operation(std::move(first), precedence_lowest);
  if (all.height == highest_expression) too_long(all.expression->place);
  return Test{std::move(all.expression)};
}

// `c!m` or `c?m` in an expression; perhaps the argument of a macro whose name is misspelt.
void Parser::exchange_as_value() {
  const std::string meant =
      called_ == nullptr ? "" : did_you_mean(called_->text, stream_.macro_names());
  const bool is_question = stream_.at(TokenKind::question);
  const bool is_poll = is_question && stream_.next_is(TokenKind::left_bracket);
  const bool is_choice = is_question && stream_.peek(2).kind == TokenKind::colon;
  if (meant.empty())
    stream_.error("sending and receiving are statements, not values",
                  begins_with_quantifier_ ? "a quantifier is a condition and no loop"
                  : is_poll               ? hint(Where::exchange, "?[")
                  : is_choice             ? hint(Where::statement, "?")
                                          : "");
  else
    stream_.error_at(called_->place,
                     fmt::format("only a macro takes a statement, and none is called {}",
                                 in_quotes(called_->text)),
                     meant);
}

// `c!5`: a message that is only a value.
void Parser::lone_value(const ChannelUse& channel, bool is_sent, bool to_all) {
  const std::string text =
      fmt::format("{}{}", channel.name.text.size() > 40 ? "c" : channel.name.text,
                  to_all          ? "[*]"
                  : channel.index ? "[...]"
                                  : "");
  const std::string_view value = stream_.text(stream_.peek());
  stream_.error(fmt::format("expected the name of a message, found {}", found()),
                is_sent ? fmt::format("values stand behind a name: `{}!m({})`", text, value)
                        : fmt::format("values stand behind a name: `{}?m(== {})`", text, value));
}

// `c??m`, `c?[m]`, `c!!m`
void Parser::foreign_exchange(std::string_view direction) {
  if (stream_.at(TokenKind::identifier)) return;
  const std::string instead =
      hint(Where::exchange, fmt::format("{}{}", direction, stream_.text(stream_.peek())));
  if (!instead.empty())
    stream_.error(fmt::format("expected the name of a message, found {}", found()), instead);
}

// `c!m,1`
void Parser::values_behind_comma(const ChannelUse& channel, std::string_view direction,
                                 const Name& message) {
  if (stream_.confused() || !stream_.at(TokenKind::comma)) return;
  stream_.error("the values of a message stand in parentheses",
                fmt::format("write `{}{}{}{}({})`", channel.name.text, channel.index ? "[...]" : "",
                            direction, message.text, stream_.text(stream_.peek(1))));
}

// grammar: send = channel_use "!" name [ "(" [ expression { "," expression } ] ")" ] ;
Parser::Action Parser::send(ChannelUse channel, bool to_all) {
  const Word word = stream_.peek().word;
  if (word == Word::default_ || word == Word::timeout)
    stream_.report(stream_.peek().place, fmt::format("{} cannot be sent", found()),
                   fmt::format("it is only for receiving: `{}?{}`", channel.name.text,
                               stream_.text(stream_.peek())));
  if (stream_.at(TokenKind::number)) lone_value(channel, true, to_all);
  foreign_exchange("!");
  Send send{std::move(channel), name("a message"), {}};
  if (!stream_.confused() && stream_.at(TokenKind::left_parenthesis)) send.values = values(true);
  values_behind_comma(send.channel, "!", send.message);
  return send;
}

bool Parser::at_all_members() {
  return stream_.at(TokenKind::left_bracket) && stream_.next_is(TokenKind::star) &&
         stream_.peek(2).kind == TokenKind::right_bracket;
}

// grammar: broadcast = name "[" "*" "]" "!" name [ "(" [ expression { "," expression } ] ")" ] ;
Parser::Action Parser::broadcast(Name family) {
  for (int i = 0; i < 3; ++i) stream_.take();
  const Place place = cover(family.place, stream_.last().place);
  const std::string text = family.text.size() > 40 ? "c" : family.text;
  if (stream_.at(TokenKind::question)) {
    stream_.error_at(
        place, "a receive is from one channel, not from all of a family",
        fmt::format("choose one, `{0}[i]?...`; only a send can go to all: `{0}[*]!m`", text));
    return Skip{};
  }
  if (!stream_.accept(TokenKind::exclamation)) {
    stream_.error(fmt::format("expected `!` after `{}[*]`, found {}", text, found()),
                  "`[*]` means all members of a family, and only a send can go to all of them");
    return Skip{};
  }
  Action sent = send({std::move(family), nullptr, place}, true);
  auto& [channel, message, values] = std::get<Send>(sent);
  return Broadcast{std::move(channel), std::move(message), std::move(values)};
}

// grammar: receive = channel_use "?" ( "default" | "timeout" [ "(" timeout_kind ")" ]
// grammar:                           | name [ "(" [ targets ] ")" ] [ guard ] ) ;
// grammar: targets = target { "," target } ;
// grammar: target = variable_use | "_" | "==" expression ;
Parser::Action Parser::receive(ChannelUse channel) {
  const Word word = stream_.peek().word;
  if (word == Word::default_ || word == Word::timeout) {
    const Token token = stream_.take();
    if (word == Word::timeout) return Timeout{std::move(channel), timeout_kind()};
    if (stream_.at(TokenKind::left_parenthesis))
      stream_.error(fmt::format("{} brings no values", stream_.quote(token)));
    return ReceiveDefault{std::move(channel)};
  }
  if (stream_.at(TokenKind::number)) lone_value(channel, false);
  foreign_exchange("?");
  Receive receive{std::move(channel), name("a message"), {}};
  if (!stream_.confused() && stream_.at(TokenKind::left_parenthesis)) targets(receive);
  values_behind_comma(receive.channel, "?", receive.message);
  if (stream_.confused() || !at_guard()) return receive;
  stream_.take();
  receive.when = parenthesised().expression;
  warn_of_count(*receive.when);
  return receive;
}

// grammar: timeout_kind = "empty" | "lock" | "quiet" ;
std::optional<TimeoutWord> Parser::timeout_kind() {
  if (!stream_.accept(TokenKind::left_parenthesis)) return {};
  const std::string_view text = stream_.text(stream_.peek());
  std::optional<TimeoutWord> kind;
  if (text == "empty") kind = TimeoutWord::empty;
  if (text == "lock") kind = TimeoutWord::lock;
  if (text == "quiet") kind = TimeoutWord::quiet;
  if (!kind) {
    stream_.error(fmt::format("expected `empty`, `lock` or `quiet`, found {}", found()),
                  "a timeout may say which kind it is, and brings no values");
    return {};
  }
  stream_.take();
  stream_.expect(TokenKind::right_parenthesis, "after the kind of a timeout");
  return kind;
}

void Parser::targets(Receive& receive) {
  stream_.take();
  if (stream_.accept(TokenKind::right_parenthesis)) return;
  do {
    if (receive.targets.size() == Limits::values) {
      stream_.error(fmt::format("a message carries at most {} values", Limits::values));
      return;
    }
    receive.targets.push_back(target(receive));
  } while (!stream_.confused() && stream_.accept(TokenKind::comma));
  stream_.expect(TokenKind::right_parenthesis, "after the variables of a receive");
}

VariableUse Parser::target(Receive& receive) {
  const Token first = stream_.peek();
  if (stream_.accept(TokenKind::equal)) {
    receive.expected.resize(receive.targets.size());
    receive.expected.push_back(expression());
    return {{"_", first.place}, nullptr, first.place};
  }
  if (first.kind == TokenKind::identifier && !is_bracket(first.word) &&
      (stream_.next_is(TokenKind::comma) || stream_.next_is(TokenKind::right_parenthesis))) {
    stream_.take();
    return {{std::string(stream_.text(first)), first.place}, nullptr, first.place};
  }
  const OperatorEntry* compared = find_operator(first.kind);
  if (compared != nullptr && is_comparison(*compared)) {
    stream_.error(
        fmt::format("only `==` stands before a value that is expected, not {}", found()),
        fmt::format("other conditions stand behind: `c?m(n) when (n {} 1)`", compared->text));
    return {{"_", first.place}, nullptr, first.place};
  }
  const ExpressionPtr found_target = expression();
  const Place place = found_target->place;
  if (auto* element = std::get_if<Element>(&found_target->node))
    return {std::move(element->array), std::move(element->index), place};
  if (!stream_.confused())
    stream_.report(place, "a received value needs a variable to go to",
                   "to take one value alone, compare: `c?m(== 1)`");
  return {{"_", place}, nullptr, place};
}

// grammar: call = name "(" [ expression { "," expression } ] ")" ;
Parser::Action Parser::call() {
  Call call{name("a procedure"), {}};
  const Name* const outer = std::exchange(called_, &call.procedure);
  if (!stream_.confused()) call.arguments = values(false);
  called_ = outer;
  return call;
}

}  // namespace panoptes::argos
