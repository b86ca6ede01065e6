// SPDX-License-Identifier: Apache-2.0
// What names mean: the declarations of a model, and the scope a body is read in.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
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
};

// A name inside a body: a constant (declared, index of a family or quantifier, constant argument),
// a variable or an array.
struct Binding {
  bool is_constant = false;
  std::int64_t value = 0;
  VariableId variable = none;    // of an array, the first of its elements
  Place place = {};              // where it is declared, as far as two declarations can meet
  std::uint32_t length = 0;      // of an array
  ExpressionId received = none;  // where a receive looks at what will be in that variable
};

using Bindings = std::map<std::string, Binding>;

// Everything declared at the top level, and what has been used of it.
struct Declarations {
  std::map<std::string, ChannelEntry> channels;
  Bindings shared;                               // variables and constants
  std::map<std::string, Place> later_constants;  // not declared yet, while constants are
  std::map<std::string, const argos::ProcedureDeclaration*> procedures;
  std::vector<std::string> macros;  // that a name which is not declared may be meant as
  std::set<std::string> used_channels, called_procedures;
  std::set<VariableId> read_variables, written_variables;
  std::map<std::pair<Place, std::string>, StatementId> statement_ids;  // by place and owner
  std::vector<ChannelRead> reads;                   // every receive and timeout, reachable or not
  std::size_t control_states = 0, transitions = 0;  // made so far, of all bodies
};

// The names a statement sees, innermost last; `true` and `false` lie outside of all. All levels
// outlive the scope.
using Scope = std::vector<const Bindings*>;

// A channel where it is used: one channel, or any member of a family, chosen by `index`.
struct ResolvedChannel {
  ChannelId first = none;
  Interval members{0, 0};
  ExpressionId index = none;  // none: exactly `first`
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

// Gives expressions and channel uses their meaning, reporting what has none.
class Resolver {
 public:
  Resolver(Protocol& protocol, Declarations& declarations, Diagnostics& diagnostics)
      : protocol_(protocol), declarations_(declarations), diagnostics_(diagnostics) {}

  std::optional<ExpressionId> expression(const argos::Expression& e, const Scope& scope);
  // The value of an expression that must be constant; `what` names it in the error.
  std::optional<std::int64_t> constant(const argos::Expression& e, const Scope& scope,
                                       std::string_view what);
  std::optional<Interval> range(const argos::Range& range, const Scope& scope);
  std::optional<ResolvedChannel> channel(const argos::ChannelUse& use, const Scope& scope);
  // What to write to; constants, unknown names and whole arrays are errors.
  std::optional<ResolvedTarget> target(const argos::VariableUse& use, const Scope& scope);

 private:
  std::optional<ExpressionId> operation(const argos::Binary& binary, Place place,
                                        const Scope& scope);
  std::optional<ExpressionId> quantifier(const argos::Quantifier& q, Place place,
                                         const Scope& scope);
  std::optional<ExpressionId> element(const argos::Element& element, Place place,
                                      const Scope& scope);
  // The index into the array `binding`; an error where it is a constant that is out of range.
  std::optional<ExpressionId> index(const argos::Expression& e, const std::string& array,
                                    const Binding& binding, Place place, const Scope& scope);
  void whole_array(const std::string& name, const Binding& binding, Place place);
  void no_array(const std::string& name, Place place);
  std::optional<ExpressionId> name(const argos::NameUse& use, Place place, const Scope& scope);
  std::optional<ExpressionId> ask(const argos::AskChannel& question, const Scope& scope);
  const Binding* find(const std::string& name, const Scope& scope) const;
  std::vector<std::string> visible(const Scope& scope) const;
  std::string meant(const std::string& name, std::vector<std::string> known) const;

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

// Enters the local variables of a process; `scope` holds its family index.
Bindings declare_locals(const argos::ProcessDeclaration& process, ProcessId id, const Scope& scope,
                        Resolver& resolver, Protocol& protocol, Diagnostics& diagnostics);

}  // namespace panoptes
