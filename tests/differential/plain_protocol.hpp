// SPDX-License-Identifier: Apache-2.0
// What the plain checker makes of a model before it searches: channels, variables, control flow,
// assertions and the initial state; and what expressions mean in a state.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "argos/syntax.hpp"
#include "base/source.hpp"
#include "differential/plain_graph.hpp"

namespace panoptes::differential {

// In place of one that could not be computed: no_value and the number of why. What is computed has
// 16 bits.
inline constexpr int no_value = std::numeric_limits<int>::min();

struct PlainMessage {
  int name = 0;
  std::vector<int> values;
  friend auto operator<=>(const PlainMessage&, const PlainMessage&) = default;
};

struct PlainState {
  std::vector<int> control;  // a node for each process
  std::vector<int> variables;
  std::vector<std::vector<PlainMessage>> channels;  // from head to tail
  std::vector<std::vector<int>> assertion_sets;     // nodes in order, for each assertion
  std::optional<PlainMessage> broadcast = {};       // what is being sent to all, while it is
  friend auto operator<=>(const PlainState&, const PlainState&) = default;
};

// The range of a variable; of a value in a message and of a parameter if nothing else is said.
struct PlainRange {
  std::int64_t low = std::numeric_limits<std::int16_t>::min();
  std::int64_t high = std::numeric_limits<std::int16_t>::max();
  bool is_promise = false;  // a value that does not fit is an error
};

struct PlainChannel {
  std::string name;
  std::size_t capacity = 0;
  bool is_sink = false;
  bool is_lossy = false, is_duplicating = false, is_reordering = false;
};

// A value that goes to a variable or an element, computed or received.
struct PlainAssignment {
  const argos::VariableUse* target = nullptr;
  const argos::Expression* value = nullptr;  // null: received
  std::int64_t received = 0;
};

// The channels that one declaration declares.
struct ChannelGroup {
  int first = 0;
  bool is_family = false;
  std::int64_t low = 0;
  std::int64_t count = 1;
};

// A control state as it appears in reports.
struct NodeName {
  std::string place;
  std::string label;
};

struct PlainProcess {
  std::string name;
  Scope scope;
  PlainGraph graph;
  std::vector<NodeName> names;  // of its nodes
  std::set<int> channels_read;
};

struct PlainEvent {
  int channel = 0;
  bool is_send = false;
  int message = 0;
  friend auto operator<=>(const PlainEvent&, const PlainEvent&) = default;
};

struct PlainAssertion {
  std::string name;
  Scope scope;
  PlainGraph graph;
  std::set<PlainEvent> events;  // those in its scope
  std::map<std::pair<int, PlainEvent>, std::vector<int>> moves;

  // `nodes` and whatever internal steps lead to from them.
  std::vector<int> close(std::set<int> nodes) const;
};

// An `always` or `never`.
struct PlainInvariant {
  std::string name;  // "" where it has none
  Scope scope;
  const argos::Expression* condition = nullptr;
  bool is_never = false;
};

// Why a rule fails: thrown by whatever finds out, caught where the rule was fired.
struct Failure {
  std::string kind;
  std::string message;
};

// What stands for a value that could not be computed, and fails whoever asks for it.
int without_value(const Failure& failure);
// `value`, or the failure that it stands for.
std::int64_t known(std::int64_t value);

// The value as a variable of this range keeps it: wrapped around.
int into_range(std::int64_t value, const PlainRange& range);

template <class Kind>
bool is(const PlainOption& option) {
  return option.action != nullptr && std::holds_alternative<Kind>(option.action->action);
}
// To one channel, or to one after the other of a family.
bool is_send(const PlainOption& option);
const std::vector<argos::ExpressionPtr>& values_sent(const PlainOption& option);
// Receives, defaults and timeouts.
bool is_reception(const PlainOption& option);
// The channel that an action is about; null for those that are about none.
const argos::ChannelUse* channel_use(const PlainOption& option);

class PlainProtocol : private Surroundings {
 public:
  PlainProtocol(const argos::Model& model, const SourceSet& sources, int default_capacity,
                bool ranges_wrap);
  PlainProtocol(const PlainProtocol&) = delete;  // options point to scopes
  PlainProtocol& operator=(const PlainProtocol&) = delete;

  std::vector<PlainChannel> channels;
  std::vector<PlainRange> variables;
  std::deque<PlainProcess> processes;
  std::deque<PlainAssertion> assertions;
  std::vector<PlainInvariant> invariants;
  std::vector<std::string> message_names;
  PlainState initial;

