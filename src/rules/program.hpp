// SPDX-License-Identifier: Apache-2.0
// M = (S, T): a state vector and a table of rules, each a predicate on the vector and an action on
// it. The heart: every engine runs on this table and on nothing else.
//
// A rule is data. It is enabled in a state where
//   - its process is at `source`,
//   - every condition is non-zero,
//   - receive: the head of `channel` has `tag`; timeout: `channel` is empty;
//     send: `channel` is not full (or, with overflow an error, in any case),
//   - rules of class 1: no rule of class 0 is enabled.
// Firing it takes the head or adds a message, makes the assignments, moves its process to `target`
// and every assertion it concerns to its next subset. All expressions read the state before.
// It fires into an error, and has no successor, where one of its checks does not hold (see
// error_table.hpp): `check` is zero, an assertion has no next subset, the channel overflows, `kind`
// is bad_index; or where an expression has no value.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/batch.hpp"
#include "protocol/protocol.hpp"
#include "rules/error_table.hpp"
#include "rules/families.hpp"
#include "rules/layout.hpp"

namespace panoptes {

using RuleId = std::uint32_t;

enum class TimeoutPolicy { empty, lock };
enum class OverflowPolicy { wait, error };

// The move of one assertion's subset when a rule fires.
struct AssertionMove {
  std::uint32_t assertion;
  std::uint32_t symbol;  // in the assertion's scope
};

struct Rule {
  ProcessId process = 0;
  StateId source = 0, target = 0;
  std::uint8_t rule_class = 0;
  ActionKind kind = ActionKind::internal;  // receive_default is written out as receives
  std::vector<ExpressionId> conditions;
  ChannelId channel = none;
  std::uint32_t tag = 0;             // send, receive
  std::vector<ExpressionId> values;  // send
  std::vector<Assignment> assignments;
  ExpressionId check = none;
  std::vector<AssertionMove> moves;
  std::vector<StatementId> statements;
  std::vector<Origin> origins;  // as its transition has them
  std::string text;
  std::int8_t likelihood = 0;  // of its option: 1 [high], 0 untagged, -1 [low]
};

// What a state of a process accepts from one channel.
struct Reception {
  ChannelId channel;
  std::vector<ExpressionId> conditions;  // under which it reads that channel; mostly none
  std::vector<bool> accepts;             // by tag; [0] unused
};

// Rules and facts of one control state.
struct ControlInfo {
  RuleId first_rule = 0, end_rule = 0;        // all but timeouts
  RuleId first_timeout = 0, end_timeout = 0;  // timeouts
  std::vector<Reception> receptions;
  // A number for its place in the text, the same for all members of a family: that of the first
  // state which is there.
  StateId same_place = 0;
  bool receives_only = false;
  bool is_end = false;
  bool may_stop = false;
};

struct Program {
  Protocol protocol;
  Families families;
  Layout layout;
  TimeoutPolicy timeouts = TimeoutPolicy::empty;
  OverflowPolicy overflow = OverflowPolicy::wait;
  std::vector<Rule> rules;  // processes as declared, options as written; timeouts after all others
  std::vector<std::vector<ControlInfo>> control;  // by process, control state
  ErrorTable errors;                              // what makes states and steps wrong
  StateWords initial;

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

// The most rules that one state can enable, as far as the numbers of rules tell.
std::size_t most_successors(const Program& program);

// What a rule touches beyond its own control state. A field of a received message counts as part of
// its channel.
struct Footprint {
  std::vector<VariableId> reads, writes;
  std::vector<ChannelId> asks;  // looked at: len, full, empty, a timeout
  ChannelId sends_to = none;
  ChannelId receives_from = none;
  std::vector<std::uint32_t> assertions;
};
Footprint footprint(const Program& program, const Rule& rule);

// `message(value, ...)` or `message`, by tag.
std::string message_text(const Channel& channel, std::uint32_t tag,
                         const std::vector<std::int64_t>& values);

}  // namespace panoptes
