// SPDX-License-Identifier: Apache-2.0
// A body to its raw automaton: one state per statement, guards belonging to the state of their
// `if` or `do`, procedures inlined, transit states still there.
#pragma once

#include <set>

#include "base/diagnostic.hpp"
#include "lang/argos/syntax.hpp"
#include "protocol/names.hpp"
#include "protocol/protocol.hpp"

namespace panoptes {

// An automaton under construction. A transit state has exactly one transition, and that is a jump.
struct RawState {
  ControlState state;
  std::vector<bool> is_jump;       // one for each transition: skip, goto, break, call or return
  StateId preceded_by = none;      // the statement before it, or the one it stands in
  std::uint32_t source_order = 0;  // states are numbered in the order of their statements
  bool is_statement = true;        // false: made by the translation, e.g. the return of a call
  std::string statement_text;

  bool is_transit() const { return is_jump.size() == 1 && is_jump[0]; }
};

struct RawAutomaton {
  std::vector<RawState> states;
  StateId initial = 0;
  StateId end = 0;
  std::set<ExternalAction> external;  // every send and receive named, reachable or not
};

struct TranslationInput {
  const argos::Block* body;
  Place end;
  std::string owner;         // declaration it is written in, for statements
  ProcessId process = none;  // none: an assertion
  Scope scope;               // innermost last
  bool is_assertion = false;
};

// Reports errors of the body; the result is usable only where there are none.
RawAutomaton translate(const TranslationInput& input, Declarations& declarations,
                       Resolver& resolver, Protocol& protocol, Diagnostics& diagnostics);

}  // namespace panoptes
