// SPDX-License-Identifier: Apache-2.0
// What the views of `panoptes show` are made of, before anyone decides how to print it.
//
// Everything here is of the compiled program: minimised automata, unless that was not wanted, and
// statements as transitions have them, macros replaced. What a search has seen is in
// report/reception_matrix.hpp.
//
// Cost: a transition table has an entry for each transition. Thread safety: functions of their
// arguments.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "protocol/sorts.hpp"
#include "rules/program.hpp"
#include "verdict/arrivals.hpp"

namespace panoptes {

// Of all tables or matrices of a view together. Nobody looks through more, and each takes memory.
inline constexpr std::size_t most_cells = 100'000;

// ---- words -----------------------------------------------------------------------------------

// `data(0..7)`.
std::string message_name(const MessageType& type);
// In a member of a family the index is a number: `ring[2]?token`. All members together are shown as
// they are written: `ring[i]?token`.
enum class Wording : std::uint8_t { resolved, written };
// What a transition does, the condition of a channel action behind it.
std::string action_text(const Program& program, const Transition& transition,
                        Wording wording = Wording::resolved);
// `ring[i]` of `ring[i]?token`. REQUIRES: it is a receive or a timeout.
std::string written_channel(const Program& program, const Transition& transition);
// `link: ack0 ack1` for each channel: what can arrive at this state and is not accepted, or
// only under a condition.
std::vector<std::string> not_accepted(const Program& program, const ControlState& state,
                                      Wording wording = Wording::resolved);
// `idle (29:3, start, may stop)`: a state by name, and what else there is to say.
std::string state_title(const Automaton& automaton, StateId state, const SourceSet& sources);
// The same with these facts behind its place.
std::string state_title(const Automaton& automaton, StateId state, const SourceSet& sources,
                        const std::vector<std::string>& facts);
// The places a state was made of, each once, in the order of the text.
std::vector<std::string> places_of(const Automaton& automaton, StateId id,
                                   const SourceSet& sources);
// `link[2]`, `ring[3] [1]`, `monitor (sink)`.
std::string channel_title(const Channel& channel);
// The same of one that goes by another name, as members of a family do. REQUIRES: it is no sink.
std::string channel_title(const Channel& channel, const std::string& name);
// `head`, `message 2`: which message a rule receives.
std::string message_place(const Rule& rule);
// `x`, `a[i + 1]`: what is assigned to.
std::string target_text(const Protocol& protocol, const Assignment& assignment);
// When a rule is enabled and what it does.
std::string rule_conditions(const Program& program, RuleId rule);
std::string rule_effects(const Program& program, const Rule& rule);

// ---- the state vector ------------------------------------------------------------------------

struct Part {
  std::string name;
  std::string kind;
  std::uint32_t word, shift, bits;
  std::string values;
};
std::vector<Part> parts(const Program& program);

// ---- transition tables -----------------------------------------------------------------------

// States against actions: where each leads. An end that nothing leads to is no row.
struct TransitionTable {
  struct Row {
    StateId state;
    std::map<std::size_t, std::vector<StateId>> next;  // by action; several where a choice is open
  };
  std::vector<std::string> actions;  // in the order of the text
  std::vector<Row> rows;
};
TransitionTable transition_table(const Program& program, const Automaton& automaton);

// The same backwards, by rule: from which states each leads here. Rows are numbered anew, from
// where the process may stop; if it does so nowhere from where it only waits, else from its initial
// state; then by their distance from there, what stands last in the text first.
struct BackwardTable {
  struct Step {
    RuleId rule;
    std::size_t action;
    std::size_t row;  // that it leads back to
  };
  struct Row {
    StateId state;
    std::vector<Step> back;  // by action
  };
  std::vector<std::string> actions;  // reversed, in the order of the text
  std::vector<Row> rows;
  std::size_t starts = 0;  // so many of the first rows are where it begins
  std::size_t end = 0;     // the row of the initial state
};
BackwardTable backward_table(const Program& program, ProcessId process);

// The states that are rows of a table.
std::vector<StateId> table_states(const Automaton& automaton);
// Actions by where each stands in the text; an unknown place comes last.
std::vector<std::string> in_text_order(const std::map<std::string, Place>& actions);
// The first place of these statements, or of one that is before them.
Place first_place(const Program& program, const std::vector<StatementId>& statements, Place place);

// ---- channels --------------------------------------------------------------------------------

struct ChannelUse {
  struct Message {
    std::string text;  // with the ranges of its values
    bool is_received;  // by some statement, or by nobody because nothing is there to read it
  };
  struct Sender {
    ProcessId process;  // none: what is in the channel at the start
    std::vector<Message> messages;

    // The texts of those that are received, or of those that are not.
    std::vector<std::string> texts(bool is_received) const;
    std::vector<std::string> texts() const;
  };
  std::vector<Sender> senders;
  bool takes_default = false, has_timeout = false;
  std::vector<std::string> never_received, never_sent;  // by name
};
// By channel.
std::vector<ChannelUse> channel_uses(const Program& program);
// Processes that neither send nor receive.
std::vector<std::string> silent_processes(const Program& program);

}  // namespace panoptes
