// SPDX-License-Identifier: Apache-2.0
// What names mean: the declarations of a model, and the scope a body is read in.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "argos/syntax.hpp"
#include "base/diagnostic.hpp"
#include "protocol/build_options.hpp"
#include "protocol/limits.hpp"
#include "protocol/protocol.hpp"
#include "protocol/sorts.hpp"

namespace panoptes {

// A declared channel, or family of channels with consecutive numbers from `first`.
struct ChannelEntry {
  ChannelId first = 0;
  bool is_family = false;
  Interval members{0, 0};
  Place place;
  bool is_broken = false;  // its range is none: what is wrong with it has been said
};

// A channel where it is used: one channel, or any member of a family, chosen by `index`.
struct ResolvedChannel {
  ChannelId first = none;
  Interval members{0, 0};
  ExpressionId index = none;  // none: exactly `first`
};

// A name inside a body: a constant (declared, index of a family or quantifier, constant argument),
// a variable or an array; in a procedure also another name for a channel or a message.
struct Binding {
  enum class Kind { value, channel, family, message };

  bool is_constant = false;
  std::int64_t value = 0;
  VariableId variable = none;        // of an array, the first of its elements
  Place place = {};                  // where it is declared, as far as two declarations can meet
  std::uint32_t length = 0;          // of an array
  EnumerationId enumeration = none;  // of a name of an enumeration, or of a variable of one
  Kind kind = Kind::value;
  std::string meant = {};        // of a channel, a family or a message: its own name
  ResolvedChannel channel = {};  // of a channel
  ExpressionId received = none;  // where a receive looks at what will be in that variable
};

using Bindings = std::map<std::string, Binding>;

// What is known of one value of a message: the enumerations of what is sent as it and of the
// variables that take it; none for a number.
struct ValueUses {
  std::set<EnumerationId> sent, received;
};

// A message without values that is called like a variable or constant which is seen there.
struct MessageUse {
  std::string channel;
  argos::Name message;
  bool is_sent = false;
  bool is_constant = false;
};

// Everything declared at the top level, and what has been used of it.
struct Declarations {
  std::map<std::string, ChannelEntry> channels;
  Bindings shared;                               // variables and constants
  std::map<std::string, Place> later_constants;  // not declared yet, while constants are
  struct NamedEnumeration {
    EnumerationId id;
    Place place;
  };
  std::map<std::string, NamedEnumeration> enumerations;
  std::map<std::string, const argos::ProcedureDeclaration*> procedures;
  // By channel, name of the message and place of the value.
  std::map<std::tuple<ChannelId, std::string, std::size_t>, ValueUses> value_uses;
  RangePolicy ranges = RangePolicy::error;
  std::vector<std::string> macros;  // that a name which is not declared may be meant as
  std::set<std::string> used_channels, called_procedures;
  std::set<VariableId> read_variables, written_variables;
  std::map<std::pair<Place, std::string>, StatementId> statement_ids;  // by place and owner
  std::set<std::string> messages;  // those with values, or where nothing else is called so
  std::vector<MessageUse> doubtful_messages;
  std::vector<ChannelRead> reads;                   // every receive and timeout, reachable or not
  std::size_t control_states = 0, transitions = 0;  // made so far, of all bodies
};

// The names a statement sees, innermost last; `true` and `false` lie outside of all. All levels
// outlive the scope.
using Scope = std::vector<const Bindings*>;

// A channel where it is used, as the text has it.
struct NamedChannel {
  const std::string& name;
  const argos::Expression* index;  // null unless a member of a family
  Place name_place, place;
};

// A variable to write to: `variable` itself, or the element that `index` chooses of the array that
// begins there.
struct ResolvedTarget {
  VariableId variable = none;
  ExpressionId index = none;
  std::uint32_t length = 1;
};

// What the operators of the language are called in expressions.
Op to_op(argos::UnaryOperator operation);
Op to_op(argos::BinaryOperator operation);
Op to_op(argos::ChannelQuestion question);

// Gives expressions and channel uses their meaning, reporting what has none. Inside of a process;
// from outside of all of them, see argos/outside.hpp.
class Resolver {
 public:
  Resolver(Protocol& protocol, Declarations& declarations, Diagnostics& diagnostics)
      : protocol_(protocol), declarations_(declarations), diagnostics_(diagnostics) {}
  virtual ~Resolver() = default;

