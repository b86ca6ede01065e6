// SPDX-License-Identifier: Apache-2.0
// M = (S, T): a state vector and a table of rules, each a predicate on the vector and an action on
// it. The heart: every engine runs on this table and on nothing else.
//
// A rule is data. It is enabled in a state where
//   - every process that it moves is where its move begins,
//   - every condition is non-zero,
//   - receive: the message `position` places behind the head of `channel` has `tag`;
//     timeout: `channel` is empty;
//     send: `channel` is not full (or, with overflow an error, in any case); one without slots,
//     a sink or a rendezvous, never is;
//     lose, copy, flush and the rest: in any case,
//   - rules of a class above 0: no rule of a class below it is enabled; of a round that waits for
//     exchanges, no send or receive among those.
// Firing it takes that message, and those behind it move up, or adds one behind all others, or
// flushes the channel; makes
// the assignments; moves its processes, and every assertion it concerns to its next subset. All
// expressions read the state before; where several assignments are to the same element of an array,
// the last counts.
// It fires into an error, and has no successor, where one of its checks does not hold (see
// error_table.hpp): `check` is zero, an assertion has no next subset, the channel overflows, `kind`
// is bad_index; or where an expression has no value or the index of an assignment is outside its
// array.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/batch.hpp"
#include "base/small_list.hpp"
#include "protocol/protocol.hpp"
#include "rules/error_table.hpp"
#include "rules/families.hpp"
#include "rules/layout.hpp"

namespace panoptes {

using RuleId = std::uint32_t;

enum class OverflowPolicy { wait, error };

// The move of one process when a rule fires.
struct ProcessMove {
  ProcessId process = 0;
  StateId from = 0, to = 0;
};

using ProcessMoves = SmallList<ProcessMove, 1>;

// The move of one assertion's subset when a rule fires.
struct AssertionMove {
  std::uint32_t assertion;
  std::uint32_t symbol;  // in the assertion's scope
};

// What the second of two processes does in a rendezvous: it receives.
struct Partner {
  std::vector<StatementId> statements;
  std::vector<Origin> origins;
};

struct Rule {
  // The first is that of the process whose statement it is, and the table is in the order of those.
  // Each of the others is of one more process.
  ProcessMoves moves = {ProcessMove{}};
  ActionKind kind = ActionKind::internal;        // receive_default is written out as receives
  ActionKind written_as = ActionKind::internal;  // `kind`, but for a bad_index
  std::int8_t likelihood = 0;                    // of its option: 1 [high], 0 untagged, -1 [low]
  // Where it leads to lies inside an indivisible sequence: the last of the processes that it moves
  // moves alone from there on, until it is outside or waits (step/turn.hpp, step/indivisible.hpp).
  bool ends_inside = false;
  bool is_else = false;        // its conditions are that no other rule of its state is enabled
  std::uint32_t position = 0;  // receive
  std::uint32_t room = none;   // of a broadcast: where others must have some, in Protocol::rooms
  std::vector<ExpressionId> conditions;
  ChannelId channel = none;
  std::uint32_t tag = 0;             // send, receive
  std::vector<ExpressionId> values;  // send
  std::vector<Assignment> assignments;
  ExpressionId check = none;
  std::vector<AssertionMove> assertion_moves;
  std::vector<StatementId> statements;
  std::vector<Origin> origins;                  // as its transition has them
  std::shared_ptr<const Partner> partner = {};  // of a rendezvous: what its second move stands for
  std::string text;

