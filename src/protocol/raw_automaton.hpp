// SPDX-License-Identifier: Apache-2.0
// An automaton under construction, as a front end makes it of a body: one state per statement,
// transit states still there. `ends_inside` of a transition says here that its statement stands in
// an indivisible sequence; whether it also ends there, is seen when transit states go.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "protocol/protocol.hpp"

namespace panoptes {

// A transit state has exactly one transition, and that is a jump.
struct RawState {
  ControlState state;
  std::vector<bool> is_jump;       // one for each transition: skip, goto, break, call or return
  StateId preceded_by = none;      // the statement before it, or the one it stands in
  std::uint32_t source_order = 0;  // states are numbered in the order of their statements
  bool is_statement = true;        // false: made by the translation, e.g. the return of a call
  bool is_inside = false;          // an indivisible sequence
  bool is_bare_label = false;      // nothing follows it where it stands
  std::string statement_text;

  bool is_transit() const { return is_jump.size() == 1 && is_jump[0]; }
};

struct RawAutomaton {
  std::vector<RawState> states;
  StateId initial = 0;
  StateId end = 0;
  std::set<ExternalAction> external;  // every send and receive named, reachable or not
};

}  // namespace panoptes
