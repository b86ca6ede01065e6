// SPDX-License-Identifier: Apache-2.0
// A checked protocol: the tuple (P, B, V, Mb, Mv) of processes, channels and variables, every name
// resolved, every process one automaton, nothing left of the language it was written in.
//
// Channels and variables form the context; automata refer to them by number only. Families are
// written out, procedures inlined, and a transition is one step: conditions on the state before it,
// an exchange with at most one channel, and assignments that all read the state before it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/source.hpp"
#include "protocol/expression.hpp"
#include "protocol/formula.hpp"

namespace panoptes {

using StateId = std::uint32_t;
using ProcessId = std::uint32_t;
using StatementId = std::uint32_t;

struct Interval {
  std::int64_t low = 0, high = -1;  // empty by default
  bool is_empty() const { return low > high; }
  bool contains(std::int64_t value) const { return low <= value && value <= high; }
  friend bool operator==(const Interval&, const Interval&) = default;
};
inline constexpr Interval short_integer{-32768, 32767};

// ---- context: channels and variables -------------------------------------------------------

// Names for the values 0, 1, ... of a variable, or of what is sent in a message.
struct Enumeration {
  std::string name;  // "" where it has none
  std::vector<std::string> names;
};
using EnumerationId = std::uint32_t;

// One element of a channel's sort: a message name with a number of values. Its tag is its index in
// the sort plus one.
struct MessageType {
  std::string name;
  std::vector<Interval> values;                  // what each value can be
  std::vector<EnumerationId> enumerations = {};  // of values; may end early

  // Of a value; none where it is a number.
  EnumerationId enumeration(std::size_t value) const {
    return value < enumerations.size() ? enumerations[value] : none;
  }
};

struct InitialContent {
  std::string name;
  std::vector<std::int64_t> values;
};

struct Channel {
  std::string name;
  Place place;
  std::uint32_t capacity = 0;
  std::uint32_t declared_capacity = 0;  // what it was before it was narrowed
  bool is_sink = false;                 // accepts and forgets
  // What the line does to messages: lose one that is sent, deliver one and keep it, deliver one
  // that is not the first.
  bool is_lossy = false, is_duplicating = false, is_reordering = false;
  std::vector<InitialContent> contents;
  std::vector<MessageType> sort;   // every message that can be in it
  std::vector<ProcessId> readers;  // in the order in which they were found

