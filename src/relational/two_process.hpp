// SPDX-License-Identifier: Apache-2.0
// A protocol of two processes that talk to each other, as the transition relations of its sides.
//
// Idea: where a protocol is nothing but two automata A and B, a channel from A to B and one from B
// to A, its transitions are four relations: what A transmits and receives (H-A, R-A), and what B
// does (H-B, R-B). Messages get one numbering for both directions, from 1 on; a trigger is -m where
// m is transmitted and m where it is received. Source: Frieder and Herman, Protocol Verification
// Using Database Technology, step 1. Cost: one pass over the automata. How it can be wrong: not by
// taking what does not fit: variables, values, timeouts, tests, a third process, a channel of one's
// own are refused, by name. Thread safety: plain data.
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
  // (present state, trigger, future state)
  using Row = std::tuple<StateId, std::int32_t, StateId>;

  struct Side {
    std::string process;
    std::vector<std::string> states;  // by number; no two names are equal
    StateId initial = 0;
    std::vector<StateId> ends;                // the end of the process
    std::vector<StateId> stops;               // where it may stop: its end among them
    std::set<Row> transmissions, receptions;  // H and R
    std::string channel;                      // the one it reads, "" where it reads none
    std::uint32_t capacity = 1;               // of that channel
  };
  Side a, b;
  std::vector<std::string> messages;  // message m has the name messages[m - 1]
};

struct Unfit {
  std::string reason;  // what does not fit, one line and no full stop
};

Result<TwoProcess, Unfit> two_process(const Program& program);

}  // namespace panoptes
