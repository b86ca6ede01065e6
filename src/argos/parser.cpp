// SPDX-License-Identifier: Apache-2.0
// Recursive descent, one function for each production of the grammar, which stands above it; the
// grammar of the documentation is collected from these comments.
//
// What decides about the meaning of a word is where it stands. `channel` begins a declaration only
// where one can stand and a name follows; anywhere else it is a name.
//
// Errors: a function that finds something unexpected reports it and returns what it has; the stream
// is then confused and stays silent until a sequence of statements, or a list of declarations, has
// skipped to something it knows (`;`, `->`, `::`, `fi`, `od`, `}`, a declaration). Every loop
// either takes a token or ends.
//
// Later passes walk the tree recursively, and so does its destructor, so its height is bounded
// here: statements by Limits::nesting, expressions by `highest_expression`, which also holds for
// chains such as `1 + 1 + 1 + ...`, whose tree is as high as the chain is long.
#include "argos/parser.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "argos/hints.hpp"
#include "argos/precedence.hpp"
#include "argos/token_stream.hpp"

namespace panoptes::argos {
namespace {

constexpr int highest_expression = 1000;
constexpr std::size_t most_values = 3;

using Action = decltype(Statement::action);

// An expression that is being built, and the height of its tree.
struct Tree {
  ExpressionPtr expression;
  int height = 1;
};

Tree make_tree(decltype(Expression::node) node, Place place, int height = 1) {
  return {std::make_unique<Expression>(Expression{std::move(node), place}), height};
}

ExpressionPtr make_expression(decltype(Expression::node) node, Place place) {
  return make_tree(std::move(node), place).expression;
}

// The brackets of the language are never names; the other keywords are, where no statement starts.
bool is_bracket(Word word) {
  return word == Word::if_ || word == Word::fi || word == Word::do_ || word == Word::od;
}

bool is_keyword(Word word) {
  return is_bracket(word) || word == Word::skip || word == Word::break_ || word == Word::goto_ ||
         word == Word::assert_;
}

bool is_local_word(Word word) {
  return word == Word::channel || word == Word::queue || word == Word::sink || word == Word::var ||
         word == Word::variable;
}

bool is_unit_word(Word word) {
  return word == Word::proc || word == Word::process || word == Word::procedure;
}

bool is_question(Word word) {
  return word == Word::len || word == Word::full || word == Word::empty;
}

class Parser {
 public:
  Parser(Preprocessor& preprocessor, const SourceSet& sources, Diagnostics& diagnostics)
      : stream_(preprocessor, sources, diagnostics) {}

  Model run();
  ExpressionPtr run_cost();

 private:
  // Declarations.
  void declaration(Word word);
  void unknown_declaration();
  void local(std::vector<ChannelDeclaration>& channels, std::vector<VariableDeclaration>& variables,
             Word word);
  void channels(std::vector<ChannelDeclaration>& into, bool is_sink);
  ChannelDeclaration channel(bool is_sink);
  void channel_bracket(ChannelDeclaration& channel);
  void contents(ChannelDeclaration& channel);
  InitialMessage initial_message();
  void variables(std::vector<VariableDeclaration>& into);
  VariableDeclaration variable();
  Range range(ExpressionPtr low = nullptr);
  FamilyIndex family();
  void nameless_index();
  void process();
  void procedure();
  void parameters(ProcedureDeclaration& procedure);
  void assertion();
  void body(Block& block, Place& end, const std::string& what);
  bool open_body(const std::string& what);

  // Statements.
  void sequence(Block& block);
  void misplaced_declaration();
  void braces(Block& block, bool reported);
  void step(Block& block);
  bool at_label();
  Action action();
  Action named_action();
  void lone_name(const std::string& text);
  bool at_compound_assignment();
  Action compound_assignment();
  Action test();
  Action selection(bool is_if);
  void options(std::vector<Option>& into);
  Likelihood tag();
  bool close_selection(const Token& opener, bool is_if);
  Action jump();
  Action check();
  Action assignment();
  Action communication();
  Action send(ChannelUse channel);
  Action receive(ChannelUse channel);
  std::vector<Name> targets();
  Name target();
  Action call();
  void lone_value(const ChannelUse& channel, bool is_sent);
  void no_index(const std::string& variable);
  void exchange_as_value();