  // It has no slots: whoever sends moves together with one who receives.
  bool is_rendezvous() const { return capacity == 0 && !is_sink; }
  // How many of its messages, from the head on, may be the next to be received.
  std::uint32_t places_to_receive() const { return is_reordering ? capacity : 1; }
  // The only one; none where there are several, or none. What one process may find in it is its own
  // business then: a message of a channel with several readers is for whoever takes it. Nobody
  // finds anything in a rendezvous.
  ProcessId reader() const {
    return readers.size() == 1 && !is_rendezvous() ? readers.front() : none;
  }
};

// What is left of its capacity where no channel may have more than `slots`: its contents fit.
inline std::uint32_t narrowed_capacity(const Channel& channel, std::uint32_t slots) {
  return std::min(channel.capacity,
                  std::max(slots, static_cast<std::uint32_t>(channel.contents.size())));
}

struct Variable {
  std::string name;
  Place place;
  ProcessId process = none;  // none: shared
  Interval declared = short_integer;
  std::int64_t initial = 0;
  Interval range;     // inferred, within `declared`
  bool wraps = true;  // what `declared` does not hold is taken modulo its size, whatever --ranges
  // Of an array: its place in it, and how many there are; they have consecutive numbers.
  std::uint32_t element = 0, elements = 0;
  EnumerationId enumeration = none;
  bool is_of_procedure = false;  // of one its process calls, or kept during a broadcast
};

// A name for a value: for expressions that are asked of the protocol afterwards. In those of the
// protocol itself it is its value.
struct NamedConstant {
  std::string name;
  std::int64_t value = 0;
};

// ---- automata ------------------------------------------------------------------------------

// To a variable, or to an element of an array: `length` variables from `variable` on, which have
// one range. Where `index` has no value, or is none of 0 .. length - 1, the step fails.
struct Assignment {
  VariableId variable;
  ExpressionId value;         // already wrapped into the variable's declared range, or bound by it
  ExpressionId index = none;  // none: the variable itself
  std::uint32_t length = 1;
  friend bool operator==(const Assignment&, const Assignment&) = default;
  friend auto operator<=>(const Assignment&, const Assignment&) = default;
};

enum class ActionKind : std::uint8_t {
  internal,         // test, assignment, skip or jump
  send,             // channel!message(values)
  receive,          // channel?message
  receive_default,  // any message no receive of the same state takes
  timeout,          // channel is empty
  flush,            // channel is emptied
  check,            // assert(e)
  lose,             // of rules: channel!message, lost on the way; the channel stays as it is
  copy,             // of rules: channel?message, but it stays in the channel
  bad_index,        // a member of a family that does not exist: fires into an error
};

inline bool is_receive(ActionKind kind) {
  return kind == ActionKind::receive || kind == ActionKind::receive_default ||
         kind == ActionKind::timeout;
}

// When a timeout is possible, its channel being empty: always; where nothing else can happen; where
// nothing can be sent or received.
enum class TimeoutPolicy : std::uint8_t { empty, lock, quiet };

// A transition before minimisation, by the numbers states had then.
struct Origin {
  StateId from, to;
  std::vector<StatementId> statements;
};

struct Transition {
  ActionKind kind = ActionKind::internal;
  bool ends_inside = false;                   // an indivisible sequence
  bool is_fault = false;                      // of the line: a send is lost, what is received stays
  std::optional<TimeoutPolicy> timeout = {};  // timeout: its kind, where it says so
  bool is_else = false;                       // only where no other one of its state is enabled
  std::vector<ExpressionId> conditions;       // all must hold
  std::uint32_t choosing = 0;  // of them, the first that say which channel it is about
  ChannelId channel = none;
  std::uint32_t room = none;         // send: others that must have room, one of Protocol::rooms
  std::uint32_t position = 0;        // receive: which message, counted from the head
  std::string message;               // send, receive
  std::vector<ExpressionId> values;  // send
  ExpressionId check = none;         // check
  ActionKind written_as = ActionKind::internal;  // `kind`, but for a bad_index
  std::vector<Assignment> assignments;           // sorted by variable, simultaneous; of those to
                                                 // one element, the last counts
  StateId target = none;
  std::vector<StatementId> statements;  // the source statements it stands for
  std::vector<Origin> origins;          // what it was made of, in the order of `from`
  std::string text;                     // as written, for people
  std::int8_t likelihood = 0;           // of its option: 1 [high], 0 untagged, -1 [low]
};

struct ControlState {
  std::vector<Transition> transitions;
  Place place;                      // its statement; the closing brace for the end
  std::vector<std::string> labels;  // its own, those of vanished transit states, and of the merged
  bool is_end = false;              // the end of the process
  bool may_stop = false;            // the end, or labelled `end...`
  bool is_labelled = false;         // a jump target or the start of a `do`
  std::vector<StateId> merged;      // numbers before minimisation
  std::string name;  // first label, else line:column; "idle|waiting" where it was made of both
};

struct Automaton {
  std::vector<ControlState> states;
  StateId initial = 0;
  StateId end = 0;
  StateId initial_origin = 0;                   // the initial state before minimisation ...
  std::vector<Place> places;                    // ... where each state was then ...
  std::vector<std::string> labels;              // ... and its first label, "end", or ""
  std::vector<std::string> lost_labels = {};    // of statements that no way leads to
  std::vector<Assignment> initial_assignments;  // parameters of a call at the start
  std::size_t raw_size = 0;  // one state per statement, transit states and end included
  std::size_t transit_free_size = 0;
};

struct Process {
  std::string name;         // `node[2]` for a member of a family
  std::string declaration;  // `node`
  Place place;
  Automaton automaton;
  std::string index = {};  // the `i` of `node[i : 0..3]`; "" where it is no member of a family
};

// A source statement, once for all members of a family and all calls of a procedure.
struct StatementInfo {
  Place place;
  std::string owner;  // process, procedure or assertion it is written in
  std::string text;
  bool is_broadcast = false;  // several transitions, one after the other
};

// ---- behaviour assertions ------------------------------------------------------------------

// (channel, direction, message name)
struct ExternalAction {
  ChannelId channel;
  bool is_send;
  std::string message;
  friend bool operator==(const ExternalAction&, const ExternalAction&) = default;
  friend auto operator<=>(const ExternalAction&, const ExternalAction&) = default;
};

// A behaviour assertion, determinised: `next[subset][symbol]`, none where the action violates it.
struct Assertion {
  std::string name;
  Place place;
  Automaton automaton;                // before determinisation
  std::vector<ExternalAction> scope;  // symbol = index; sorted
  std::vector<std::vector<std::uint32_t>> next;
  std::vector<bool> accepts_end;  // subset contains the end
  std::uint32_t initial = 0;
  std::string index = {};  // as that of a process
};

// ---- invariants ----------------------------------------------------------------------------

// What must hold in every state; or, of a question, what is looked for and nothing else is.
struct Invariant {
  std::string name;            // `text` where it has none of its own
  std::string text;            // as written: `always (x < 3)`
  Place place;                 // nowhere: it was given on the command line
  ExpressionId broken = none;  // not 0 where it does not hold; of a question, where it does
  bool is_question = false;
  std::string index = {};  // as that of a process
};

// ---- temporal properties -------------------------------------------------------------------

// What is so at a moment of a run, or is not. A moment is a state and the step that led to it; the
// first has no step, and neither have those of a run that has ended, which stays where it is.
struct TemporalAtom {
  enum class Kind : std::uint8_t {
    state,     // what a state says
    sent,      // the step has sent a message, be it lost on the way
    received,  // the step has received one
    ended,     // nobody can move
  };
  Kind kind = Kind::state;
  std::string text;           // as written
  ExpressionId holds = none;  // state: 0 or 1, and it always has a value
  ChannelId channel = none;   // sent, received
  std::string message = {};   // likewise, by name
};

// Who says it: a formula in the text, or labels of statements (protocol/label_properties.hpp).
enum class PropertyOrigin : std::uint8_t { formula, progress, acceptance };

// What every infinite run must satisfy.
struct TemporalProperty {
  std::string name;  // `text` where it has none of its own
  std::string text;  // the formula, as written
  Place place;       // nowhere: it was given on the command line
  Formula formula;
  std::vector<TemporalAtom> atoms = {};  // by the numbers that the formula has for them
  PropertyOrigin origin = PropertyOrigin::formula;
  std::string index = {};  // as that of a process
};

// Which runs count: any; or, of every process, weak: that it moves if it can from some moment on;
// strong: that it moves again and again if it can again and again.
enum class Fairness : std::uint8_t { any, weak, strong };
struct FairnessDemands {
  Fairness processes = Fairness::any;
  bool lines = false;  // one that loses with room again and again also carries again and again
  friend bool operator==(const FairnessDemands&, const FairnessDemands&) = default;
};

struct Protocol {
  std::vector<Channel> channels;
  std::vector<Variable> variables;
  std::vector<NamedConstant> constants;
  std::vector<Enumeration> enumerations;
  std::vector<Process> processes;
  std::vector<Assertion> assertions;
  std::vector<Invariant> invariants;
  std::vector<TemporalProperty> temporal;
  FairnessDemands fairness;  // of runs that `temporal` is about
  std::vector<StatementInfo> statements;
  std::vector<std::vector<ChannelId>> rooms;  // channels into which broadcasts send together
  Expressions expressions;
  bool has_given_lines = false;  // what lines do is not, or not only, what the model says

  ExpressionNames names() const;
  // `value` by its name in the enumeration where it has one, else as a number.
  std::string value_text(EnumerationId enumeration, std::int64_t value) const;
  // Where an invariant does not hold: `condition` is 0, or of a `never` is not, or has no value.
  ExpressionId broken(ExpressionId condition, bool is_never);
  // The number of a list in `rooms`, which may be there already; none of an empty one.
  std::uint32_t room_in(const std::vector<ChannelId>& channels);
  // Those of the processes that read a channel, separated by commas.
  std::string reader_names(const Channel& channel) const;
};

}  // namespace panoptes