  const ProcessMove& owner() const { return moves.front(); }
  bool moves_process(ProcessId process) const {
    return std::any_of(moves.begin(), moves.end(),
                       [&](const ProcessMove& move) { return move.process == process; });
  }
};

// Who moves alone behind a rule; none where anybody may.
inline ProcessId alone_after(const Rule& rule) {
  return rule.ends_inside ? rule.moves[rule.moves.size() - 1].process : none;
}

// What a state of a process accepts from one channel.
struct Reception {
  ChannelId channel;
  std::vector<ExpressionId> conditions;   // under which it reads that channel; mostly none
  std::vector<bool> accepts;              // by tag; [0] unused
  std::vector<ExpressionId> guards = {};  // under which it takes what it accepts; mostly none
};

// Rules first .. end of the table.
struct RuleRange {
  RuleId first = 0, end = 0;
};

// Rules that are tried for all processes before those of the next round are. A class is a range of
// the table, too: its rounds follow each other, those of the classes below it come before.
struct RuleRound : RuleRange {
  std::uint32_t rule_class = 0;
  bool waits_for_exchanges = false;  // alone; not for other rules of the classes below
};

// A send or receive, be it of a channel that does not exist.
inline bool is_exchange(const Rule& rule) {
  return rule.written_as == ActionKind::send || rule.written_as == ActionKind::receive ||
         rule.written_as == ActionKind::receive_default;
}

// Rules and facts of one control state.
struct ControlInfo {
  SmallList<RuleRange, 2> rules;  // by round
  std::vector<Reception> receptions;
  // A number for its place in the text, the same for all members of a family: that of the first
  // state which is there.
  StateId same_place = 0;
  bool receives_only = false;
  bool has_else = false;
  bool is_end = false;
  bool may_stop = false;
};

struct Program {
  Protocol protocol;
  Families families;
  Layout layout;
  TimeoutPolicy timeouts = TimeoutPolicy::empty;
  OverflowPolicy overflow = OverflowPolicy::wait;
  std::vector<Rule> rules;  // round by round; in it, processes as declared, options as written
  std::vector<RuleRound> rounds;
  std::vector<std::vector<ControlInfo>> control;  // by process, control state
  ErrorTable errors;                              // what makes states and steps wrong
  StateWords initial;

  const RuleRound& round_of(RuleId rule) const {
    const auto behind = [](RuleId id, const RuleRound& round) { return id < round.end; };
    return *std::upper_bound(rounds.begin(), rounds.end(), rule, behind);
  }
  std::uint32_t class_of(RuleId rule) const { return round_of(rule).rule_class; }
  bool has_quiet_timeouts() const {
    return std::any_of(rounds.begin(), rounds.end(), [](const RuleRound& round) {
      return round.waits_for_exchanges && round.first < round.end;
    });
  }
  const ControlInfo& at(ProcessId process, StateId state) const { return control[process][state]; }
  const ControlState& state(ProcessId process, StateId id) const {
    return protocol.processes[process].automaton.states[id];
  }
};

struct RuleOptions {
  TimeoutPolicy timeouts = TimeoutPolicy::empty;
  OverflowPolicy overflow = OverflowPolicy::wait;
};

// Compiles a protocol; nothing where it does not fit, with the reason in `problem`.
std::optional<Program> compile_rules(Protocol protocol, const RuleOptions& options,
                                     std::string& problem);

// The kind of a timeout where those that do not say so are of kind `standard`.
inline TimeoutPolicy kind_of_timeout(const Transition& timeout, TimeoutPolicy standard) {
  return timeout.timeout.value_or(standard);
}

// Calls `use` for every rule of a control state, in the order of the table.
template <typename Use>
void for_each_rule(const ControlInfo& at, Use use) {
  for (const RuleRange& range : at.rules)
    for (RuleId id = range.first; id < range.end; ++id) use(id);
}

// Whether some process can be inside an indivisible sequence.
bool has_indivisible(const Program& program);

// The most rules that one state can enable, as far as the numbers of rules tell.
std::size_t most_successors(const Program& program);

// What a rule touches beyond the control states of its moves. A field of a received message counts
// as part of its channel.
struct Footprint {
  std::vector<VariableId> reads, writes;
  std::vector<ChannelId> asks;        // looked at: len, full, empty, a tag, a timeout
  std::vector<ProcessId> asks_where;  // whose control state is looked at
  ChannelId sends_to = none;
  ChannelId receives_from = none;
  ChannelId flushes = none;
  std::vector<std::uint32_t> assertions;  // moved, or looked at
};
Footprint footprint(const Program& program, const Rule& rule);

// `message(value, ...)` or `message`, by tag; values of an enumeration by name.
std::string message_text(const Protocol& protocol, ChannelId channel, std::uint32_t tag,
                         const std::vector<std::int64_t>& values);

}  // namespace panoptes