  // Expressions.
  ExpressionPtr expression(int lowest = precedence_lowest) { return binary(lowest).expression; }
  Tree inner_expression();
  void too_long(Place place);
  Tree binary(int lowest);
  const OperatorEntry* operator_here(int lowest);
  Tree unary();
  Tree primary();
  Tree number();
  Tree name_use();
  Tree remote_name(Name used);
  bool at_mark(std::string_view mark);
  Tree parenthesised();
  Tree ask_channel();
  ChannelUse channel_use();
  std::vector<ExpressionPtr> values(bool limited);

  // Small parts and recovery.
  Name name(std::string_view what);
  std::string found() { return stream_.quote(stream_.peek()); }
  bool at_separator() { return stream_.at(TokenKind::semicolon) || stream_.at(TokenKind::arrow); }
  bool at_end() { return stream_.at(TokenKind::end_of_file); }
  bool at_local();
  bool at_unit();
  bool pass_strays();
  bool at_sequence_end();
  bool can_start_statement();
  void end_declaration();
  void skip_statement();
  void skip_declaration();
  void skip_to_unit();

  struct Open {
    bool is_if;
    Place place;
  };

  TokenStream stream_;
  Model model_;
  std::vector<Open> open_;                 // the `if`s and `do`s around the current token
  std::set<std::string> arrays_;           // variables that were declared with a size, and refused
  const Name* called_ = nullptr;           // what the arguments here are for
  ProcessDeclaration* process_ = nullptr;  // whose declarations may stand in the current body
  bool body_started_ = false;              // a statement of it was read
  bool stray_option_reported_ = false;     // once for each body: more follow from the same mistake
  int statement_depth_ = 0;
  int expression_depth_ = 0;
  bool is_cost_ = false;  // names may be those of the parts of a process
};

// ---- declarations ------------------------------------------------------------------------------

// grammar: model = { declaration | ";" } ;
Model Parser::run() {
  while (!at_end()) {
    if (stream_.accept(TokenKind::semicolon)) continue;
    if (at_local() || at_unit()) {
      declaration(stream_.peek().word);
    } else {
      unknown_declaration();
    }
    if (stream_.confused()) skip_to_unit();
    stream_.recovered();
  }
  model_.macros = stream_.macro_names();
  return std::move(model_);
}

ExpressionPtr Parser::run_cost() {
  is_cost_ = true;
  ExpressionPtr result = expression();
  if (!stream_.confused() && !at_end())
    stream_.error(fmt::format("expected the end of the expression, found {}", found()));
  return stream_.confused() ? nullptr : std::move(result);
}

// grammar: declaration = channels | sinks | variables | process | procedure | assertion ;
void Parser::declaration(Word word) {
  if (word == Word::proc || word == Word::process) {
    process();
  } else if (word == Word::procedure) {
    procedure();
  } else if (word == Word::assert_) {
    assertion();
  } else {
    local(model_.channels, model_.variables, word);
  }
}

void Parser::unknown_declaration() {
  const Token token = stream_.peek();
  const std::string text(stream_.text(token));
  if (token.word == Word::assert_) {
    stream_.error("`assert` stands here only before a block: `assert name { ... }`",
                  "conditions are statements of a process: `proc p { assert(x == 1) }`");
  } else if (is_unit_word(token.word) || is_local_word(token.word)) {
    stream_.take();
    stream_.error(fmt::format("expected a name after `{}`, found {}", text, found()));
  } else if (token.kind == TokenKind::right_brace) {
    stream_.error("this `}` closes nothing");
  } else if (token.kind != TokenKind::identifier) {
    stream_.error(fmt::format("expected a declaration, found {}", found()),
                  "statements stand in a process: `proc name { ... }`");
  } else {
    std::string hint = declaration_hint(text);
    const Word meant = hint.empty() && stream_.next_is(TokenKind::identifier)
                           ? nearest_declaration(text)
                           : Word::none;
    if (meant != Word::none) {
      stream_.report(token.place, fmt::format("unknown word {}", found()),
                     fmt::format("did you mean `{}`?", spelled(meant)));
      declaration(meant);
      return;
    }
    if (hint.empty()) hint = "statements stand in a process: `proc name { ... }`";
    stream_.error(fmt::format("expected a declaration, found {}", found()), hint);
  }
  stream_.take();
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
  stream_.take();
  do {
    into.push_back(channel(is_sink));
  } while (!stream_.confused() && stream_.accept(TokenKind::comma));
}

// grammar: channel = name [ "[" range "]" ] [ "[" expression "]" ] [ "=" "{" contents "}" ] ;
ChannelDeclaration Parser::channel(bool is_sink) {
  ChannelDeclaration channel;
  channel.is_sink = is_sink;
  channel.name = name("a channel");
  while (!stream_.confused() && stream_.at(TokenKind::left_bracket)) channel_bracket(channel);
  if (!stream_.confused() && stream_.at(TokenKind::assign)) {
    const Place place = stream_.take().place;
    if (stream_.expect(TokenKind::left_brace, "before the contents of a channel"))
      contents(channel);
    if (is_sink) {
      stream_.report(place, "a sink holds no messages");
      channel.contents.clear();
    }
  }
  return channel;
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
    into.push_back(variable());
  } while (!stream_.confused() && stream_.accept(TokenKind::comma));
}

// grammar: variable = name [ ":" range ] [ "=" expression ] ;
VariableDeclaration Parser::variable() {
  VariableDeclaration variable;
  variable.name = name("a variable");
  if (!stream_.confused() && stream_.at(TokenKind::left_bracket)) {
    arrays_.insert(variable.name.text);
    stream_.error(
        "a variable has no size",
        fmt::format("there are no arrays: declare a variable for each, `var {0}0, {0}1;`; a "
                    "range is declared so: `var {0} : 0..7;`",
                    variable.name.text.size() > 40 ? "x" : variable.name.text));
  }
  if (!stream_.confused() && stream_.accept(TokenKind::colon)) variable.range = range();
  if (!stream_.confused() && stream_.accept(TokenKind::assign)) variable.initial = expression();
  return variable;
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
  process_ = &process;
  while (!stream_.confused() && at_local())
    local(process.channels, process.variables, stream_.peek().word);
  body(process.body, process.end, fmt::format("process {}", in_quotes(process.name.text)));
  process_ = nullptr;
  model_.processes.push_back(std::move(process));
}

// grammar: procedure = "procedure" name "(" [ name { "," name } ] ")" "{" sequence "}" ;
void Parser::procedure() {
  ProcedureDeclaration procedure;
  stream_.take();
  procedure.name = name("a procedure");
  if (!stream_.confused() &&
      stream_.expect(TokenKind::left_parenthesis, "after the name of a procedure"))
    parameters(procedure);
  body(procedure.body, procedure.end, fmt::format("procedure {}", in_quotes(procedure.name.text)));
  model_.procedures.push_back(std::move(procedure));
}

void Parser::parameters(ProcedureDeclaration& procedure) {
  if (stream_.accept(TokenKind::right_parenthesis)) return;
  do {
    procedure.parameters.push_back(name("a parameter"));
  } while (!stream_.confused() && stream_.accept(TokenKind::comma));
  stream_.expect(TokenKind::right_parenthesis, "after the parameters of a procedure");
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

// ---- statements --------------------------------------------------------------------------------

// A missing separator is worth a warning only; none is needed after `fi` and `od`.
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
      misplaced_declaration();
      separated = true;
      continue;
    }
    if (stream_.at(TokenKind::left_brace)) {
      braces(block, false);
      separated = true;
      continue;
    }
    if (!separated && can_start_statement())
      stream_.warn(stream_.peek().place, fmt::format("missing `;` before {}", found()));
    step(block);
    separated = stream_.last().word == Word::fi || stream_.last().word == Word::od;
    if (stream_.confused()) {
      skip_statement();
      separated = true;
      if (stream_.at(TokenKind::left_brace)) braces(block, true);
    }
    if (stream_.taken() == before) stream_.take();
  }
}

