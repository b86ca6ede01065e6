// SPDX-License-Identifier: Apache-2.0
// Errors as a designer sees them: grouped by what is wrong.
#pragma once

#include <compare>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "rules/finding.hpp"
#include "rules/positions.hpp"

namespace panoptes {

// Findings with equal keys are one error: kind, process, control state, message; a deadlock by its
// tuple of control states, an assertion by its name and the offending event, a livelock by who
// moves and where everybody is meanwhile.
struct ErrorKey {
  ErrorKind kind = ErrorKind::deadlock;
  std::vector<std::uint32_t> parts;
  friend auto operator<=>(const ErrorKey&, const ErrorKey&) = default;
};
ErrorKey key_of(const Program& program, const Finding& finding, StateView state);

// The same in words.
struct ErrorDescription {
  ErrorKind kind = ErrorKind::deadlock;
  std::string process;  // "" where it concerns all; of a livelock, all that move, joined by ","
  std::string state;    // control state by name; all of them, joined by ",", for a deadlock; for a
                        // livelock too, those of one process joined by "|"
  std::string place;    // the same, each by line:column; of a merged state, the first
  std::string message;  // message, event or channel concerned
  std::string statement;  // line:column, where one statement of a process is to blame
  std::string text;       // one sentence, which says where the process is on this very trail
};
// `whereabouts` are those of everybody in `state`. REQUIRES, here and of key_of() above: not a
// livelock, which is no matter of one state.
ErrorDescription describe(const Program& program, const Finding& finding, StateView state,
                          const SourceSet& sources, const Whereabouts& whereabouts = {});

// What goes on for ever in a livelock.
struct LivelockShape {
  std::vector<std::set<StateId>> places;  // by process: the control states it is in
  std::set<ProcessId> moving;             // who takes steps
};
ErrorKey key_of(const Program& program, const LivelockShape& shape);
ErrorDescription describe(const Program& program, const LivelockShape& shape,
                          const SourceSet& sources);

}  // namespace panoptes
