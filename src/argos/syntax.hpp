// SPDX-License-Identifier: Apache-2.0
// The syntax tree of an Argos model: what the user wrote, nothing resolved.
//
// Macros are gone, everything else is still here: procedures are calls, families of processes and
// channels are one declaration, names are text. build_protocol() gives them meaning.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/source.hpp"

namespace panoptes::argos {

struct Name {
  std::string text;
  Place place;
};

// ---- expressions ---------------------------------------------------------------------------

struct Expression;
using ExpressionPtr = std::unique_ptr<Expression>;

// A channel where it is used: `link`, or `ring[(i + 1) % n]` for a member of a family.
struct ChannelUse {
  Name name;
  ExpressionPtr index;  // null unless a member of a family
  Place place;          // the whole use
};

// A variable where it is written to or read: `x`, or `a[i + 1]` for an element of an array.
struct VariableUse {
  Name name;
  ExpressionPtr index;  // null unless an element
  Place place;          // the whole use
};

// Both bounds are constant expressions, and included.
struct Range {
  ExpressionPtr low, high;
  Place place;
};

enum class UnaryOperator { negate, logical_not };
enum class BinaryOperator {
  logical_or,
  logical_and,
  equal,
  not_equal,
  less,
  less_equal,
  greater,
  greater_equal,
  add,
  subtract,
  multiply,
  divide,
  remainder,
};

struct Number {
  std::int64_t value;
};
// A variable, a constant, a procedure's parameter or a family's index; `true` and `false` where
// nothing else has that name.
struct NameUse {
  std::string text;
};
struct Element {  // a[e]
  Name array;
  ExpressionPtr index;
};
enum class ChannelQuestion { length, full, empty };
struct AskChannel {  // len(c), full(c), empty(c)
  ChannelQuestion question;
  ChannelUse channel;
};

// What only an expression from outside of all processes can say, which `always`, `never` and those
// of the command line are. A process is named as channels are: `sender`, `node[i]`.
using ProcessUse = ChannelUse;
struct RemoteVariable {  // sender.retries, node[2].x, sender.window[i]
  ProcessUse process;
  VariableUse variable;
};
struct AtState {  // sender@wait, node[i]@12:3: 1 while it is there
  ProcessUse process;
  Name state;
};
struct HeadIs {  // head(c) == m, head(c) != m
  ChannelUse channel;
  Name message;
  bool is_other = false;
};

struct Unary {
  UnaryOperator operation;
  ExpressionPtr operand;
};
struct Binary {
  BinaryOperator operation;
  ExpressionPtr left, right;
};

// forall (i : 0..3) e: `e` for each `i` of the range. All of them, one of them, or how many of them
// are not 0.
enum class QuantifierKind { forall, exists, count };
struct Quantifier {
  QuantifierKind kind;
  Name index;
  Range range;
  ExpressionPtr body;
  bool has_bare_comparison = false;  // the body is one, without parentheses around it
};

struct Expression {
  std::variant<Number, NameUse, Element, AskChannel, RemoteVariable, AtState, HeadIs, Unary, Binary,
               Quantifier>
      node;
  Place place;
};

// ---- statements ----------------------------------------------------------------------------

struct Statement;
using Block = std::vector<Statement>;

struct Send {  // c!m, c!m(e, ...)
  ChannelUse channel;
  Name message;
  std::vector<ExpressionPtr> values;
};
struct Broadcast {     // c[*]!m, c[*]!m(e, ...): to every member of the family, in one step
  ChannelUse channel;  // the family, without an index
  Name message;
  std::vector<ExpressionPtr> values;
};
struct Receive {  // c?m, c?m(v, ...); `_` takes a value and forgets it
  ChannelUse channel;
  Name message;
  std::vector<VariableUse> targets;
  // By target, which is `_` then: `== e`, the value that it takes alone; null, or not there: any.
  std::vector<ExpressionPtr> expected = {};
  ExpressionPtr when = nullptr;  // c?m(v) when (e): what it looks at has arrived; null: nothing
};
struct ReceiveDefault {  // c?default
  ChannelUse channel;
};
enum class TimeoutWord { empty, lock, quiet };
struct Timeout {  // c?timeout, c?timeout(lock)
  ChannelUse channel;
  std::optional<TimeoutWord> kind = {};  // nothing: decided by the analysis
};
struct Flush {  // flush c
  ChannelUse channel;
};
struct Assignment {  // v = e; also v++, v += e and their like, which the parser writes out
  VariableUse variable;
  ExpressionPtr value;
};
struct Assign {                   // x = y, y = x
  std::vector<Assignment> parts;  // never empty; all values are those from before the step
};
struct Test {  // (e)
  ExpressionPtr condition;
};
struct Check {  // assert(e)
  ExpressionPtr condition;
};
struct Else {};  // where no other option of the state can be taken; the first of an option
struct Skip {
  bool is_understood = false;  // behind a label that nothing follows
};
struct Break {};
struct Goto {
  Name label;
};
struct Call {  // name(e, ...)
  Name procedure;
  std::vector<ExpressionPtr> arguments;
};
enum class Likelihood : std::int8_t { low = -1, untagged = 0, high = 1 };
struct Option {
  Place place;  // its `::`, or its first statement where there is none
  Block body;   // never empty
  Likelihood likelihood = Likelihood::untagged;  // :: [low] ...
};
struct If {
  std::vector<Option> options;  // never empty
};
struct Do {
  std::vector<Option> options;  // never empty
};

struct Atomic {  // atomic { ... }
  Block body;    // never empty
};

struct Statement {
  Place place;
  std::vector<Name> labels;  // those written before it, in order
  std::variant<Send, Receive, ReceiveDefault, Timeout, Assign, Test, Check, Skip, Break, Goto, Call,
               If, Do, Else, Atomic, Flush, Broadcast>
      action;
  ExpressionPtr when = nullptr;  // when (e) action, which then is one step; null: always
};

// ---- declarations --------------------------------------------------------------------------

struct InitialMessage {
  Name message;
  std::vector<ExpressionPtr> values;  // constant
};

struct ChannelDeclaration {  // channel c; channel c[4] = { m(1) }; channel ring[0..3][1]; sink c;
  Name name;
  std::optional<Range> family;
  ExpressionPtr capacity;  // null: decided by the analysis
  std::vector<InitialMessage> contents;
  bool is_sink = false;
  bool is_queue = false;                                                 // it is called so
  bool is_lossy = false, is_duplicating = false, is_reordering = false;  // channel c[2] lossy;
};

struct ConstantDeclaration {  // const n = 3;
  Name name;
  ExpressionPtr value;  // constant
};

struct EnumerationDeclaration {  // enum { idle, busy }, enum phase { idle, busy }
  std::optional<Name> name;
  std::vector<Name> names;  // for 0, 1, ...; never empty
};

struct VariableDeclaration {  // var x; var x : 0..7 = 3; var a[2] : 0..7 = { 3, 4 }; var x : phase
  Name name;
  ExpressionPtr size;  // null unless an array
  std::optional<Range> range;
  bool wraps = false;  // var x : 0..7 wraps: what does not fit is taken modulo the range
  std::optional<Name> enumeration;  // where it has no range
  ExpressionPtr initial;  // null: 0, or the end of the range next to it. Of an array, of each
  std::vector<ExpressionPtr> elements;  // of an array whose elements are named one by one
};

// The index of a family of processes or assertions: [i : 0..3].
struct FamilyIndex {
  Name name;
  Range range;
};

struct ProcessDeclaration {
  Name name;
  std::optional<FamilyIndex> family;
  std::vector<ChannelDeclaration> channels;    // declared in the process that reads them
  std::vector<VariableDeclaration> variables;  // local
  Block body;
  Place end;  // the closing brace
};

enum class ParameterKind { value, channel, message, variable };
struct Parameter {  // x, channel c, message m, var v
  Name name;
  ParameterKind kind = ParameterKind::value;
};

struct ProcedureDeclaration {
  Name name;
  std::vector<Parameter> parameters;
  std::vector<VariableDeclaration> variables;  // its own
  Block body;
  Place end;
};

struct AssertionDeclaration {  // assert { ... }, assert name { ... }
  std::optional<Name> name;
  std::optional<FamilyIndex> family;  // only with a name
  Place place;
  Block body;
  Place end;
};

// What holds in every state, or in none: always (e); never name (e); always name[i : 0..3] (e);
struct InvariantDeclaration {
  bool is_never = false;
  std::optional<Name> name;
  std::optional<FamilyIndex> family;  // only with a name
  ExpressionPtr condition;
  Place place;
};

// A formula of temporal logic over expressions from outside of all processes, and over what steps
// send and receive.
enum class TemporalOperator : std::uint8_t {
  predicate,  // an expression
  sent,
  received,  // channel, message
  negation,
  next,
  eventually,
  always,  // left
  conjunction,
  disjunction,
  implication,
  equivalence,
  until,
  weak_until,
  release,
  leads_to,  // left, right
};
struct TemporalFormula;
using FormulaPtr = std::unique_ptr<TemporalFormula>;
struct TemporalFormula {
  TemporalOperator operation = TemporalOperator::predicate;
  Place place;
  ExpressionPtr predicate = {};
  int height = 1;  // of the tree of that
  ChannelUse channel = {};
  Name message = {};
  FormulaPtr left = {}, right = {};
};

// What holds of every run: ltl name { [] (p -> <> q) }, ltl name[i : 0..3] { ... }
struct TemporalDeclaration {
  std::optional<Name> name;
  std::optional<FamilyIndex> family;  // only with a name
  FormulaPtr formula;
  Place place;
};

// Which runs count: fair weak;
struct FairnessDeclaration {
  Name word;
};

struct Model {
  std::vector<EnumerationDeclaration> enumerations;
  std::vector<ConstantDeclaration> constants;
  std::vector<ChannelDeclaration> channels;
  std::vector<VariableDeclaration> variables;  // shared
  std::vector<ProcessDeclaration> processes;
  std::vector<ProcedureDeclaration> procedures;
  std::vector<AssertionDeclaration> assertions;
  std::vector<InvariantDeclaration> invariants;
  std::vector<TemporalDeclaration> temporal;
  std::vector<FairnessDeclaration> fairness;
  std::vector<std::string> macros;  // those defined in the end, sorted: what a name may be meant as
};

}  // namespace panoptes::argos