// What stands at the start of a body is no mistake: there the process takes it.
void Parser::misplaced_declaration() {
  const Place place = stream_.peek().place;
  const Word word = stream_.peek().word;
  if (process_ == nullptr) {
    stream_.report(place, "declarations stand in a process or at the top level",
                   "declare it at the top level");
    std::vector<ChannelDeclaration> channels_lost;
    std::vector<VariableDeclaration> variables_lost;
    local(channels_lost, variables_lost, word);
    return;
  }
  if (body_started_ || !open_.empty())
    stream_.report(place, "declarations come before the first statement");
  local(process_->channels, process_->variables, word);
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
// grammar: statement = { name ":" } action | name ":" { name ":" } ;
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
    statement.action = Skip{};
  } else {
    const Token first = stream_.peek();
    statement.action = action();
    statement.place =
        is_bracket(first.word) ? first.place : cover(first.place, stream_.last().place);
  }
  block.push_back(std::move(statement));
}

bool Parser::at_label() {
  return stream_.at(TokenKind::identifier) && !is_keyword(stream_.peek().word) &&
         stream_.next_is(TokenKind::colon);
}

// grammar: action = "skip" | "break" | "goto" name | "assert" "(" expression ")"
// grammar:        | selection | repetition | send | receive | assignment | call | test ;
Action Parser::action() {
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
  stream_.error(fmt::format("expected a statement, found {}", found()));
  return Skip{};
}

