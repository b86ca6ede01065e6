// SPDX-License-Identifier: Apache-2.0
// A protocol of two processes that talk to each other, as the transition relations of its sides.
//
// Idea: where a protocol is two automata A and B, a channel from A to B and one from B to A, its
// transitions are four relations: what A transmits and receives (H-A, R-A), and what B does (H-B,
// R-B). Messages get one numbering for both directions, from 1 on; a trigger is -m where m is
// transmitted and m where it is received.
//
// In an extended automaton a state is a super-state: variables are attributes beside it, as are the
// values that messages carry. A row of H or R then has a procedure: what it asks of the attributes,
// and what it makes of them. Steps that neither send nor receive are two relations more for each
// side (I-A, T-A): tests and assignments, and timeouts. A protocol that has nothing of this has the
// relations of the paper and no others.
//
// Source: Frieder and Herman, Protocol Verification Using Database Technology, step 1 and Model
// Extensions. Cost: one pass over the rules. How it can be wrong: not by taking what does not fit:
// a third process, a channel of one's own, a behaviour assertion are refused, by name and place.
// Rules of a process that ask and do the same in the same states are one row: relations are sets.
// Thread safety: plain data.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "base/result.hpp"
#include "rules/program.hpp"

namespace panoptes {

struct TwoProcess {
  static constexpr std::uint32_t most_capacity = 64;     // of a channel
  static constexpr std::uint64_t most_attributes = 500;  // of a state

  // (present state, trigger, future state, procedure)
  using Row = std::tuple<StateId, std::int32_t, StateId, std::uint32_t>;

  struct Side {
    std::string process;
    std::vector<std::string> states;  // by number; no two names are equal
    StateId initial = 0;
    std::vector<StateId> ends;                // the end of the process
    std::vector<StateId> stops;               // where it may stop: its end among them
    std::set<Row> transmissions, receptions;  // H and R
    std::set<Row> internals, timeouts;        // I and T
    std::string channel;                      // the one it reads, "" where it reads none
    ChannelId channel_id = none;
    std::uint32_t capacity = 1;          // of that channel
    std::uint32_t value_count = 0;       // of a message in it, at most
    bool has_guarded_reception = false;  // it receives something under a condition only
  };
  // A variable.
  struct Attribute {
    std::string column;   // in the relations: value_a_retries
    std::string name;     // retries
    std::string process;  // A, B, or "" where it is shared
    VariableId variable = none;
    std::int64_t initial = 0;
  };
  // What rules ask of attributes and do to them; text is as written, no two of a process equal.
  struct Procedure {
    std::string text;
    ProcessId process = 0;
    RuleId rule = none;  // one of those that have it
  };
  Side a, b;
  std::vector<std::string> messages;  // message m has the name messages[m - 1]
  std::vector<Attribute> attributes;
  std::vector<Procedure> procedures;  // p is procedures[p - 1]; 0 asks nothing and does nothing
  bool is_extended = false;           // rows have procedures
  bool timeouts_wait = false;         // for a state in which nothing else can happen
};

struct Unfit {
  std::string reason;  // what does not fit, one line and no full stop
  Place place;         // where that is
};

Result<TwoProcess, Unfit> two_process(const Program& program);

}  // namespace panoptes
