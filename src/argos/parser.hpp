// SPDX-License-Identifier: Apache-2.0
// Tokens to syntax tree.
//
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
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "argos/precedence.hpp"
#include "argos/preprocessor.hpp"
#include "argos/syntax.hpp"
#include "argos/token_stream.hpp"
#include "base/diagnostic.hpp"

namespace panoptes::argos {

// One parser reads one text.
class Parser {
 public:
  Parser(Preprocessor& preprocessor, const SourceSet& sources, Diagnostics& diagnostics)
      : stream_(preprocessor, sources, diagnostics) {}

  // The whole model. Never fails: what is wrong is reported.
  Model run();
  // One expression from outside of all processes, and nothing else; null where it is none.
  ExpressionPtr run_cost();
  // One formula, likewise.
  FormulaPtr run_formula();

 private:
  using Action = decltype(Statement::action);
  static constexpr int highest_expression = 1000;

  // Declarations: parse_declarations.cpp.
  void declaration(Word word);
  void unknown_declaration();
  void constants();
  void enumeration();
  void local(std::vector<ChannelDeclaration>& channels, std::vector<VariableDeclaration>& variables,
             Word word);
  void channels(std::vector<ChannelDeclaration>& into, bool is_sink);
  ChannelDeclaration channel(bool is_sink);
  void channel_bracket(ChannelDeclaration& channel);
  void line_faults(ChannelDeclaration& channel);
  void unknown_fault(const ChannelDeclaration& channel);
  void skip_types();
  void contents(ChannelDeclaration& channel);
  InitialMessage initial_message();
  void variables(std::vector<VariableDeclaration>& into);
  VariableDeclaration variable();
  void array_size(VariableDeclaration& variable);
  void initial_elements(VariableDeclaration& variable);
  void values_of(VariableDeclaration& variable);
  Range range(ExpressionPtr low = nullptr);
  FamilyIndex family();
  void nameless_index();
  void process();
  void procedure();
  void parameters(ProcedureDeclaration& procedure);
  ParameterKind parameter_kind();
  void assertion();
  void invariant(Word word);
  void invariant_name(InvariantDeclaration& invariant);
  void temporal();
  void fairness();
  void body(Block& block, Place& end, const std::string& what);
  bool open_body(const std::string& what);

  // Statements: parse_statements.cpp.
  void sequence(Block& block);
  void declaration_in_body();
  void braces(Block& block, bool reported);
  void step(Block& block);
  void check_else(const Statement& statement, const Block& block);
  bool at_guard();
  void guarded(Statement& statement);
  void late_guard(const Statement& statement);
  bool at_label();
  Action action();
  Action named_action();
  void lone_name(const std::string& text);
  void tell_of_lone_names();
  std::set<std::string> variable_names() const;
  void bare_when();
  Action test();
  Action selection(bool is_if);
  Action atomic();
  void options(std::vector<Option>& into);
  void option_body(Block& body);
  void check_one_else(const std::vector<Option>& options);
  Likelihood tag();
  bool close_selection(const Token& opener, bool is_if);
  Action jump();
  Action check();
  Action flush();
  Action assign(VariableUse first);
  Assignment assignment(VariableUse variable);
  VariableUse variable_use();
  Action communication();
  Action indexed_action();
  bool at_all_members();
  Action broadcast(Name family);
  Action send(ChannelUse channel, bool to_all = false);
  Action receive(ChannelUse channel);
  std::optional<TimeoutWord> timeout_kind();
  void targets(Receive& receive);
  VariableUse target(Receive& receive);
  Action call();
  void lone_value(const ChannelUse& channel, bool is_sent, bool to_all = false);
  void exchange_as_value();
  void foreign_exchange(std::string_view direction);
  void values_behind_comma(const ChannelUse& channel, std::string_view direction,
                           const Name& message);

  // Expressions: parse_expressions.cpp.
  struct Tree {  // an expression that is being built, and the height of its tree
    ExpressionPtr expression;
    int height = 1;
    bool is_parenthesised = false;
  };
  static Tree make_tree(decltype(Expression::node) node, Place place, int height = 1);
  ExpressionPtr expression(int lowest = precedence_lowest) { return binary(lowest).expression; }
  Tree inner_expression();
  void too_long(Place place);
  Tree binary(int lowest) { return operation(unary(), lowest); }
  Tree operation(Tree left, int lowest);
  const OperatorEntry* operator_here(int lowest);
  void single_equals(Place place);
  void warn_of_chain(const OperatorEntry* before, const OperatorEntry& entry, Place place);
  void warn_of_count(const Expression& condition);
  std::string meant_behind();
  Tree unary();
  Tree primary();
  Tree number();
  Tree name_use();
  void check_use(const Name& used, Word word);
  Tree element(Name array);
  void refuse_all_members();
  Tree index_of(std::string_view what);
  VariableUse with_index(Name used, Tree index);
  Tree outside_name(const Name& used);
  void not_from_inside();
  Name state_name();
  Tree head_is();
  Tree parenthesised();
  Tree ask_channel();
  bool at_quantifier();
  Tree quantifier();
  ChannelUse channel_use();
  std::vector<ExpressionPtr> values(bool limited);

  // Formulas: parse_formulas.cpp.
  static constexpr int largest_formula = 200;
  FormulaPtr make_formula(TemporalOperator operation, Place place, FormulaPtr left = nullptr,
                          FormulaPtr right = nullptr);
  FormulaPtr no_formula();
  FormulaPtr predicate_of(Tree tree);
  FormulaPtr formula();
  FormulaPtr implication();
  FormulaPtr junction(int lowest);
  FormulaPtr joined(TemporalOperator operation, FormulaPtr left, FormulaPtr right);
  FormulaPtr until();
  std::optional<TemporalOperator> until_word();
  FormulaPtr operand();
  FormulaPtr prefixed();
  FormulaPtr prefixed_here();
  std::optional<TemporalOperator> prefix_word();
  bool starts_operand(std::size_t ahead);
  std::string meant_in_formula();
  bool is_foreign_operator();
  FormulaPtr negated();
  FormulaPtr parenthesised_formula();
  FormulaPtr event();
  bool is_text(std::string_view text, std::size_t ahead = 0);

  // Small parts and recovery: parser.cpp.
  Name name(std::string_view what);
  std::string found() { return stream_.quote(stream_.peek()); }
  bool at_separator() { return stream_.at(TokenKind::semicolon) || stream_.at(TokenKind::arrow); }
  bool at_end() { return stream_.at(TokenKind::end_of_file); }
  bool at_local();
  bool at_unit();
  bool at_names();
  bool at_invariant();
  bool at_temporal();
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
  std::vector<Open> open_;              // the `if`s and `do`s around the current token
  const Block* option_body_ = nullptr;  // that of the innermost option
  const Name* called_ = nullptr;        // what the arguments here are for
  // Where what the current body declares goes to; null where it may declare none.
  std::vector<ChannelDeclaration>* local_channels_ = nullptr;
  std::vector<VariableDeclaration>* local_variables_ = nullptr;
  bool body_started_ = false;            // a statement of it was read
  bool stray_option_reported_ = false;   // once for each body: more follow from the same mistake
  std::vector<Name> lone_names_;         // what to say of them is known when all has been read
  bool begins_with_quantifier_ = false;  // the statement: perhaps it is meant as a loop
  int statement_depth_ = 0;
  int expression_depth_ = 0;
  int formula_size_ = 0;
  bool is_outside_ = false;  // of all processes: an expression may name their parts
};

}  // namespace panoptes::argos