// grammar: test = expression ;
Action Parser::test() { return Test{inner_expression().expression}; }

// What a statement that begins with a name is, the next token tells.
Action Parser::named_action() {
  const Token first = stream_.peek();
  const std::string text(stream_.text(first));
  switch (stream_.peek(1).kind) {
    case TokenKind::exclamation:
    case TokenKind::question:
    case TokenKind::left_bracket: return communication();
    case TokenKind::assign:
    case TokenKind::increment:
    case TokenKind::decrement:
    case TokenKind::plus_percent: return assignment();
    case TokenKind::left_parenthesis:
      if (is_question(first.word)) return test();
      if (!is_foreign_control(text)) return call();
      break;
    default:
      if (at_compound_assignment()) return compound_assignment();
      if (find_operator(stream_.peek(1).kind) != nullptr) return test();
      break;
  }
  if (stream_.next_is(TokenKind::broken)) {
    stream_.take();
    stream_.error({});
    return Skip{};
  }
  lone_name(text);
  stream_.take();
  return Skip{};
}

void Parser::lone_name(const std::string& text) {
  const std::string hint = statement_hint(text);
  if (!hint.empty()) {
    stream_.error(fmt::format("`{}` is no statement", text), hint);
  } else {
    std::vector<std::string> words = stream_.macro_names();
    words.insert(words.end(), {"assert", "break", "do", "goto", "if", "skip"});
    const std::string suggestion = did_you_mean(text, words);
    stream_.error(
        fmt::format("the name {} alone is no statement", in_quotes(text)),
        !suggestion.empty()
            ? suggestion
            : fmt::format("write `({0})` to wait until it is not 0, or `{0}()` to call it",
                          text.size() > 40 ? "..." : text));
  }
}

// `x += 1`, as in other languages.
bool Parser::at_compound_assignment() {
  if (stream_.peek(2).kind != TokenKind::assign) return false;
  switch (stream_.peek(1).kind) {
    case TokenKind::plus:
    case TokenKind::minus:
    case TokenKind::star:
    case TokenKind::slash:
    case TokenKind::percent: return true;
    default: return false;
  }
}

Action Parser::compound_assignment() {
  const std::string variable(stream_.text(stream_.take()));
  const Token operation = stream_.take(), assign = stream_.take();
  const std::string text(stream_.text(operation));
  stream_.error_at(
      cover(operation.place, assign.place), fmt::format("there is no operator `{}=`", text),
      fmt::format("write `{0} = {0} {1} ...`", variable.size() > 40 ? "x" : variable, text));
  return Skip{};
}

// grammar: selection = "if" options "fi" ;
// grammar: repetition = "do" options "od" ;
Action Parser::selection(bool is_if) {
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
  if (found_options.empty()) {
    stream_.report(opener.place, fmt::format("this `{}` has no option", is_if ? "if" : "do"));
    found_options.push_back({opener.place, {}});
    found_options.back().body.push_back({opener.place, {}, Skip{}});
  }
  if (is_if) return If{std::move(found_options)};
  return Do{std::move(found_options)};
}

