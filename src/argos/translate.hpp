// SPDX-License-Identifier: Apache-2.0
// A body to its raw automaton: one state per statement, guards belonging to the state of their
// `if` or `do`, procedures inlined, transit states still there.
#pragma once

#include <string>

#include "argos/names.hpp"
#include "argos/syntax.hpp"
#include "base/diagnostic.hpp"
#include "protocol/raw_automaton.hpp"

namespace panoptes {

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
