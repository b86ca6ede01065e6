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

// A name inside a body: a constant (declared, family index, constant argument) or a variable.
struct Binding {
  bool is_constant = false;
  std::int64_t value = 0;
  VariableId variable = none;
  Place place = {};              // where it is declared, as far as two declarations can meet
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
  // The variable to write to; constants and unknown names are errors.
  std::optional<VariableId> target(const argos::Name& name, const Scope& scope);

 private:
  std::optional<ExpressionId> name(const argos::NameUse& use, Place place, const Scope& scope);
  std::optional<ExpressionId> ask(const argos::AskChannel& question, const Scope& scope);
  const Binding* find(const std::string& name, const Scope& scope) const;
  std::vector<std::string> visible(const Scope& scope) const;
  std::string meant(const std::string& name, std::vector<std::string> known) const;

  Protocol& protocol_;
  Declarations& declarations_;
  Diagnostics& diagnostics_;
};

// Enters every channel, shared variable and procedure of `model` into the protocol and the table.
Declarations declare(const argos::Model& model, const BuildOptions& options, Protocol& protocol,
                     Diagnostics& diagnostics);

// Enters the local variables of a process; `scope` holds its family index.
Bindings declare_locals(const argos::ProcessDeclaration& process, ProcessId id, const Scope& scope,
                        Resolver& resolver, Protocol& protocol, Diagnostics& diagnostics);

}  // namespace panoptes