// The `::` may be left out where there is only one option.
// grammar: options = option { option } | sequence ;
// grammar: option = "::" [ "[" ( "high" | "low" ) "]" ] sequence ; (* of at least one statement *)
void Parser::options(std::vector<Option>& into) {
  const std::size_t options_before = into.size();
  if (!stream_.at(TokenKind::double_colon)) {
    Option option{stream_.peek().place, {}};
    sequence(option.body);
    if (!option.body.empty()) into.push_back(std::move(option));
  }
  const bool unmarked = into.size() > options_before;
  if (unmarked && stream_.at(TokenKind::double_colon))
    stream_.report(into.back().place, "the first of several options needs its `::` too");
  while (stream_.at(TokenKind::double_colon)) {
    Option option{stream_.take().place, {}};
    option.likelihood = tag();
    sequence(option.body);
    if (option.body.empty()) {
      stream_.report(option.place, "an option needs at least one statement",
                     "write `:: skip` for an option that does nothing");
      option.body.push_back({option.place, {}, Skip{}});
    }
    into.push_back(std::move(option));
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

Action Parser::jump() {
  stream_.take();
  return Goto{name("a label")};
}

Action Parser::check() {
  stream_.take();
  if (!stream_.expect(TokenKind::left_parenthesis, "after `assert`")) return Skip{};
  ExpressionPtr condition = expression();
  stream_.expect(TokenKind::right_parenthesis, "after the condition");
  return Check{std::move(condition)};
}

// `v +% n` counts modulo n: it stands for `v = (v + 1) % n`.
// grammar: assignment = name "=" expression | name "++" | name "--" | name "+%" expression ;
Action Parser::assignment() {
  Assign assign;
  assign.variable = name("a variable");
  if (stream_.confused()) return Skip{};
  const Token token = stream_.take();
  if (token.kind == TokenKind::assign) {
    assign.value = expression();
    return assign;
  }
  const bool down = token.kind == TokenKind::decrement;
  ExpressionPtr one = make_expression(Number{1}, token.place);
  ExpressionPtr old = make_expression(NameUse{assign.variable.text}, assign.variable.place);
  const Place place = cover(assign.variable.place, token.place);
  assign.value = make_expression(
      Binary{down ? BinaryOperator::subtract : BinaryOperator::add, std::move(old), std::move(one)},
      place);
  if (token.kind == TokenKind::plus_percent) {
    Tree modulus = inner_expression();
    assign.value = make_expression(
        Binary{BinaryOperator::remainder, std::move(assign.value), std::move(modulus.expression)},
        cover(place, stream_.last().place));
  }
  return assign;
}

Action Parser::communication() {
  ChannelUse channel = channel_use();
  if (stream_.confused()) return Skip{};
  if (stream_.accept(TokenKind::exclamation)) return send(std::move(channel));
  if (stream_.accept(TokenKind::question)) return receive(std::move(channel));
  if (stream_.at(TokenKind::assign) || stream_.at(TokenKind::increment) ||
      stream_.at(TokenKind::decrement) || stream_.at(TokenKind::plus_percent))
    no_index(channel.name.text);
  else
    stream_.error(fmt::format("expected `!` or `?` after the channel, found {}", found()));
  return Skip{};
}

// An index behind a variable. Of one whose size was refused, enough has been said.
void Parser::no_index(const std::string& variable) {
  if (arrays_.contains(variable))
    stream_.known_error();
  else
    stream_.error("a variable has no index", "there are no arrays: declare a variable for each");
}

// `c!m` or `c?m` in an expression; perhaps the argument of a macro whose name is misspelt.
void Parser::exchange_as_value() {
  const std::string meant =
      called_ == nullptr ? "" : did_you_mean(called_->text, stream_.macro_names());
  if (meant.empty())
    stream_.error("sending and receiving are statements, not values");
  else
    stream_.error_at(called_->place,
                     fmt::format("only a macro takes a statement, and none is called {}",
                                 in_quotes(called_->text)),
                     meant);
}

// `c!5`: a message that is only a value.
void Parser::lone_value(const ChannelUse& channel, bool is_sent) {
  const std::string text =
      fmt::format("{}{}", channel.name.text.size() > 40 ? "c" : channel.name.text,
                  channel.index ? "[...]" : "");
  const std::string_view value = stream_.text(stream_.peek());
  stream_.error(fmt::format("expected the name of a message, found {}", found()),
                is_sent
                    ? fmt::format("values stand behind a name: `{}!m({})`", text, value)
                    : fmt::format("values go to variables: `{}?m(x) -> (x == {})`", text, value));
}

// grammar: send = channel_use "!" name [ "(" [ expression { "," expression } ] ")" ] ;
Action Parser::send(ChannelUse channel) {
  const Word word = stream_.peek().word;
  if (word == Word::default_ || word == Word::timeout)
    stream_.report(stream_.peek().place, fmt::format("{} cannot be sent", found()),
                   fmt::format("it is only for receiving: `{}?{}`", channel.name.text,
                               stream_.text(stream_.peek())));
  if (stream_.at(TokenKind::number)) lone_value(channel, true);
  Send send{std::move(channel), name("a message"), {}};
  if (!stream_.confused() && stream_.at(TokenKind::left_parenthesis)) send.values = values(true);
  return send;
}

// grammar: receive = channel_use "?" ( "default" | "timeout" | name [ "(" [ targets ] ")" ] ) ;
// grammar: targets = target { "," target } ;
// grammar: target = name | "_" ;
Action Parser::receive(ChannelUse channel) {
  const Word word = stream_.peek().word;
  if (word == Word::default_ || word == Word::timeout) {
    const Token token = stream_.take();
    if (stream_.at(TokenKind::left_parenthesis))
      stream_.error(fmt::format("{} brings no values", stream_.quote(token)));
    if (word == Word::timeout) return Timeout{std::move(channel)};
    return ReceiveDefault{std::move(channel)};
  }
  if (stream_.at(TokenKind::number)) lone_value(channel, false);
  Receive receive{std::move(channel), name("a message"), {}};
  if (!stream_.confused() && stream_.at(TokenKind::left_parenthesis)) receive.targets = targets();
  return receive;
}

std::vector<Name> Parser::targets() {
  std::vector<Name> found_targets;
  stream_.take();
  if (stream_.accept(TokenKind::right_parenthesis)) return found_targets;
  do {
    if (found_targets.size() == most_values) {
      stream_.error("a message carries at most three values");
      return found_targets;
    }
    found_targets.push_back(target());
  } while (!stream_.confused() && stream_.accept(TokenKind::comma));
  stream_.expect(TokenKind::right_parenthesis, "after the variables of a receive");
  return found_targets;
}

Name Parser::target() {
  const Token first = stream_.peek();
  if (first.kind == TokenKind::identifier && !is_bracket(first.word) &&
      (stream_.next_is(TokenKind::comma) || stream_.next_is(TokenKind::right_parenthesis))) {
    stream_.take();
    return {std::string(stream_.text(first)), first.place};
  }
  const ExpressionPtr wrong = expression();
  if (!stream_.confused())
    stream_.report(wrong->place, "a received value needs a variable to go to",
                   "compare it afterwards: `c?m(x) -> (x == 1)`");
  return {"_", wrong->place};
}

// grammar: call = name "(" [ expression { "," expression } ] ")" ;
Action Parser::call() {
  Call call{name("a procedure"), {}};
  const Name* const outer = std::exchange(called_, &call.procedure);
  if (!stream_.confused()) call.arguments = values(false);
  called_ = outer;
  return call;
}

// ---- expressions -------------------------------------------------------------------------------

// An expression that is to stand inside another one, or in parentheses the user did not write: with
// those unparse() writes it, and that must still be within the limits.
Tree Parser::inner_expression() {
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
Tree Parser::binary(int lowest) {
  Tree left = unary();
  while (!stream_.confused()) {
    const OperatorEntry* entry = operator_here(lowest);
    if (entry == nullptr) break;
    stream_.take();
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
  const bool single = token.kind == TokenKind::assign;
  const OperatorEntry* entry = find_operator(single ? TokenKind::equal : token.kind);
  if (entry == nullptr || entry->precedence < lowest) return nullptr;
  if (single) stream_.warn(token.place, "`=` in a condition means `==`", "write `==`");
  return entry;
}

// grammar: unary = ( "!" | "-" ) unary | primary ;
Tree Parser::unary() {
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

// grammar: primary = number | name | "(" expression ")"
// grammar:         | ( "len" | "full" | "empty" ) "(" channel_use ")" ;
Tree Parser::primary() {
  const Token& token = stream_.peek();
  if (token.kind == TokenKind::number) return number();
  if (token.kind == TokenKind::left_parenthesis) return parenthesised();
  if (token.kind == TokenKind::identifier && !is_bracket(token.word)) {
    if (is_question(token.word) && stream_.next_is(TokenKind::left_parenthesis))
      return ask_channel();
    return name_use();
  }
  const Place place = token.place;
  if (token.kind == TokenKind::increment || token.kind == TokenKind::decrement) {
    stream_.error(fmt::format("{} stands after a variable, as a statement of its own", found()));
  } else {
    stream_.error(fmt::format("expected a value, found {}", found()));
  }
  return make_tree(Number{0}, place);
}

// grammar: number = digit { digit } | "0x" hexadecimal { hexadecimal } ; (* at most 2147483647 *)
Tree Parser::number() {
  const Token token = stream_.take();
  std::string problem;
  const std::optional<std::int64_t> value = number_value(stream_.text(token), problem);
  if (!value) stream_.report(token.place, problem);
  return make_tree(Number{value.value_or(0)}, token.place);
}

Tree Parser::name_use() {
  const Name used = name("a variable");
  if (is_cost_ && !stream_.confused()) return remote_name(used);
  if (!stream_.confused()) {
    switch (stream_.peek().kind) {
      case TokenKind::left_parenthesis:
        stream_.error_at(used.place, "a call gives no value",
                         "in expressions only `len`, `full` and `empty` are called");
        break;
      case TokenKind::left_bracket: no_index(used.text); break;
      case TokenKind::question:
      case TokenKind::exclamation: exchange_as_value(); break;
      case TokenKind::increment:
      case TokenKind::decrement:
        stream_.error(fmt::format("{} stands only in a statement of its own", found()));
        break;
      default: break;
    }
  }
  return make_tree(NameUse{used.text}, used.place);
}

bool Parser::at_mark(std::string_view mark) {
  return stream_.at(TokenKind::unknown) && stream_.text(stream_.peek()) == mark;
}

// Only in a cost. States without a label are called by line and column, as in reports.
// remote = name [ "[" [ "-" ] number "]" ] { "." name } [ "@" ( name | number ":" number ) ] ;
Tree Parser::remote_name(Name used) {
  const auto take_text = [&] { used.text += stream_.text(stream_.take()); };
  if (stream_.at(TokenKind::left_bracket)) {
    take_text();
    if (stream_.at(TokenKind::minus)) take_text();
    if (!stream_.at(TokenKind::number))
      stream_.error(fmt::format("expected the number of a member, found {}", found()));
    else
      take_text();
    if (!stream_.confused() && stream_.expect(TokenKind::right_bracket, "after the index"))
      used.text += ']';
  }
  while (!stream_.confused() && at_mark(".")) {
    take_text();
    used.text += name("a variable").text;
  }
  if (!stream_.confused() && at_mark("@")) {
    take_text();
    if (stream_.at(TokenKind::number) && stream_.next_is(TokenKind::colon)) {
      take_text();
      take_text();
      if (stream_.at(TokenKind::number)) take_text();
    } else {
      used.text += name("a state").text;
    }
  }
  return make_tree(NameUse{used.text}, cover(used.place, stream_.last().place));
}

Tree Parser::parenthesised() {
  const Token open = stream_.take();
  Tree tree = binary(precedence_lowest);
  if (!stream_.confused() && !stream_.accept(TokenKind::right_parenthesis))
    stream_.error(fmt::format("expected `)`, found {}", found()), {},
                  {{open.place, "the `(` is here"}});
  tree.expression->place = cover(open.place, stream_.last().place);
  return tree;
}

Tree Parser::ask_channel() {
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

// grammar: channel_use = name [ "[" expression "]" ] ;
ChannelUse Parser::channel_use() {
  ChannelUse use;
  use.name = name("a channel");
  if (!stream_.confused() && stream_.accept(TokenKind::left_bracket)) {
    use.index = expression();
    stream_.expect(TokenKind::right_bracket, "after the index");
  }
  use.place = cover(use.name.place, stream_.last().place);
  return use;
}

// The values of a message, at most three, or the arguments of a call.
std::vector<ExpressionPtr> Parser::values(bool limited) {
  std::vector<ExpressionPtr> found_values;
  stream_.take();
  if (stream_.accept(TokenKind::right_parenthesis)) return found_values;
  do {
    if (limited && found_values.size() == most_values) {
      stream_.error("a message carries at most three values");
      return found_values;
    }
    found_values.push_back(expression());
  } while (!stream_.confused() && stream_.accept(TokenKind::comma));
  stream_.expect(TokenKind::right_parenthesis, "after the values");
  return found_values;
}

// ---- small parts and recovery ------------------------------------------------------------------

// grammar: name = letter { letter | digit } ; (* but not "_", "if", "fi", "do" or "od" *)
Name Parser::name(std::string_view what) {
  const Token token = stream_.peek();
  if (token.kind == TokenKind::identifier && token.word == Word::underscore) {
    stream_.error("`_` is no name: it stands for a received value that is not kept");
  } else if (token.kind != TokenKind::identifier || is_bracket(token.word)) {
    stream_.error(fmt::format("expected the name of {}, found {}", what, found()));
  } else {
    stream_.take();
    return {std::string(stream_.text(token)), token.place};
  }
  return {{}, token.place};
}

// A word that begins a declaration, and a name.
bool Parser::at_local() {
  return is_local_word(stream_.peek().word) && stream_.next_is(TokenKind::identifier);
}

// The start of a process, a procedure or an assertion.
bool Parser::at_unit() {
  const Word word = stream_.peek().word;
  if (is_unit_word(word)) return stream_.next_is(TokenKind::identifier);
  if (word != Word::assert_) return false;
  if (stream_.next_is(TokenKind::left_brace)) return true;
  return stream_.next_is(TokenKind::identifier) &&
         (stream_.peek(2).kind == TokenKind::left_brace ||
          stream_.peek(2).kind == TokenKind::left_bracket);
}

// Passes over `fi`, `od` and `::` where no `if` or `do` is open, and says whether there were any.
bool Parser::pass_strays() {
  bool passed = false;
  while (open_.empty()) {
    const Token token = stream_.peek();
    const bool closes = token.word == Word::fi || token.word == Word::od;
    if (!closes && token.kind != TokenKind::double_colon) break;
    if (closes) {
      stream_.report(token.place, fmt::format("{} without {}", found(),
                                              token.word == Word::fi ? "`if`" : "`do`"));
    } else if (!std::exchange(stray_option_reported_, true)) {
      stream_.report(token.place, "`::` outside of `if` and `do`");
    }
    while (stream_.at(token.kind) && stream_.at(token.word)) stream_.take();
    passed = true;
  }
  return passed;
}

bool Parser::at_sequence_end() {
  const Token& token = stream_.peek();
  return token.kind == TokenKind::end_of_file || token.kind == TokenKind::right_brace ||
         token.kind == TokenKind::double_colon || token.word == Word::fi ||
         token.word == Word::od || at_unit();
}

bool Parser::can_start_statement() {
  switch (stream_.peek().kind) {
    case TokenKind::identifier:
    case TokenKind::number:
    case TokenKind::left_parenthesis:
    case TokenKind::exclamation:
    case TokenKind::minus: return true;
    default: return false;
  }
}

// The `;` of a declaration. Where only that is missing nothing needs to be skipped.
void Parser::end_declaration() {
  if (!stream_.confused() && stream_.accept(TokenKind::semicolon)) return;
  const Place last = stream_.last().place;
  const Place after{last.file, last.offset + last.length, 0, last.expansion};
  if (!stream_.confused() && (stream_.peek().starts_line || stream_.at(TokenKind::left_brace) ||
                              stream_.at(TokenKind::right_brace))) {
    stream_.report(after, "expected `;` after the declaration");
    return;
  }
  stream_.error(fmt::format("expected `;` after the declaration, found {}", found()));
  skip_declaration();
}

void Parser::skip_statement() {
  while (!at_end() && !at_separator() && !at_unit() && !is_bracket(stream_.peek().word) &&
         !stream_.at(TokenKind::double_colon) && !stream_.at(TokenKind::left_brace) &&
         !stream_.at(TokenKind::right_brace) && !(stream_.peek().starts_line && at_local()))
    stream_.take();
  stream_.recovered();
}

void Parser::skip_declaration() {
  while (!at_end() && !at_unit() && !is_bracket(stream_.peek().word) &&
         !stream_.at(TokenKind::double_colon) && !stream_.at(TokenKind::left_brace) &&
         !stream_.at(TokenKind::right_brace) && !(stream_.peek().starts_line && at_local())) {
    if (stream_.take().kind == TokenKind::semicolon) break;
  }
  stream_.recovered();
}

// Outside of everything: to the next declaration, past any braces before it. Two names at the start
// of a line after a `;` look like one, too.
void Parser::skip_to_unit() {
  for (int depth = 0; !at_end(); stream_.take()) {
    if (at_unit() && (depth == 0 || stream_.peek().starts_line)) return;
    if (at_local() && depth == 0) return;
    if (depth == 0 && stream_.last().kind == TokenKind::semicolon && stream_.peek().starts_line &&
        stream_.at(TokenKind::identifier) && !is_keyword(stream_.peek().word) &&
        stream_.next_is(TokenKind::identifier))
      return;
    if (stream_.at(TokenKind::left_brace)) ++depth;
    if (stream_.at(TokenKind::right_brace) && depth > 0) --depth;
  }
}

}  // namespace

Model parse_model(Preprocessor& preprocessor, const SourceSet& sources, Diagnostics& diagnostics) {
  return Parser(preprocessor, sources, diagnostics).run();
}

ExpressionPtr parse_cost(Preprocessor& preprocessor, const SourceSet& sources,
                         Diagnostics& diagnostics) {
  return Parser(preprocessor, sources, diagnostics).run_cost();
}

}  // namespace panoptes::argos