  std::optional<ExpressionId> expression(const argos::Expression& e, const Scope& scope);
  // The value of an expression that must be constant; `what` names it in the error.
  std::optional<std::int64_t> constant(const argos::Expression& e, const Scope& scope,
                                       std::string_view what);
  std::optional<Interval> range(const argos::Range& range, const Scope& scope);
  // Makes `variable` one of the enumeration of that name.
  void use_enumeration(const argos::Name& name, Variable& variable);
  std::optional<ResolvedChannel> channel(const argos::ChannelUse& use, const Scope& scope) {
    return channel({use.name.text, use.index.get(), use.name.place, use.place}, scope);
  }
  std::optional<ResolvedChannel> channel(const NamedChannel& use, const Scope& scope);
  // All members of the family that a broadcast names: `first` and `members`.
  std::optional<ResolvedChannel> family(const argos::Broadcast& broadcast, const Scope& scope);
  // What a channel is passed on as: itself, a member of its family, or the family.
  std::optional<Binding> channel_argument(const NamedChannel& use, const Scope& scope);
  // What a message is called where it is sent or received.
  const std::string& message(const std::string& name, const Scope& scope) const;
  // Whether the name stands for a channel or a message that was passed.
  bool is_passed(const std::string& name, Binding::Kind kind, const Scope& scope) const {
    return find(name, scope, kind) != nullptr;
  }
  // The binding of a variable that is passed; constants and unknown names are errors.
  std::optional<Binding> variable_argument(const argos::VariableUse& use, const Scope& scope);
  // The enumeration whose name, or a variable of which, an expression is; none for all others.
  EnumerationId enumeration(const argos::Expression& e, const Scope& scope) const;
  // What to write to, or to receive into; constants, unknown names and whole arrays are errors.
  std::optional<ResolvedTarget> target(const argos::VariableUse& use, const Scope& scope,
                                       bool is_received = false);
  // The variable or constant of that name; null if there is none.
  const Binding* value(const std::string& name, const Scope& scope) const {
    return find(name, scope);
  }

 protected:
  // What an expression can name from outside only; the parser lets nobody else write it.
  virtual std::optional<ExpressionId> outside(const argos::Expression&, const Scope&) { return {}; }
  virtual void unknown_name(const argos::NameUse& use, Place place, const Scope& scope);
  // That the index of a family is one of `members`, and `value` where it is.
  ExpressionId where_member(ExpressionId value, ExpressionId index, const Interval& members);

  // The index into the array `binding`; an error where it is a constant that is out of range.
  std::optional<ExpressionId> index(const argos::Expression& e, const std::string& array,
                                    const Binding& binding, Place place, const Scope& scope);
  void whole_array(const std::string& name, const Binding& binding, Place place);
  void no_array(const std::string& name, Place place);

  Expressions& pool() { return protocol_.expressions; }
  Declarations& declarations() { return declarations_; }
  Diagnostics& diagnostics() { return diagnostics_; }
  std::vector<std::string> visible(const Scope& scope) const;
  std::string meant(const std::string& name, std::vector<std::string> known) const;

 private:
  std::optional<ExpressionId> operation(const argos::Binary& binary, Place place,
                                        const Scope& scope);
  std::optional<ExpressionId> quantifier(const argos::Quantifier& q, Place place,
                                         const Scope& scope);
  std::optional<ExpressionId> element(const argos::Element& element, Place place,
                                      const Scope& scope);
  std::optional<ExpressionId> name(const argos::NameUse& use, Place place, const Scope& scope);
  std::optional<ExpressionId> ask(const argos::AskChannel& question, const Scope& scope);
  const ChannelEntry* entry_of(const std::string& name, Place place);
  std::optional<ResolvedChannel> member(const ChannelEntry& entry, const std::string& name,
                                        const NamedChannel& use, const Scope& scope);
  const Binding* find(const std::string& name, const Scope& scope,
                      Binding::Kind kind = Binding::Kind::value) const;
  const Binding* find_target(const argos::VariableUse& use, const Scope& scope,
                             bool is_received = false);

  Protocol& protocol_;
  Declarations& declarations_;
  Diagnostics& diagnostics_;
  std::size_t written_out_ = 0;  // values of indices, in the outermost quantifier
  int quantifiers_ = 0;          // within each other, here
  int unused_ = 0;  // in what `&&` and `||` do not look at: a constant index may be wrong there
};

// Enters every channel, shared variable and procedure of `model` into the protocol and the table.
Declarations declare(const argos::Model& model, const BuildOptions& options, Protocol& protocol,
                     Diagnostics& diagnostics);

// Where a constant is sent that no message can carry as it is.
void warn_of_wide_value(std::int64_t value, Place place, Diagnostics& diagnostics);

// Gives the values of messages their enumerations: where all that is sent, or every variable that
// takes it, is of one. REQUIRES: the sorts are there.
void find_enumerations(const Declarations& declarations, Protocol& protocol);

// Enters variables of a process, or of a procedure that it calls; `scope` holds its family index.
Bindings declare_locals(const std::vector<argos::VariableDeclaration>& variables, ProcessId process,
                        const Scope& scope, Resolver& resolver, Protocol& protocol,
                        Diagnostics& diagnostics);

}  // namespace panoptes
