// SPDX-License-Identifier: Apache-2.0
// The productions of declarations.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "argos/hints.hpp"
#include "argos/parser.hpp"
#include "argos/word_classes.hpp"

namespace panoptes::argos {

// grammar: model = { declaration | ";" } ;
Model Parser::run() {
  while (!at_end()) {
    if (stream_.accept(TokenKind::semicolon)) continue;
    if (at_invariant()) {
      invariant(stream_.peek().word);
    } else if (at_temporal()) {
      stream_.at(Word::ltl) ? temporal() : fairness();
    } else if (at_local() || at_unit() || at_names()) {
      declaration(stream_.peek().word);
    } else {
      unknown_declaration();
    }
    if (stream_.confused()) skip_to_unit();
    stream_.recovered();
  }
  tell_of_lone_names();
  model_.macros = stream_.macro_names();
  return std::move(model_);
}

// grammar: declaration = constants | enumeration | channels | sinks | variables
// grammar:             | process | procedure | assertion | invariant | temporal | fairness ;
void Parser::declaration(Word word) {
  if (word == Word::proc || word == Word::process) {
    process();
  } else if (word == Word::procedure) {
    procedure();
  } else if (word == Word::assert_) {
    assertion();
  } else if (word == Word::const_) {
    constants();
  } else if (word == Word::enum_) {
    enumeration();
  } else if (word == Word::always || word == Word::never) {
    invariant(word);
  } else {
    local(model_.channels, model_.variables, word);
  }
}

void Parser::unknown_declaration() {
  const Token token = stream_.peek();
  const std::string text(stream_.text(token));
  if (token.word == Word::assert_) {
    stream_.error("`assert` stands here only before a block: `assert name { ... }`",
                  "what holds in every state is `always (condition);`, and `assert(condition)` a "
                  "statement of a process");
  } else if (is_unit_word(token.word) || is_local_word(token.word) || token.word == Word::const_ ||
             token.word == Word::enum_) {
    stream_.take();
    const bool is_macro = token.word == Word::const_ && stream_.peek().place.expansion != 0;
    stream_.error(fmt::format("expected a name after `{}`, found {}", text, found()),
                  is_macro ? "a macro is replaced wherever it stands: the constant needs a name of "
                             "its own, `const n = MACRO;`"
                           : "");
  } else if (token.kind == TokenKind::right_brace) {
    stream_.error("this `}` closes nothing");
  } else if (token.kind != TokenKind::identifier) {
    const bool is_box =
        token.kind == TokenKind::left_bracket && stream_.next_is(TokenKind::right_bracket);
    const std::string instead = hint(Where::declaration, is_box ? "[]" : text);
    stream_.error(fmt::format("expected a declaration, found {}", found()),
                  instead.empty() ? "statements stand in a process: `proc name { ... }`" : instead);
  } else {
    const bool is_block = stream_.next_is(TokenKind::left_brace);
    std::string instead = hint(Where::declaration, is_block ? text + " {" : text);
    if (instead.empty()) instead = hint(Where::declaration, text);
    const Word meant = instead.empty() && stream_.next_is(TokenKind::identifier)
                           ? nearest_declaration(text)
                           : Word::none;
    if (meant != Word::none) {
      stream_.report(token.place, fmt::format("unknown word {}", found()),
                     fmt::format("did you mean `{}`?", spelled(meant)));
      declaration(meant);
      return;
    }
    if (instead.empty()) instead = "statements stand in a process: `proc name { ... }`";
    stream_.error(fmt::format("expected a declaration, found {}", found()), instead);
  }
  stream_.take();
}

// grammar: constants = "const" name "=" expression { "," name "=" expression } ";" ;
void Parser::constants() {
  stream_.take();
  do {
    ConstantDeclaration constant{name("a constant"), nullptr};
    if (!stream_.confused() && stream_.expect(TokenKind::assign, "after the name of a constant"))
      constant.value = expression();
    if (!stream_.confused()) model_.constants.push_back(std::move(constant));
  } while (!stream_.confused() && stream_.accept(TokenKind::comma));
  end_declaration();
}

// grammar: enumeration = "enum" [ name ] "{" name { "," name } "}" ;
void Parser::enumeration() {
  EnumerationDeclaration enumeration;
  const Place place = stream_.take().place;
  if (!stream_.at(TokenKind::left_brace)) enumeration.name = name("an enum");
  if (stream_.confused() || !stream_.expect(TokenKind::left_brace, "before the names of an enum"))
    return;
  if (stream_.at(TokenKind::right_brace)) stream_.report(place, "an enum has at least one name");
  while (!stream_.confused() && !stream_.at(TokenKind::right_brace)) {
    enumeration.names.push_back(name("a value"));
    if (stream_.at(TokenKind::assign))
      stream_.error("the names of an enum stand for 0, 1, 2, ...",
                    "give a name to another value by `const name = 3;`");
    if (!stream_.accept(TokenKind::comma)) break;
  }
  if (!stream_.confused()) stream_.expect(TokenKind::right_brace, "after the names of an enum");
  if (!stream_.confused()) model_.enumerations.push_back(std::move(enumeration));
}

// grammar: local = channels | sinks | variables ;
void Parser::local(std::vector<ChannelDeclaration>& channels_into,
                   std::vector<VariableDeclaration>& variables_into, Word word) {
  if (word == Word::var || word == Word::variable) {
    variables(variables_into);
  } else {
    channels(channels_into, word == Word::sink);
  }
  end_declaration();
}

// grammar: channels = ( "channel" | "queue" ) channel { "," channel } ";" ;
// grammar: sinks = "sink" name [ "[" range "]" ] { "," name [ "[" range "]" ] } ";" ;
void Parser::channels(std::vector<ChannelDeclaration>& into, bool is_sink) {
  const bool is_queue = stream_.take().word == Word::queue;
  do {
    into.push_back(channel(is_sink));
    into.back().is_queue = is_queue;
  } while (!stream_.confused() && stream_.accept(TokenKind::comma));
}

// grammar: channel = name [ "[" range "]" ] [ "[" expression "]" ] { fault }
// grammar:           [ "=" "{" contents "}" ] ;
// grammar: fault = "lossy" | "duplicating" | "reordering" ;
ChannelDeclaration Parser::channel(bool is_sink) {
  ChannelDeclaration channel;
  channel.is_sink = is_sink;
  channel.name = name("a channel");
  while (!stream_.confused() && stream_.at(TokenKind::left_bracket)) channel_bracket(channel);
  if (!stream_.confused()) line_faults(channel);
  if (!stream_.confused() && stream_.at(TokenKind::identifier) && !stream_.peek().starts_line)
    unknown_fault(channel);
  if (!stream_.confused() && stream_.at(TokenKind::assign)) {
    const Place place = stream_.take().place;
    if (stream_.expect(TokenKind::left_brace, "before the contents of a channel",
                       stream_.at(TokenKind::left_bracket)
                           ? fmt::format("the capacity stands behind the name, and messages need "
                                         "no types: `channel {}[2];`",
                                         channel.name.text)
                           : ""))
      contents(channel);
    else if (stream_.at(TokenKind::left_bracket))
      skip_types();
    if (is_sink) {
      stream_.report(place, "a sink holds no messages");
      channel.contents.clear();
    }
  }
  return channel;
}

// What the line does to messages. Nothing else that begins with a name can stand here.
void Parser::line_faults(ChannelDeclaration& channel) {
  while (stream_.at(TokenKind::identifier)) {
    const Token word = stream_.peek();
    const std::string_view text = stream_.text(word);
    bool* const fault = text == "lossy"         ? &channel.is_lossy
                        : text == "duplicating" ? &channel.is_duplicating
                        : text == "reordering"  ? &channel.is_reordering
                                                : nullptr;
    if (fault == nullptr) return;
    stream_.take();
    if (channel.is_sink) {
      stream_.report(word.place, fmt::format("a sink cannot be {}", text),
                     "it takes every message and holds none");
    } else if (std::exchange(*fault, true)) {
      stream_.warn(word.place, fmt::format("this channel is {} already", text));
    }
  }
}

// A word behind a channel that says nothing about its line.
void Parser::unknown_fault(const ChannelDeclaration& channel) {
  static const std::vector<std::string> faults = {"lossy", "duplicating", "reordering"};
  const std::string word(stream_.text(stream_.peek()));
  const bool is_before = std::find(faults.begin(), faults.end(), channel.name.text) != faults.end();
  std::string suggestion;
  if (is_before)
    suggestion = fmt::format("what a line does stands behind the capacity: `channel {}[2] {};`",
                             word, channel.name.text);
  else if (word == "of")
    suggestion = "messages need no types: leave out what stands behind the capacity";
  else
    suggestion = did_you_mean(word, faults);
  if (suggestion.empty()) return;
  stream_.error(fmt::format("expected `;` after the declaration, found {}", found()), suggestion);
  if (word == "of") skip_types();
}

// `of { mtype, byte }`
void Parser::skip_types() {
  while (!at_end() && !stream_.at(TokenKind::semicolon) && !stream_.peek().starts_line)
    stream_.take();
}

void Parser::channel_bracket(ChannelDeclaration& channel) {
  const Place open = stream_.take().place;
  ExpressionPtr value = inner_expression().expression;
  if (!stream_.confused() && stream_.at(TokenKind::dots)) {
    Range bounds = range(std::move(value));
    if (channel.family) {
      stream_.report(open, "a channel has only one range of members");
    } else if (channel.capacity != nullptr) {
      stream_.report(open, "the range of members stands before the capacity");
    }
    channel.family = std::move(bounds);
  } else if (channel.is_sink) {
    stream_.report(open, "a sink has no capacity");
  } else if (channel.capacity != nullptr) {
    stream_.report(open, "a channel has only one capacity",
                   "a family of channels is declared with a range: `name[0..3][2]`");
  } else {
    channel.capacity = std::move(value);
  }
  stream_.expect(TokenKind::right_bracket, "after the size of a channel");
}

// grammar: contents = [ initial { "," initial } ] ;
void Parser::contents(ChannelDeclaration& channel) {
  if (stream_.accept(TokenKind::right_brace)) return;
  do {
    channel.contents.push_back(initial_message());
  } while (!stream_.confused() && stream_.accept(TokenKind::comma));
  if (stream_.expect(TokenKind::right_brace, "after the contents of a channel")) return;
  while (!at_end() && !at_unit() && !stream_.at(TokenKind::semicolon) &&
         !stream_.at(TokenKind::right_brace))
    stream_.take();
  stream_.accept(TokenKind::right_brace);
}

// grammar: initial = name [ "(" [ expression { "," expression } ] ")" ] ;
InitialMessage Parser::initial_message() {
  InitialMessage message;
  message.message = name("a message");
  if (!stream_.confused() && stream_.at(TokenKind::left_parenthesis)) message.values = values(true);
  return message;
}

// grammar: variables = ( "var" | "variable" ) variable { "," variable } ";" ;
void Parser::variables(std::vector<VariableDeclaration>& into) {
  stream_.take();
  do {
    const std::string instead = hint(Where::type, stream_.text(stream_.peek()));
    if (!instead.empty() && stream_.next_is(TokenKind::identifier))
      stream_.error(fmt::format("expected the name of a variable, found {}", found()), instead);
    into.push_back(variable());
  } while (!stream_.confused() && stream_.accept(TokenKind::comma));
}

// grammar: variable = name [ "[" expression "]" ] [ ":" ( range [ "wraps" ] | name ) ]
// grammar:            [ "=" ( expression | "{" expression { "," expression } "}" ) ] ;
VariableDeclaration Parser::variable() {
  VariableDeclaration variable;
  variable.name = name("a variable");
  if (!stream_.confused() && stream_.at(TokenKind::left_bracket)) array_size(variable);
  if (!stream_.confused() && stream_.accept(TokenKind::colon)) values_of(variable);
  if (!stream_.confused() && stream_.accept(TokenKind::assign)) {
    if (stream_.at(TokenKind::left_brace))
      initial_elements(variable);
    else
      variable.initial = expression();
  }
  return variable;
}

void Parser::array_size(VariableDeclaration& variable) {
  const Place open = stream_.take().place;
  variable.size = inner_expression().expression;
  if (!stream_.confused() && stream_.at(TokenKind::dots)) {
    stream_.error("an array has a size, not a range of indices",
                  "its elements are counted from 0: `var a[4];` has a[0] to a[3]");
    return;
  }
  if (stream_.confused() || !stream_.expect(TokenKind::right_bracket, "after the size of an array"))
    return;
  if (stream_.at(TokenKind::left_bracket))
    stream_.error("an array has only one size",
                  "take `a[i * width + j]` where two indices are meant", {{open, "it is here"}});
}

void Parser::initial_elements(VariableDeclaration& variable) {
  const Place open = stream_.take().place;
  do {
    variable.elements.push_back(expression());
  } while (!stream_.confused() && stream_.accept(TokenKind::comma));
  if (stream_.confused() || !stream_.expect(TokenKind::right_brace, "after the values of an array"))
    return;
  if (variable.size != nullptr) return;
  stream_.report(open,
                 fmt::format("{} is no array, and has one value", in_quotes(variable.name.text)),
                 fmt::format("an array has a size: `var {}[{}]`", variable.name.text,
                             variable.elements.size()));
  variable.elements.clear();
}

// A range, or the name of an enumeration.
void Parser::values_of(VariableDeclaration& variable) {
  ExpressionPtr first = expression(precedence_sum);
  const auto* use = std::get_if<NameUse>(&first->node);
  if (use != nullptr && !stream_.confused() && !stream_.at(TokenKind::dots))
    variable.enumeration = Name{use->text, first->place};
  else if (!stream_.confused())
    variable.range = range(std::move(first));
  variable.wraps = variable.range && !stream_.confused() && stream_.at(Word::wraps);
  if (variable.wraps) stream_.take();
}

// grammar: range = sum ".." sum ;
Range Parser::range(ExpressionPtr low) {
  Range range;
  range.low = low != nullptr ? std::move(low) : expression(precedence_sum);
  stream_.expect(TokenKind::dots, "between the bounds of a range");
  range.high = expression(precedence_sum);
  range.place = cover(range.low->place, range.high->place);
  return range;
}

// grammar: family = "[" name ":" range "]" ;
FamilyIndex Parser::family() {
  stream_.take();
  FamilyIndex index;
  if (stream_.at(TokenKind::number)) {
    nameless_index();
    return index;
  }
  index.name = name("an index");
  stream_.expect(TokenKind::colon, "after the name of an index");
  index.range = range();
  stream_.expect(TokenKind::right_bracket, "after a range");
  return index;
}

// `proc p[3]` or `proc p[0..3]`.
void Parser::nameless_index() {
  std::string problem;
  const std::string_view first = stream_.text(stream_.peek());
  const std::int64_t count = number_value(first, problem).value_or(0);
  const bool is_range =
      stream_.next_is(TokenKind::dots) && stream_.peek(2).kind == TokenKind::number;
  stream_.error(
      fmt::format("expected the name of an index, found {}", found()),
      is_range
          ? fmt::format("an index has a name: `[i : {}..{}]`", first, stream_.text(stream_.peek(2)))
          : fmt::format("members have an index with a name and a range: `[i : 0..{}]`",
                        std::max<std::int64_t>(count, 1) - 1));
}

// grammar: process = ( "proc" | "process" ) name [ family ] { local }
// grammar:           "{" { local } sequence "}" ;
void Parser::process() {
  ProcessDeclaration process;
  stream_.take();
  process.name = name("a process");
  if (!stream_.confused() && stream_.at(TokenKind::left_bracket)) process.family = family();
  if (!stream_.confused() && stream_.at(TokenKind::left_parenthesis))
    stream_.error("a process has no parameters",
                  "a family of processes has an index: `proc name[i : 0..3]`");
  local_channels_ = &process.channels;
  local_variables_ = &process.variables;
  while (!stream_.confused() && at_local())
    local(process.channels, process.variables, stream_.peek().word);
  body(process.body, process.end, fmt::format("process {}", in_quotes(process.name.text)));
  local_channels_ = nullptr;
  local_variables_ = nullptr;
  model_.processes.push_back(std::move(process));
}

// grammar: procedure = "procedure" name "(" [ parameter { "," parameter } ] ")" { variables }
// grammar:             "{" { variables } sequence "}" ;
void Parser::procedure() {
  ProcedureDeclaration procedure;
  stream_.take();
  procedure.name = name("a procedure");
  if (!stream_.confused() &&
      stream_.expect(TokenKind::left_parenthesis, "after the name of a procedure"))
    parameters(procedure);
  local_variables_ = &procedure.variables;
  while (!stream_.confused() && at_local()) declaration_in_body();
  body(procedure.body, procedure.end, fmt::format("procedure {}", in_quotes(procedure.name.text)));
  local_variables_ = nullptr;
  model_.procedures.push_back(std::move(procedure));
}

void Parser::parameters(ProcedureDeclaration& procedure) {
  if (stream_.accept(TokenKind::right_parenthesis)) return;
  do {
    const ParameterKind kind = parameter_kind();
    procedure.parameters.push_back({name("a parameter"), kind});
  } while (!stream_.confused() && stream_.accept(TokenKind::comma));
  stream_.expect(TokenKind::right_parenthesis, "after the parameters of a procedure");
}

// A word for the kind is one only before the name.
// grammar: parameter = [ "channel" | "message" | "var" ] name ;
ParameterKind Parser::parameter_kind() {
  if (!stream_.next_is(TokenKind::identifier)) return ParameterKind::value;
  switch (stream_.peek().word) {
    case Word::channel:
    case Word::queue: stream_.take(); return ParameterKind::channel;
    case Word::message: stream_.take(); return ParameterKind::message;
    case Word::var:
    case Word::variable: stream_.take(); return ParameterKind::variable;
    default: return ParameterKind::value;
  }
}

// grammar: assertion = "assert" [ name [ family ] ] "{" sequence "}" ;
void Parser::assertion() {
  AssertionDeclaration assertion;
  assertion.place = stream_.take().place;
  std::string what = "assertion";
  if (stream_.at(TokenKind::identifier)) {
    assertion.name = name("an assertion");
    what = fmt::format("assertion {}", in_quotes(assertion.name->text));
    if (!stream_.confused() && stream_.at(TokenKind::left_bracket)) assertion.family = family();
  }
  body(assertion.body, assertion.end, what);
  model_.assertions.push_back(std::move(assertion));
}

// grammar: invariant = ( "always" | "never" ) [ name [ family ] ] "(" expression ")" ";" ;
void Parser::invariant(Word word) {
  InvariantDeclaration invariant;
  const Token first = stream_.take();
  invariant.is_never = word == Word::never;
  if (stream_.at(TokenKind::identifier)) invariant_name(invariant);
  if (!stream_.confused() &&
      stream_.expect(TokenKind::left_parenthesis, "before what is to hold")) {
    is_outside_ = true;
    invariant.condition = inner_expression().expression;
    is_outside_ = false;
    if (!stream_.confused())
      stream_.expect(TokenKind::right_parenthesis, "after what is to hold", meant_behind());
    warn_of_count(*invariant.condition);
  }
  invariant.place = cover(first.place, stream_.last().place);
  if (!stream_.confused() && !stream_.at(TokenKind::semicolon) && !stream_.peek().starts_line &&
      !at_end())
    stream_.error(fmt::format("expected `;` after the declaration, found {}", found()),
                  hint(Where::declaration, "always"));
  end_declaration();
  if (invariant.condition) model_.invariants.push_back(std::move(invariant));
}

// A word that asks for more than an invariant can say, or begins its condition, is no name of it.
void Parser::invariant_name(InvariantDeclaration& invariant) {
  const std::string text(stream_.text(stream_.peek()));
  const std::string instead = hint(Where::invariant_name, text);
  if (!instead.empty())
    stream_.error(fmt::format("an invariant cannot be called `{}`", text), instead);
  else if (at_quantifier())
    stream_.error("the condition of an invariant stands in parentheses",
                  hint(Where::declaration, "always"));
  if (stream_.confused()) return;
  invariant.name = name("an invariant");
  if (!stream_.confused() && stream_.at(TokenKind::left_bracket)) invariant.family = family();
}

void Parser::body(Block& block, Place& end, const std::string& what) {
  const Place open = stream_.peek().place;
  if (!open_body(what) && (at_end() || at_unit())) return;
  open_.clear();
  body_started_ = false;
  stray_option_reported_ = false;
  sequence(block);
  end = stream_.peek().place;
  if (stream_.accept(TokenKind::right_brace)) return;
  stream_.report(end, fmt::format("expected `}}` at the end of {}, found {}", what, found()), {},
                 {{open, fmt::format("{} begins here", what)}});
}

// The `{` of a body; false if there is none. The body may still be there then.
bool Parser::open_body(const std::string& what) {
  if (!stream_.at(TokenKind::left_brace))
    stream_.error(fmt::format("expected `{{` before the body of {}, found {}", what, found()));
  if (!is_bracket(stream_.peek().word))
    while (!at_end() && !at_unit() && !stream_.at(TokenKind::left_brace)) stream_.take();
  stream_.recovered();
  return stream_.accept(TokenKind::left_brace);
}

}  // namespace panoptes::argos