  std::int64_t evaluate(const argos::Expression& expression, const Scope& scope,
                        const PlainState& state) const;
  int find(const argos::ChannelUse& use, const Scope& scope, const PlainState& state) const;
  // The number of the variable, or of the element that is meant in this state.
  int find(const argos::VariableUse& use, const Scope& scope, const PlainState& state) const;
  const PlainChannel& channel(int number) const {
    return channels[static_cast<std::size_t>(number)];
  }
  bool is_full(int number, const PlainState& state) const;
  // Those that a broadcast goes to, and that may keep it waiting.
  std::vector<int> family_with_slots(const PlainOption& option) const;
  // Whether the option sends to, or receives from, a channel without slots.
  bool is_rendezvous(const PlainOption& option) const;
  // Whether a message of that name may ever be in the channel.
  bool may_hold(int number, int message) const { return messages_of_.count({number, message}) > 0; }
  const PlainMessage* head(int number, const PlainState& state) const;  // null: empty
  // All indices and values are computed before anything is assigned, in the order of the variables.
  void assign(PlainState& state, std::vector<PlainAssignment> parts, const Scope& scope) const;
  void run(const ParameterSteps& steps, PlainState& state) const;
  // Those of calls before a guard, which need not look at what has no value. What that is, fails
  // the step once it is taken: the first in the order of the variables.
  std::optional<Failure> call(const ParameterSteps& steps, PlainState& state) const;

  // Whether it is so in `state`; one without a value is not.
  bool holds(const PlainInvariant& invariant, const PlainState& state) const;

  // "line:column"
  std::string place_text(Place place) const;

  bool is_shared(int variable) const;

  // Those that the action of an option, or a question, may be about, whatever variables decide.
  // The channel, or family of channels, that a name is for.
  PassedChannel meant(const std::string& name, const Scope& scope) const;
  std::vector<int> possible_channels(const PlainOption& option) const;
  std::vector<int> possible_channels(const argos::ChannelUse& use, const Scope& scope) const;
  std::vector<int> possible_elements(const std::string& array, const argos::Expression& index,
                                     const Scope& scope) const;

 private:
  // `family`: of the channel itself, or of the family of processes it is declared in.
  void declare_channel(const argos::ChannelDeclaration& declaration, const argos::Range* family,
                       int default_capacity);
  std::vector<PlainMessage> initial_contents(const argos::ChannelDeclaration& declaration);
  void declare_variables(const std::vector<argos::VariableDeclaration>& declarations, Scope& scope);
  void declare_array(const argos::VariableDeclaration& declaration, const PlainRange& range,
                     std::int64_t value, Scope& scope);
  int declare_variable(const PlainRange& range, std::int64_t value);
  int fitted(int variable, std::int64_t value) const;
  int element(const std::string& array, const argos::Expression& index, const Scope& scope,
              const PlainState& state) const;
  std::int64_t enumeration_size(const std::string& name) const;
  void declare_process(const argos::ProcessDeclaration& declaration);
  void declare_assertion(const argos::AssertionDeclaration& declaration, std::size_t number);
  void declare_invariant(const argos::InvariantDeclaration& declaration);
  // A scope for each member of a family, by its index in brackets; one and "" if it is none.
  std::vector<std::pair<std::string, Scope>> members(
      const std::optional<argos::FamilyIndex>& family) const;
  void resolve(PlainGraph& graph);
  void name_nodes(PlainProcess& process) const;
  void find_channels_read(PlainProcess& process) const;
  void find_messages(const PlainProcess& process);
  void find_moves(PlainAssertion& assertion) const;
  void start();
  ParameterSteps enter(const argos::ProcedureDeclaration& procedure, const argos::Call& call,
                       const Scope& outer, Scope& inner) override;
  int family_size(const std::string& name, const Scope& scope) const override {
    return static_cast<int>(channel_groups_.at(meant(name, scope).name).count);
  }
  void pass(const argos::Parameter& parameter, const argos::Expression& argument,
            const Scope& outer, Scope& inner, int& number, ParameterSteps& steps);
  static const std::string& message_name(const std::string& name, const Scope& scope);
  int message_number(const std::string& name);

  std::int64_t constant(const argos::Expression& expression, const Scope& scope) const {
    return evaluate(expression, scope, initial);
  }
  bool is_constant(const argos::Expression& expression, const Scope& scope) const;
  std::int64_t evaluate(const argos::Binary& binary, const Scope& scope,
                        const PlainState& state) const;
  std::int64_t evaluate(const argos::Quantifier& quantifier, const Scope& scope,
                        const PlainState& state) const;
  // The process that is named from outside.
  std::size_t find_process(const argos::ProcessUse& use, const Scope& scope,
                           const PlainState& state) const;
  bool is_at(std::size_t process, const std::string& label, const PlainState& state) const;
  std::int64_t ask(const argos::AskChannel& question, const Scope& scope,
                   const PlainState& state) const;

  const argos::Model& model_;
  const SourceSet& sources_;
  std::map<std::string, ChannelGroup> channel_groups_;
  std::map<std::string, int> message_numbers_;
  std::set<std::pair<int, int>> messages_of_;  // channel, message
  Scope shared_;
  std::deque<Scope> scopes_;
  std::map<std::string, std::vector<int>> parameters_;  // of the process being declared
  bool in_assertion_ = false;
  const bool ranges_wrap_;
};

}  // namespace panoptes::differential
